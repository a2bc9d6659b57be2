import { doublingChains, endlessAliases, manyNames, type Says, tinyRecords } from './hostile-servers.ts';

/** Servers whose replies are much work, and a name to ask them for. */
interface HeavyWorld {
  readonly what: string;
  readonly name: string;
  /** The addresses of the servers: so many, from the first of this block on. */
  readonly block: number;
  readonly count: number;
  readonly says: Says;
}

const labels = (count: number) => Array.from({ length: count }, (_, at) => `l${at}`).join('.');

/** The worlds of the siege with heavy replies. */
export const HEAVY_WORLDS: readonly HeavyWorld[] = [
  { what: 'chains that double', name: labels(24), block: 41, count: 60, says: doublingChains(41, 60) },
  { what: '2,500 aliases a reply', name: 'e0', block: 42, count: 4, says: endlessAliases(2_500) },
  { what: 'tiny records', name: 'www.tiny', block: 43, count: 250, says: tinyRecords(43, 250) },
  {
    what: '1,500 names for two addresses',
    name: labels(8),
    block: 44,
    count: 20,
    says: manyNames(44, 1_500),
  },
];

/** The world, by its place in the list. */
export function heavyWorld(at: number): HeavyWorld {
  const world = HEAVY_WORLDS[at];
  if (world === undefined) throw new Error(`there is no world ${at}`);
  return world;
}
