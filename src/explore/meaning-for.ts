import type { Exchanged } from '../exchanged.ts';
import { getOrMake } from '../get-or-make.ts';
import type { Name } from '../wire/name.ts';
import { classify } from './classify.ts';
import type { Meaning } from './meaning.ts';

const known = new WeakMap<Exchanged, Map<Name, Meaning>>();

/**
 * What an exchange means for a zone. Exploring, events and evaluation all ask this of the same
 * exchanges, wherever paths meet them, so each is classified once per zone and keeps what it means for
 * as long as it lives.
 */
export function meaningFor(exchanged: Exchanged, zone: Name): Meaning {
  const byZone = getOrMake(known, exchanged, () => new Map<Name, Meaning>());
  return getOrMake(byZone, zone, () => classify(exchanged.outcome, exchanged.question, zone));
}
