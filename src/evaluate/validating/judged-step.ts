import type { Delegation } from '../../explore/delegation.ts';
import type { Meaning } from '../../explore/meaning.ts';
import type { Pausable } from '../../pausable.ts';
import { INSECURE, type Trust } from '../../validate/trust.ts';
import { answerWork } from '../answer-length.ts';
import type { DistinctEnds } from '../distinct-ends.ts';
import type { End } from '../end.ts';
import type { JudgedStep, Onward, TakenReply, Visit, Walk } from '../step.ts';
import type { Opening } from '../unfolding/opening.ts';
import { walkAfter } from '../visit.ts';
import type { JudgedOpening, ServerState, Use } from './judged-opening.ts';
import { judging } from './judging.ts';

/** The addresses that there are to pick from at a step, under the names of servers that are up, and of those that are not. */
export type Picks = Readonly<Record<ServerState, ReadonlySet<string>>>;

/** What unfolding does for a step of the validating view. */
interface JudgedUnfolding
  extends Pick<JudgedOpening, 'validation' | 'asked' | 'meant' | 'spend' | 'isTooMuch'> {
  readonly picks: Picks;
  readonly ends: DistinctEnds;
  /** Where a path goes on after a reply with this meaning; `trust`: in the zone that a referral leads to. */
  readonly onward: (opening: Opening, meaning: Meaning, trust: Trust) => Pausable<Onward>;
}

/** Judges all that replies at a step can come to: svc-model(7), VALIDATING. */
export function* judgedStep(
  opening: Opening,
  delegation: Delegation,
  unfolding: JudgedUnfolding,
): Pausable<JudgedStep> {
  const { question, chain, role } = opening;
  const { zone } = chain.delegation;
  const { ends, picks, ...tools } = unfolding;
  const walks = new Set<Walk>();
  const learning = yield* judging({
    ...tools,
    zone,
    question,
    trust: delegation.trust ?? INSECURE,
    soFar: role.kind === 'validating' ? role.soFar : 'insecure',
    picks: (state) => picks[state],
    use: (use) => takenReply(use, { opening, delegation, unfolding, walks }),
    end: (end) => ends.like(end),
  });
  const servfail = (cause: End) => ends.like({ kind: 'servfail', question, zone, server: null, cause });
  return { learning, walks, servfail };
}

interface UsedAt {
  readonly opening: Opening;
  readonly delegation: Delegation;
  readonly unfolding: JudgedUnfolding;
  /** Where paths go on from the step: what is found is added. */
  readonly walks: Set<Walk>;
}

function* takenReply(
  { exchanged, meaning, security, trust }: Use,
  { opening, delegation, unfolding, walks }: UsedAt,
): Pausable<TakenReply> {
  const proven = { ...opening, role: { kind: 'validating', soFar: security } } as const;
  const onward = yield* unfolding.onward(proven, meaning, trust ?? INSECURE);
  const visit: Visit = { kind: 'asked', exchanged, meaning, onward };
  yield* unfolding.spend(answerWork(visit));
  const walk = walkAfter(visit);
  if (walk !== undefined) walks.add(walk);
  return { visit, ends: unfolding.ends.at(delegation, opening.question, security) };
}
