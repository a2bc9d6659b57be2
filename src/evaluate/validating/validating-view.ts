import { Work } from '../../base/work.ts';
import { questionKey } from '../../dns/message.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { queryKey } from '../../exchange/query.ts';
import { delegationKey } from '../../explore/delegation.ts';
import type { NsSets } from '../../explore/main-walks.ts';
import { isUsable } from '../../explore/meaning.ts';
import { ABSTRACT_VALIDATING } from '../behaviours.ts';
import { type Outcome, outcomesOf } from '../distribution.ts';
import { type ResolverView, resolverView, resolverWalk } from '../resolver-view.ts';
import { type ExchangeVerdict, isValidated, type Step, type Walk } from '../step.ts';
import { bottomUp, inLookups, mainSteps } from '../step-order.ts';
import { TIMELESS } from '../visit/fold.ts';
import { withinWork } from '../within-work.ts';
import type { MainWalk } from '../world.ts';
import { explanations } from './insecure-zones.ts';
import { noteVerdict, verdictsAt } from './verdicts.ts';

/** What users behind a validating resolver get, on the cold walk: svc-model(7), VALIDATING. */
export interface ValidatingView {
  /** In the order of all outcomes; they sum to 1. */
  readonly outcomes: readonly Outcome[];
  /** By `queryKey`: what is made of each exchange. None for those that no resolver could use. */
  readonly verdicts: ReadonlyMap<string, ExchangeVerdict>;
  /** The steps that resolvers come to, those of lookups apart, each after all that it leads to. */
  readonly steps: readonly Step[];
  readonly walk: ProvingWalk;
}

/** A walk whose replies are proven. */
export interface ProvingWalk {
  readonly start: Walk;
  /** Where the lookups end that its steps need. */
  readonly lookups: ResolverView;
}

/** The walk of resolvers that demand proof, as far as the work goes, with the zones' own NS sets or without them. */
export function provingWalk(main: Pick<MainWalk, 'recording' | 'world'>, sets: NsSets): ProvingWalk {
  return withinWork({ ...main, start: { kind: 'validating', sets } }, ({ start, steps }, mostWork) => {
    const lookups = resolverView(inLookups(steps), mostWork);
    return lookups && { start, lookups };
  });
}

/** What is seen of a recording by resolvers that demand proof, beside what the cold main walk `cold` meets. */
export function viewOfValidators(
  { recording, world }: Pick<MainWalk, 'recording' | 'world'>,
  cold: Walk,
): ValidatingView | undefined {
  if (recording.scope.dnssec?.validation === undefined) return undefined;
  const { walk, folded, proving } = validatedWalk({ recording, world });
  const met = folded.met();
  const validated = [...new Set(walk.arrivals.filter((one) => met.has(one)).map(({ step }) => step))];
  return {
    outcomes: outcomesOf(folded.distribution),
    verdicts: verdictsOn(validated, proving.lookups, cold),
    steps: validated,
    walk: proving,
  };
}

/** The outcomes of that view alone, of a recording that was made to tell, in a world that may be imagined. */
export function validatedOutcomes(main: Pick<MainWalk, 'recording' | 'world'>): readonly Outcome[] {
  return outcomesOf(validatedWalk(main).folded.distribution);
}

function validatedWalk({ recording, world }: Pick<MainWalk, 'recording' | 'world'>) {
  const main = { recording, world, start: { kind: 'validating', sets: 'delegated' } } as const;
  return withinWork(main, ({ start, steps }, mostWork) => {
    const lookups = resolverView(inLookups(steps), mostWork);
    if (lookups === undefined) return undefined;
    const walk = resolverWalk(ABSTRACT_VALIDATING, start, { lookups, work: new Work(mostWork) });
    const folded = walk.folded(TIMELESS);
    return folded && { walk, folded, proving: { start, lookups } };
  });
}

function verdictsOn(
  steps: readonly Step[],
  lookups: ResolverView,
  cold: Walk,
): ReadonlyMap<string, ExchangeVerdict> {
  const validated = steps.filter(isValidated);
  const verdicts = new Map<string, ExchangeVerdict>();
  const explain = explanations(validated);
  for (const step of validated)
    for (const [exchange, verdict] of verdictsAt(step, lookups))
      noteVerdict(verdicts, exchange, explain(step, verdict));
  const known = new Set(validated.map(stepKey));
  const others = [...mainSteps(cold)].filter((step) => !known.has(stepKey(step)));
  for (const step of [...others, ...inLookups(bottomUp(cold))])
    for (const exchanged of usableAt(step)) noteVerdict(verdicts, queryKey(exchanged), { status: 'unknown' });
  return verdicts;
}

/** The same for steps of both views that put one question to the same servers. */
function stepKey({ delegation, question }: Step): string {
  const { zone, nameservers } = delegation;
  return `${delegationKey({ zone, nameservers })}\n${questionKey(question)}`;
}

function usableAt({ visits }: Step): readonly Exchanged[] {
  return [...visits.values()].flatMap((visit) =>
    visit.kind === 'asked' && isUsable(visit.meaning.kind) ? [visit.exchanged] : [],
  );
}
