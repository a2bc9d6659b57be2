/* Words for names, addresses and record data in sentences. */

import { unicodeName } from '../../dns/idn.ts';
import type { Question } from '../../dns/message.ts';
import { type Name, ROOT, withoutFinalDot } from '../../dns/name.ts';
import type { PickedServer } from '../../evaluate/end.ts';
import { listed } from './lists.ts';
import { shortening } from './shortened.ts';

/** A name as sentences have it: without its final dot, and with internationalised labels as people write them. */
export function plain(name: Name): string {
  return name === ROOT ? 'the root' : withoutFinalDot(shown(name));
}

/** A name as tables have it: with its final dot. */
export function shown(name: Name): string {
  return unicodeName(name) ?? name;
}

/** A name in a title: internationalised labels as people write them, with the name as it is asked behind them. */
export function titleName(name: Name): string {
  const unicode = unicodeName(name);
  return unicode === undefined ? name : `${unicode} (${name})`;
}

/** "ns1.example (192.0.2.1)" */
export function withAddress({ name, address }: PickedServer): string {
  return `${plain(name)} (${address})`;
}

/** "www.example A" */
export function asked({ name, type }: Question): string {
  return `${plain(name)} ${type}`;
}

/** Record data in a sentence, shortened to fit. */
export function dataText(data: readonly string[]): string {
  return dataTexts([data])(data);
}

/** Puts record data into a text with others: shortened to fit, but never by the part that differs from them. */
export function dataTexts(all: Iterable<readonly string[]>): (data: readonly string[]) => string {
  const apart = new Map([...all].map((data) => [wholeOf(data), listed(data)]));
  const timesShown = new Map<string, number>();
  for (const text of apart.values()) timesShown.set(text, (timesShown.get(text) ?? 0) + 1);
  const shorten = shortening(apart.values(), QUOTED);
  return (data) => ((timesShown.get(listed(data)) ?? 0) > 1 ? wholeOf(data) : shorten(listed(data)));
}

/** The most characters of data that a sentence has room for. */
const QUOTED = 80;

function wholeOf(data: readonly string[]): string {
  return listed(data, data.length);
}
