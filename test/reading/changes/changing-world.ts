import type { Said, World } from '../../evaluate/random-world.ts';

/** A name server of `x.`: its address, and what it says of `www.x.` */
export type Zone = Readonly<Record<string, Said>>;

/** A world in which the root refers to these servers of `x.`, named `ns1.x.` and so on. */
export function worldWith(servers: Zone): World {
  const [names, addresses] = [Object.keys(servers).map((_, at) => `ns${at + 1}.x.`), Object.keys(servers)];
  const delegated = names.map((name, at) => ({ name, addresses: addresses.slice(at, at + 1) }));
  return {
    name: 'www.x.',
    type: 'A',
    families: [4],
    maxDepth: 10,
    roots: [{ name: 'r.', addresses: ['11.0.0.1'] }],
    takes: () => 1,
    says: (address) => servers[address] ?? { kind: 'ns', zone: 'x.', servers: delegated },
  };
}

/** A server that gives this address. */
export function answers(...data: readonly string[]): Said {
  return { kind: 'answer', data };
}
