import type { Exchanged } from '../exchange/exchanged.ts';
import { getOrMake } from '../get-or-make.ts';
import { isAtOrBelow, type Name } from '../wire/name.ts';
import { type Classifier, classifier } from './classify.ts';
import type { Meaning } from './meaning.ts';

/** An exchange as it was read for its question, and what it turned out to mean by zone. */
interface Known {
  readonly classify: Classifier;
  readonly meanings: Map<Name, Meaning>;
}

const known = new WeakMap<Exchanged, Known>();

/**
 * What an exchange means for a zone. Exploring, events and evaluation all ask this of the same
 * exchanges, wherever paths meet them, so each is read once and classified once per zone, and keeps what
 * it means for as long as it lives.
 */
export function meaningFor(exchanged: Exchanged, zone: Name): Meaning {
  const { classify, meanings } = getOrMake(known, exchanged, () => {
    return { classify: classifier(exchanged.outcome, exchanged.question), meanings: new Map() };
  });
  return getOrMake(meanings, zone, () => classify(zone));
}

/** Whether a reply shows that the server serves some zone. */
export function servesSomething({ outcome }: Exchanged): boolean {
  if (outcome.kind !== 'reply' || !outcome.flags.includes('aa')) return false;
  return outcome.rcode === 'NOERROR' || outcome.rcode === 'NXDOMAIN';
}

/** Whether a reply says that the server does not serve the zone, or cannot. */
export function isDisowning(exchanged: Exchanged, zone: Name): boolean {
  if (!isAtOrBelow(exchanged.question.name, zone)) return false;
  const meaning = meaningFor(exchanged, zone);
  if (meaning.kind === 'lame') return true;
  return meaning.kind === 'error' && DISOWNING.has(meaning.rcode);
}

const DISOWNING: ReadonlySet<string> = new Set(['REFUSED', 'SERVFAIL', 'NOTAUTH']);
