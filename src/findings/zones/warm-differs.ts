import { passedBy } from '../../evaluate/bottom-up.ts';
import type { Distribution, Outcome } from '../../evaluate/distribution.ts';
import type { WarmWalk } from '../../evaluate/evaluate.ts';
import { type KnownShares, sureDifference } from '../../reading/sure-difference.ts';
import { listed } from '../../reading/words/listed.ts';
import { asked, plain } from '../../reading/words/names.ts';
import { percent } from '../../reading/words/percent.ts';
import type { Name } from '../../wire/name.ts';
import type { Check, Draft } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { endProof } from '../proof.ts';
import { type Prospects, sortedOut, toldKey, toldWords, total } from '../prospects.ts';
import { overFamilies } from '../words.ts';
import { campsIn } from './camps.ts';

/**
 * WARM_DIFFERS: users get something else once their resolver has learnt a zone's own name servers. Shares
 * may differ by what was not examined; only what is more than that is reported. A warning if they get the
 * same, in other shares.
 */
export const warmDiffers: Check = (evidence) => {
  const { evaluation, openZones, openWhenWarm } = evidence;
  const { warm } = evaluation;
  if (warm === undefined) return [];
  const cold = sortedOut(evaluation.resolverOutcomes, openZones);
  const later = sortedOut(warm.resolverOutcomes, openWhenWarm);
  const differing = difference(cold, later);
  if (differing === 'nothing') return [];
  const severity = differing === 'contents' ? 'error' : 'warning';
  const ends = proofOf(evidence, [...later.told.flatMap(({ outcomes }) => outcomes), ...later.failed]);
  const culprits = decidingZones(warm, openWhenWarm);
  return culprits.map((zone): Draft => {
    const lookups = `Lookups of ${asked(evidence.scope.question)}${overFamilies(evidence.scope)}`;
    const problem = `${lookups} end differently once a resolver has learnt the name servers of ${plain(zone)} from the zone itself: before, ${sharesIn(cold)}; after, ${sharesIn(later)}`;
    const camps = campsIn(evidence, zone).flatMap(({ proof }) => proof);
    return { zone, severity, problem, advice: ADVICE, proof: [...camps, ...ends] };
  });
};

/** What differs, a finding about the zone itself says, which this one follows from then. */
const ADVICE = 'Make the delegation and the zone itself name the same servers with the same addresses';

function proofOf(evidence: Evidence, outcomes: readonly Outcome[]) {
  return outcomes.flatMap(({ end }) => endProof(evidence, end));
}

/** More than usual: these are what the finding is about. */
const MOST_SHARES = 6;

/** "75 % (3/4) return 192.0.2.1 and 25 % (1/4) fail" */
function sharesIn({ told, failed, unknown }: Prospects): string {
  const parts = told.map((one) => `${percent(one.probability)} return ${toldWords(one)}`);
  if (failed.length > 0) parts.push(`${percent(total(failed))} fail`);
  if (unknown.length > 0) parts.push(`${percent(total(unknown))} were not examined`);
  return listed(parts, MOST_SHARES);
}

/** What differs for certain: what users get, or only how often. */
function difference(one: Prospects, other: Prospects): ReturnType<typeof sureDifference> {
  return sureDifference(sharesByContent(one), sharesByContent(other));
}

function sharesByContent({ told, failed, unknown }: Prospects): KnownShares {
  const known = new Map(told.map(({ end, probability }) => [toldKey(end), probability]));
  return { known: known.set('failed', total(failed)), unknown: total(unknown) };
}

/** The zones at which it matters whether a resolver goes on at the servers that the zone itself names. */
function decidingZones({ resolved }: WarmWalk, openZones: ReadonlySet<Name>): readonly Name[] {
  const { start, steps, resolverView } = resolved;
  const passed = [...passedBy(start, steps)].reverse();
  const deciding = passed.filter((step) => {
    if (step.otherwise === undefined) return false;
    const learnt = resolverView.distribution({ kind: 'step', step });
    const [a, b] = [learnt, resolverView.distribution(step.otherwise)].map((one) =>
      sortedOut(outcomesIn(one), openZones),
    );
    return a !== undefined && b !== undefined && difference(a, b) !== 'nothing';
  });
  return [...new Set(deciding.map(({ delegation }) => delegation.zone))];
}

function outcomesIn({ whole, portions }: Distribution): readonly Outcome[] {
  return [...portions].map(([end, parts]) => {
    return { end, probability: { numerator: parts, denominator: whole } };
  });
}
