import type { Question } from '../../dns/message.ts';
import { plain } from '../../document/words/names.ts';
import type { SpecialExchange } from '../../exchange/exchange.ts';
import type { Consulted, Resolver } from '../../exchange/exchanged.ts';
import type { NamedResolver } from '../flags/names.ts';
import { notDone, reason } from '../process/errors.ts';
import type { Io } from '../process/io.ts';

/**
 * The resolvers that the command line names, each address once. Throws a `CommandError` for a name that this
 * host finds no address for.
 */
export async function resolversOf(
  resolvers: readonly NamedResolver[],
  io: Pick<Io, 'addressesOf'>,
): Promise<readonly Resolver[]> {
  const all = (await Promise.all(resolvers.map((named) => addressesOf(named, io)))).flat();
  return [...new Map(all.map((one) => [`${one.address}#${one.port}`, one])).values()];
}

async function addressesOf(named: NamedResolver, io: Pick<Io, 'addressesOf'>): Promise<readonly Resolver[]> {
  if ('address' in named) return [named];
  const { name, port } = named;
  try {
    const addresses = await io.addressesOf(plain(name));
    return addresses.map((address) => ({ address, port, name }));
  } catch (error) {
    throw notDone(`@${plain(name)}: this host finds no address for it: ${reason(error)}`);
  }
}

/** Puts the question to all resolvers at once, as users do (RD). Those that have not replied when it is aborted are left out. */
export async function consult(
  resolvers: readonly Resolver[],
  question: Question,
  exchangeAt: (port: number) => SpecialExchange,
  signal: AbortSignal,
): Promise<readonly Consulted[]> {
  const ask = async (resolver: Resolver): Promise<readonly Consulted[]> => {
    try {
      const query = { address: resolver.address, question, flags: ['rd'] } as const;
      return [{ ...(await exchangeAt(resolver.port)(query, signal)), resolver }];
    } catch (error) {
      if (signal.aborted) return [];
      throw error;
    }
  };
  return (await Promise.all(resolvers.map(ask))).flat();
}
