/* Sorts the ends of a product's lookups by when its users get them: in time, at the second try, or not at all. */

import { getOrMake } from '../../base/memo.ts';
import type { Behaviour } from '../../explore/profiles/profile.ts';
import { Collector, type Distribution, type Outcome, outcomesOf } from '../distribution.ts';
import { type End, endKey, isUnknown } from '../end.ts';
import { compare, type Fraction, lowestTerms, sum, ZERO } from '../fraction.ts';
import type { TimedEnd } from '../visit/timed-ends.ts';
import { SLOT_MS } from '../visit/waits.ts';

/** The outcomes of users who ask a resolver, and ask it again. */
export interface InTime {
  readonly outcomes: readonly Outcome[];
  /** The share of users who get an answer or a denial only when they ask again; undefined: nobody has to. */
  readonly late?: Fraction;
}

/** The time after which a user's program asks again, and then gives up (resolv.conf(5)), in milliseconds. */
const PATIENCE_MS = 5_000;

/** The outcomes of users who wait for a resolver, and ask again once: svc-model(7), PROFILES. */
export function inTime({ whole, portions }: Distribution<TimedEnd>, { time }: Behaviour): InTime {
  const { ofLookUp = Number.POSITIVE_INFINITY, discard = PATIENCE_MS } = time;
  const patience = Math.min(discard, PATIENCE_MS);
  const distinct = new Map<string, End>();
  const collector = new Collector();
  const late: Fraction[] = [];
  for (const [{ end, spent }, parts] of portions) {
    const weight = { numerator: parts, denominator: whole };
    const tookMs = spent * SLOT_MS;
    const gaveUp = tookMs > ofLookUp && !isUnknown(end);
    const afterMs = gaveUp ? ofLookUp : tookMs;
    const reached = gaveUp ? servfailAt(end) : end;
    // A resolver that gives up says so, be it to nobody.
    const isSaid = isUnknown(end) || gaveUp || afterMs <= PATIENCE_MS + patience;
    const given = isSaid ? reached : notInTime(reached);
    collector.add(
      getOrMake(distinct, endKey(given), () => given),
      weight,
    );
    if (given === reached && afterMs > patience && isReply(given)) late.push(weight);
  }
  const share = lowestTerms(sum(late));
  return {
    outcomes: outcomesOf(collector.distribution),
    ...(compare(share, ZERO) > 0 && { late: share }),
  };
}

/** Whether a resolver passes a server's reply on. */
function isReply(end: End): boolean {
  return end.kind !== 'servfail' && end.kind !== 'alias-loop' && !isUnknown(end);
}

function servfailAt({ question, zone }: End): End {
  return { kind: 'servfail', question, zone, server: null };
}

function notInTime(cause: End): End {
  const { question, zone } = cause;
  return { kind: 'timeout', question, zone, server: null, cause };
}
