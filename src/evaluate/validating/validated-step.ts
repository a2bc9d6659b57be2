import { INSECURE, type Trust } from '../../dns/dnssec/trust.ts';
import type { Delegation } from '../../explore/delegation.ts';
import type { StepRole } from '../../explore/main-walks.ts';
import type { Meaning } from '../../explore/meaning.ts';
import type { End } from '../end.ts';
import {
  type Onward,
  type StepEnds,
  type UsedReply,
  type ValidatedReferral,
  type ValidatedStep,
  type Visit,
  type Walk,
  walkAfter,
} from '../step.ts';
import type { DistinctEnds } from '../unfolding/distinct-ends.ts';
import { answerWork, type StepInProgress } from '../unfolding/unfold-visits.ts';
import { learnAtStep } from './learn-at-step.ts';
import type { ServerState, StepToValidate, UsableReply } from './step-to-validate.ts';

/** Validates everything that replies at a step can come to: svc-model(7), VALIDATING. */
export function validatedStep(
  current: StepInProgress & { readonly role: ValidatingRole },
  delegation: Delegation,
  unfolding: UnfoldingTools,
): ValidatedStep {
  const { question, chain, role } = current;
  const { zone } = chain.delegation;
  const { ends, picks, ...tools } = unfolding;
  const taken: Taken[] = [];
  const learning = learnAtStep({
    ...tools,
    zone,
    question,
    trust: delegation.trust ?? INSECURE,
    soFar: role.soFar,
    picks: (state) => picks[state],
    use: (use) => {
      const reply = new Taken(use, ends.at(delegation, question, use.security));
      taken.push(reply);
      return reply;
    },
    end: (end) => ends.like(end),
  });
  const walks = new Set<Walk>();
  const referrals: ValidatedReferral[] = [];
  for (const reply of taken) {
    const { meaning, security, trust } = reply.use;
    const proven = { ...current, role: { ...role, soFar: security } };
    reply.goesOn(unfolding.onward(proven, meaning, trust ?? INSECURE));
    unfolding.spend(answerWork(reply.visit));
    const walk = walkAfter(reply.visit);
    if (walk === undefined) continue;
    walks.add(walk);
    const why = trust?.kind === 'insecure' ? trust.why : undefined;
    if (meaning.kind === 'referral') referrals.push({ walk, ...(why && { why }) });
  }
  const servfail = (cause: End) => ends.like({ kind: 'servfail', question, zone, server: null, cause });
  return { learning, walks, referrals, servfail };
}

type ValidatingRole = Extract<StepRole, { kind: 'validating' }>;

/** The addresses that there are to pick from at a step, under the names of servers that are up, and of those that are not. */
export type Picks = Readonly<Record<ServerState, ReadonlySet<string>>>;

/** What unfolding does for a step of the validating view. */
interface UnfoldingTools
  extends Pick<
    StepToValidate,
    'validation' | 'plannedTrust' | 'asked' | 'meant' | 'signs' | 'spend' | 'isTooMuch'
  > {
  readonly picks: Picks;
  readonly ends: DistinctEnds;
  /** Where a path goes on after a reply with this meaning; `trust`: in the zone that a referral leads to. */
  readonly onward: (current: StepInProgress, meaning: Meaning, trust: Trust) => Onward;
}

/** A reply that is used. Where paths go on after it is known only once that has been unfolded. */
class Taken implements UsedReply {
  readonly use: UsableReply;
  readonly ends: StepEnds;
  #onward: Onward | undefined;

  constructor(use: UsableReply, ends: StepEnds) {
    this.use = use;
    this.ends = ends;
  }

  goesOn(onward: Onward): void {
    this.#onward = onward;
  }

  get visit(): Visit {
    const { exchanged, meaning } = this.use;
    if (this.#onward === undefined) throw new Error('nothing has been unfolded behind a reply');
    return { kind: 'asked', exchanged, meaning, onward: this.#onward };
  }
}
