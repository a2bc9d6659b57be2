import type { PickedServer } from '../../evaluate/end.ts';
import { type Name, ROOT } from '../../wire/name.ts';
import type { Question } from '../../wire/question.ts';
import { listed } from './listed.ts';
import { shortening } from './shortened.ts';

/** A name as sentences have it: without its final dot. */
export function plain(name: Name): string {
  return name === ROOT ? 'the root' : name.slice(0, -1);
}

/** "ns1.example (192.0.2.1)" */
export function withAddress({ name, address }: PickedServer): string {
  return `${plain(name)} (${address})`;
}

/** "www.example A" */
export function asked({ name, type }: Question): string {
  return `${plain(name)} ${type}`;
}

/**
 * Record data in a sentence, shortened to fit. `besides` are other data in the same text: the part that
 * differs from them is never cut.
 */
export function dataText(data: readonly string[], besides: readonly (readonly string[])[] = []): string {
  const inShort = [data, ...besides].map((one) => listed(one));
  const [text = '', ...others] = inShort;
  const isAmbiguous = others.some((other, at) => other === text && !isSame(besides[at] ?? [], data));
  if (isAmbiguous) return listed(data, data.length);
  return shortening(inShort, QUOTED)(text);
}

/** The most characters of data that a sentence has room for. */
const QUOTED = 80;

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}
