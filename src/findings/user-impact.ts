/* Checks what all trouble together comes to for users. */

import type { Name } from '../dns/name.ts';
import { rotates } from '../document/ends.ts';
import { type KnownShares, sureDifference } from '../document/views.ts';
import { type BlockedReason, whyBlocked } from '../document/words/end-words.ts';
import { byFamily, firstOfEach, grouped, listed } from '../document/words/lists.ts';
import { asked, plain } from '../document/words/names.ts';
import { percent } from '../document/words/quantities.ts';
import { type Outcome, outcomesOf } from '../evaluate/distribution.ts';
import { causeOf, type End, type EndKind, isRetried, isUnknown } from '../evaluate/end.ts';
import { type Evaluation, outcomesIn, type WarmWalk } from '../evaluate/evaluate.ts';
import { compare } from '../evaluate/fraction.ts';
import { passedBy } from '../evaluate/step-order.ts';
import { VIEWS, type ViewKind, type ViewStart } from '../evaluate/views.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import type { Checks, Draft, Part } from './check.ts';
import type { Evidence } from './evidence.ts';
import {
  coldOutcomes,
  endProof,
  finalKey,
  finalWords,
  isUnproven,
  overFamilies,
  type SortedOutcomes,
  sortOutcomes,
  totalShare,
} from './outcomes.ts';
import { nsGroupsIn } from './zones/ns-groups.ts';

/** What does it all come to for users? */
export const IMPACT_CHECKS = {
  ANSWER_NOT_CERTAIN: answerNotCertain,
  WARM_DIFFERS: warmDiffers,
  FIRST_TRY_FAILS: firstTryFails,
  COLD_LATENCY_HIGH: coldLatencyHigh,
  UNEXPLORED: unexplored,
} satisfies Checks;

/**
 * ANSWER_NOT_CERTAIN: in the resolver view users get something other than the most probable answer, or
 * nothing. What is unknown does not count. Without a majority no answer is the right one. If nobody gets an
 * answer, the faults behind it are critical instead.
 */
function answerNotCertain(evidence: Evidence): readonly Draft[] {
  const { scope } = evidence;
  const { final, unknown, failed } = coldOutcomes(evidence);
  const [main, ...others] = final;
  if (main === undefined || (others.length === 0 && failed.length === 0)) return [];
  const question = `of ${asked(scope.question)}${overFamilies(scope)}`;
  const differing = others.flatMap(({ outcomes }) => outcomes);
  const isMajority = compare(main.probability, totalShare(differing)) > 0;
  const parts = sharesIn({ final: isMajority ? others : final, failed, unknown });
  const answers = others.length === 0 ? [] : [...main.outcomes, ...differing];
  const isMeant = failed.length === 0 && areOneVersion(evidence, answers);
  return [
    {
      ...(isMeant ? { severity: 'warning' } : {}),
      problem: isMajority
        ? `Only ${percent(main.probability)} of lookups ${question} return ${finalWords(main)}, while ${listed(parts)}`
        : `Lookups ${question} disagree: ${listed(parts)}`,
      advice:
        others.length === 0
          ? 'Repair the faults that make them fail'
          : isMeant
            ? 'Make every server give the same answer, unless each is meant to give its own'
            : 'Make every server give the same answer',
      proof: proofOf(evidence, [...answers, ...failed]),
      parts: partsOf(evidence, [...differing, ...failed]),
    },
  ];
}

/** Whether all differ because servers of one version give data of their own: svc-model(7), ANSWERS THAT VARY. */
function areOneVersion({ evaluation }: Evidence, outcomes: readonly Outcome[]): boolean {
  const { isOneVersion } = evaluation.varying;
  return (
    outcomes.some(({ end }) => isOneVersion(end)) &&
    outcomes.every(({ end }) => isOneVersion(end) || rotates(end))
  );
}

/**
 * FIRST_TRY_FAILS: in the path view this share of picks gives nothing usable, so users wait for another
 * attempt. Not reported if every attempt fails: then waiting is not the trouble.
 */
function firstTryFails(evidence: Evidence): readonly Draft[] {
  const { scope, reached, evaluation } = evidence;
  const tries = outcomesIn(evaluation, 'first-tries');
  const failing = tries.filter(({ end }) => isRetried(end) && !isUnproven(evidence, end));
  if (reached.size === 0 || failing.length === 0 || failing.length === tries.length) return [];
  const subjects = subjectsOf(failing.map(({ end }) => failureIn(end)));
  return [
    {
      problem: `${percent(totalShare(failing))} of first attempts for ${asked(scope.question)}${overFamilies(scope)} go to ${listed(subjects)} and get no usable reply, which slows lookups down`,
      advice: `Repair or remove ${subjects.length === 1 ? 'that server' : 'those servers'}`,
      proof: proofOf(evidence, failing),
      parts: partsOf(evidence, failing),
    },
  ];
}

/** Where a server fails on the way to the address of another, that server; one that says that there is no address is right. */
function failureIn(end: End): End {
  const cause = causeOf(end);
  return cause.server !== null && isRetried(cause) ? cause : end;
}

/** The servers that failing ends are about: "ns1.example (192.0.2.1, 2001:db8::1)", "ns2.example" where it has no address. */
function subjectsOf(ends: readonly End[]): readonly string[] {
  return grouped(ends, nameOf).map((alike) => {
    const addresses = [...new Set(alike.flatMap(({ server }) => server?.address ?? []))].sort(byFamily);
    const name = plain(nameOf(alike[0]));
    return addresses.length === 0 ? name : `${name} (${addresses.join(', ')})`;
  });
}

function nameOf({ server, zone, ...end }: End): Name {
  if (server !== null) return server.name;
  return 'nameserver' in end ? end.nameserver : zone;
}

/** In milliseconds: how long a cold lookup may take, on average and at worst, before it is reported. */
export const SLOW_MEAN_MS = 1_000;
const SLOW_WORST_MS = 5_000;

/** COLD_LATENCY_HIGH: a lookup with an empty cache takes long. Not reported if this host cannot reach everything. */
function coldLatencyHigh({ scope, openZones, evaluation }: Evidence): readonly Draft[] {
  const { mean, worst } = evaluation.latency;
  if (openZones.size > 0 || (mean <= SLOW_MEAN_MS && worst <= SLOW_WORST_MS)) return [];
  return [
    {
      problem: `A lookup of ${asked(scope.question)} with an empty cache takes ${seconds(mean)} on average and ${seconds(worst)} at worst`,
      advice: 'Repair slow and silent servers, and depend on fewer zones',
      proof: [],
    },
  ];
}

function seconds(ms: number): string {
  return `${Number((ms / 1_000).toFixed(1))} s`;
}

/** UNEXPLORED: limits or policy kept this share from being examined, cold or warm. */
function unexplored({ scope, evaluation }: Evidence): readonly Draft[] {
  const parts = cutOffIn(evaluation);
  const cut = parts.flatMap(({ outcomes }) => outcomes);
  if (cut.length === 0) return [];
  const shares = parts.map(({ words, outcomes }) => `${percent(totalShare(outcomes))} of ${words}`);
  const reasons = [...new Set(cut.map(({ end }) => reasonOf(causeOf(end))))];
  return [
    {
      problem: `${listed(shares)} for ${asked(scope.question)} were not examined (${listed(reasons)})`,
      advice: reasons.every((kind) => kind === 'blocked')
        ? ADVICE_IF_BLOCKED[cut.some(({ end }) => isDenied(causeOf(end))) ? 'denied' : 'special-purpose']
        : reasons.every((kind) => kind === 'cancelled')
          ? 'Let the traversal run to its end to see the rest'
          : 'Raise the limit, or let the traversal run to its end, to see the rest',
      proof: [],
    },
  ];
}

function reasonOf(end: End): EndKind | 'cancelled' {
  return end.kind === 'time-limit' ? (end.reason ?? end.kind) : end.kind;
}

function isDenied(end: End): boolean {
  return end.kind === 'blocked' && whyBlocked(end) === 'denied';
}

const ADVICE_IF_BLOCKED: Readonly<Record<BlockedReason, string>> = {
  denied: 'Ask from elsewhere to see the rest: policy forbids it here',
  'special-purpose': 'Allow special-purpose addresses to see the rest',
};

/** What was not examined of a walk: of its paths, or else of its lookups. */
function cutOffIn(evaluation: Evaluation): readonly CutOff[] {
  const all = VIEWS.flatMap(({ kind, name, start }): readonly CutOff[] => {
    const words = LOOKED_AT[kind];
    const outcomes =
      words === undefined ? [] : outcomesIn(evaluation, name).filter(({ end }) => isUnknown(causeOf(end)));
    return words === undefined || outcomes.length === 0 ? [] : [{ start, words, outcomes }];
  });
  return firstOfEach(all, ({ start }) => start);
}

interface CutOff {
  readonly start: ViewStart;
  readonly words: string;
  readonly outcomes: readonly Outcome[];
}

/** The views of which it is told, and what they are shares of. */
const LOOKED_AT: Readonly<Record<ViewKind, string | undefined>> = {
  'first-tries': 'paths',
  resolver: 'lookups',
  'first-tries/warm': 'warm paths',
  warm: 'warm lookups',
  validating: undefined,
  product: undefined,
  'product/warm': undefined,
};

function proofOf(evidence: Evidence, outcomes: readonly Outcome[]): readonly Exchanged[] {
  return outcomes.flatMap(({ end }) => endProof(evidence, end));
}

function partsOf(evidence: Evidence, outcomes: readonly Outcome[]): readonly Part[] {
  return outcomes.map(({ end, probability }) => ({
    share: probability,
    proof: endProof(evidence, end),
    // What comes of a lookup is a fault of the name that is looked up.
    ...('nameserver' in end && { zone: end.zone, server: { name: end.nameserver } }),
  }));
}

/**
 * WARM_DIFFERS: users get something else once their resolver has learnt a zone's own name servers. Shares
 * may differ by what was not examined; only what is more than that is reported. Critical if they all get nothing
 * then, a warning if they get the same in other shares.
 */
function warmDiffers(evidence: Evidence): readonly Draft[] {
  const { evaluation, openZones, openWhenWarm } = evidence;
  const { warm } = evaluation;
  if (warm === undefined) return [];
  const cold = sortOutcomes(outcomesIn(evaluation, 'resolver'), openZones);
  const later = sortOutcomes(outcomesIn(evaluation, 'warm'), openWhenWarm);
  const differing = difference(cold, later);
  if (differing === 'nothing') return [];
  const isOutage = later.final.length === 0 && later.unknown.length === 0;
  const severity = isOutage ? 'critical' : differing === 'contents' ? 'error' : 'warning';
  const ends = proofOf(evidence, [...later.final.flatMap(({ outcomes }) => outcomes), ...later.failed]);
  const culprits = decidingZones(warm, openWhenWarm);
  return culprits.map((zone): Draft => {
    const lookups = `Lookups of ${asked(evidence.scope.question)}${overFamilies(evidence.scope)}`;
    const problem = `${lookups} end differently once a resolver has learnt the name servers of ${plain(zone)} from the zone itself: before, ${listed(sharesIn(cold), MOST_SHARES)}; after, ${listed(sharesIn(later), MOST_SHARES)}`;
    const nsGroups = nsGroupsIn(evidence, zone).flatMap(({ proof }) => proof);
    return { zone, severity, problem, advice: ADVICE, proof: [...nsGroups, ...ends] };
  });
}

/** What differs, a finding about the zone itself says, which this one follows from then. */
const ADVICE = 'Make the delegation and the zone itself name the same servers with the same addresses';

/** More than usual: these are what the finding is about. */
const MOST_SHARES = 6;

/** "75 % (3/4) return 192.0.2.1", "25 % (1/4) fail" */
function sharesIn({ final, failed, unknown }: SortedOutcomes): readonly string[] {
  const parts = final.map((one) => `${percent(one.probability)} return ${finalWords(one)}`);
  if (failed.length > 0) parts.push(`${percent(totalShare(failed))} fail`);
  if (unknown.length > 0) parts.push(`${percent(totalShare(unknown))} were not examined`);
  return parts;
}

/** What differs for certain: what users get, or only how often. */
function difference(one: SortedOutcomes, other: SortedOutcomes): ReturnType<typeof sureDifference> {
  return sureDifference(sharesByContent(one), sharesByContent(other));
}

function sharesByContent({ final, failed, unknown }: SortedOutcomes): KnownShares {
  const known = new Map(final.map(({ end, probability }) => [finalKey(end), probability]));
  return { known: known.set('failed', totalShare(failed)), unknown: totalShare(unknown) };
}

/** The zones at which it matters whether a resolver goes on at the servers that the zone itself names. */
function decidingZones({ resolved }: WarmWalk, openZones: ReadonlySet<Name>): readonly Name[] {
  const { start, steps, view } = resolved;
  const passed = [...passedBy(start, steps)].reverse();
  const deciding = passed.filter((step) => {
    if (step.otherwise === undefined) return false;
    const learnt = view({ kind: 'step', step });
    const [a, b] = [learnt, view(step.otherwise)].map((one) => sortOutcomes(outcomesOf(one), openZones));
    return a !== undefined && b !== undefined && difference(a, b) !== 'nothing';
  });
  return [...new Set(deciding.map(({ delegation }) => delegation.zone))];
}
