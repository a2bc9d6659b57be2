import type { ListedServer } from '../document/servers.ts';
import { listed } from './words/listed.ts';
import { count } from './words/quantities.ts';

/** The most products that one line names. */
const SHOWN = 5;

/** How many servers run what: "6 BIND 9.18.33, 4 NSD 4.9.1, 2 servers unknown and 1 not asked". */
export function softwareLine(servers: readonly ListedServer[]): string {
  const numbers = new Map<string, number>();
  const asked = servers.filter(wasAsked);
  for (const { software } of asked) {
    const name = software === undefined ? UNKNOWN : softwareWords(software);
    numbers.set(name, (numbers.get(name) ?? 0) + 1);
  }
  const known = [...numbers]
    .filter(([name]) => name !== UNKNOWN)
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  const parts = known.map(([name, number]) => `${number} ${name}`);
  const unknown = numbers.get(UNKNOWN) ?? 0;
  const unasked = servers.length - asked.length;
  const rest = [
    ...(unknown === 0 ? [] : [`${count(unknown, 'server')} unknown`]),
    ...(unasked === 0 ? [] : [`${unasked} not asked`]),
  ];
  return listed([...parts, ...rest], SHOWN);
}

/** Whether a server was asked what it is. */
export function wasAsked({ versionBind }: ListedServer): boolean {
  return versionBind.status !== 'skipped';
}

/** A product and its version, as far as it is known. */
export function softwareWords({ product, version }: NonNullable<ListedServer['software']>): string {
  return version === undefined ? product : `${product} ${version}`;
}

const UNKNOWN = '';
