import type { PickedServer } from '../evaluate/end.ts';
import { type Name, ROOT } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';
import { listed } from './listed.ts';

/** A name as it stands in a sentence: without its final dot. */
export function plain(name: Name): string {
  return name === ROOT ? 'the root' : name.slice(0, -1);
}

/** "ns1.example (192.0.2.1)" */
export function named({ name, address }: PickedServer): string {
  return `${plain(name)} (${address})`;
}

/** "www.example A" */
export function asked({ name, type }: Question): string {
  return `${plain(name)} ${type}`;
}

/** Data of records in a sentence: not longer than a line can bear. */
export function quoted(data: readonly string[]): string {
  const text = listed(data);
  return text.length <= QUOTED ? text : `${text.slice(0, QUOTED)}…`;
}

const QUOTED = 80;
