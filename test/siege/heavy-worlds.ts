import { doublingChains, endlessAliases, manyNames, type Says, tinyRecords } from './hostile-servers.ts';
import { SIGNED_WORLDS } from './signed-worlds.ts';

/** Servers whose replies are much work, and a name to ask them for. */
export interface HeavyWorld {
  readonly what: string;
  readonly name: string;
  /** The addresses of the servers: so many, from the first of this block on. */
  readonly block: number;
  readonly count: number;
  /** Makes what they say, which may take a while. */
  readonly says: () => Says;
  /** The trust anchor of the root; absent: it is not signed. */
  readonly anchor?: string;
}

const labels = (count: number) => Array.from({ length: count }, (_, at) => `l${at}`).join('.');

/** The worlds of the siege with heavy replies. */
export const HEAVY_WORLDS: readonly HeavyWorld[] = [
  { what: 'chains that double', name: labels(24), block: 41, count: 60, says: () => doublingChains(41, 60) },
  { what: '2,500 aliases a reply', name: 'e0', block: 42, count: 4, says: () => endlessAliases(2_500) },
  { what: 'tiny records', name: 'www.tiny', block: 43, count: 250, says: () => tinyRecords(43, 250) },
  {
    what: '1,500 names for two addresses',
    name: labels(8),
    block: 44,
    count: 20,
    says: () => manyNames(44, 1_500),
  },
];

/** Those, and signed ones. */
export const ALL_WORLDS: readonly HeavyWorld[] = [...HEAVY_WORLDS, ...SIGNED_WORLDS];

/** The world, by its place in the list of all. */
export function heavyWorld(at: number): HeavyWorld {
  const world = ALL_WORLDS[at];
  if (world === undefined) throw new Error(`there is no world ${at}`);
  return world;
}
