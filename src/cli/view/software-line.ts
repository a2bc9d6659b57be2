import type { ListedServer } from '../../document/servers.ts';
import { listed } from '../../reading/words/listed.ts';
import { count } from '../../reading/words/quantities.ts';

/** The most products that one line names. */
const SHOWN = 5;

/** How many servers run what: "6 BIND 9.18.33, 4 NSD 4.9.1, 2 unknown". */
export function softwareLine(servers: readonly ListedServer[]): string {
  const numbers = new Map<string, number>();
  for (const { software } of servers) {
    const name = software === undefined ? UNKNOWN : softwareWords(software);
    numbers.set(name, (numbers.get(name) ?? 0) + 1);
  }
  const known = [...numbers]
    .filter(([name]) => name !== UNKNOWN)
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  const parts = known.map(([name, number]) => `${number} ${name}`);
  const unknown = numbers.get(UNKNOWN);
  return listed(unknown === undefined ? parts : [...parts, `${count(unknown, 'server')} unknown`], SHOWN);
}

/** A product and its version, as far as it is known. */
export function softwareWords({ product, version }: NonNullable<ListedServer['software']>): string {
  return version === undefined ? product : `${product} ${version}`;
}

const UNKNOWN = '';
