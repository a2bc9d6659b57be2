import { type Command, run } from './daemon.ts';

/**
 * Gives the loopback interface these addresses and returns what takes them away again. Any socket
 * can use all of 127.0.0.0/8, but BIND listens only on addresses that an interface has.
 */
export async function addAddresses(addresses: readonly string[]): Promise<() => Promise<void>> {
  await Promise.all(addresses.map((address) => run(ip('add', address))));
  return async () => {
    await Promise.all(addresses.map((address) => run(ip('del', address))));
  };
}

function ip(verb: 'add' | 'del', address: string): Command {
  return { program: 'ip', args: ['address', verb, `${address}/32`, 'dev', 'lo'] };
}
