import type { PickedServer } from '../evaluate/end.ts';
import { type Fraction, fractionText, toNumber } from '../evaluate/fraction.ts';
import type { Plan } from '../explore/recording.ts';
import { type Name, ROOT } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';

/** A name as it stands in a sentence: without its final dot. */
export function plain(name: Name): string {
  return name === ROOT ? 'the root' : name.slice(0, -1);
}

/** "ns1.example (192.0.2.1)" */
export function named({ name, address }: PickedServer): string {
  return `${plain(name)} (${address})`;
}

/** " over IPv4" where that is the only family examined, so that a sentence says no more than is known. */
export function overFamilies({ families }: Plan): string {
  const [only] = families;
  return only === undefined || families.length > 1 ? '' : ` over IPv${only}`;
}

/** "www.example A" */
export function asked({ name, type }: Question): string {
  return `${plain(name)} ${type}`;
}

/** "a", "a and b", "a, b, c and 4 more" */
export function listed(items: readonly string[], most = 3): string {
  const shown = items.length <= most + 1 ? items : [...items.slice(0, most), `${items.length - most} more`];
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}

/** "12.5 % (1/8)"; the exact value only where it is short. */
export function percent(share: Fraction): string {
  const text = fractionText(share);
  const value = toNumber(share) * 100;
  const rounded = value > 0 && value < 0.01 ? 'under 0.01' : `${Number(value.toFixed(2))}`;
  return text.length <= 9 && text !== '1' && text !== '0' ? `${rounded} % (${text})` : `${rounded} %`;
}

/** Data of records in a sentence: not longer than a line can bear. */
export function quoted(data: readonly string[]): string {
  const text = listed(data);
  return text.length <= QUOTED ? text : `${text.slice(0, QUOTED)}…`;
}

const QUOTED = 80;
