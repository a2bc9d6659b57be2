import { getOrMake } from '../../base/memo.ts';
import type { BogusReason } from '../../dns/dnssec/reasons.ts';
import { INSECURE, type SecureTrust, type Trust } from '../../dns/dnssec/trust.ts';
import type { Validation } from '../../dns/dnssec/validation.ts';
import type { Provenance, Security } from '../../dns/dnssec/verdict.ts';
import type { Question } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { queryKey } from '../../exchange/query.ts';
import { meaningFor } from '../../explore/classify.ts';
import type { Delegation } from '../../explore/delegation.ts';
import type { StepRole } from '../../explore/main-walks.ts';
import { type FailedMeaning, isFailure, isUsable, type Meaning } from '../../explore/meaning.ts';
import { isChangedByPlan } from '../../explore/planned-delegations.ts';
import {
  knowledgeWithout,
  ProofKnowledge,
  type ProofNeed,
  proofFactKey,
  proofNeedKey,
  proofQuestion,
  unlessSigned,
} from '../../explore/proof-knowledge.ts';
import {
  keysInReply,
  type Proven,
  proofFactIn,
  type ReplyValidator,
  stepVerdict,
  validationWork,
} from '../../explore/reply-verdict.ts';
import type { End } from '../end.ts';
import {
  type AddressOutcome,
  type AddressOutcomes,
  type ExchangeVerdict,
  type LearningStage,
  type NotedVerdict,
  type Onward,
  type ServerState,
  STATES,
  type StepServer,
  type TimedOutcome,
  type UsedReply,
  type ValidatedReferral,
  type ValidatedStep,
  type Walk,
  walkAfter,
} from '../step.ts';
import type { DistinctEnds } from '../unfolding/distinct-ends.ts';
import type { Replies } from '../unfolding/replies.ts';
import { answerWork, type StepInProgress, type Unfolder } from '../unfolding/unfold-visits.ts';

/** What a resolver learns at a step, and what its replies come to then: svc-model(7), VALIDATING. */
export function validatedStep(current: StepToValidate, tools: ValidatingTools): ValidatedStep {
  const { question, delegation } = current;
  const { zone } = delegation;
  const learner = new StepLearner(current, tools);
  const learning = learner.start();
  const servfail = (cause: End) => tools.ends.like({ kind: 'servfail', question, zone, server: null, cause });
  return { learning, walks: learner.walks, referrals: learner.referrals, servfail };
}

interface StepToValidate extends StepInProgress {
  readonly role: Extract<StepRole, { kind: 'validating' }>;
  readonly delegation: Delegation;
  /** The addresses that there are to pick from. */
  readonly picks: Readonly<Record<ServerState, ReadonlySet<string>>>;
}

/** What the unfolding does for a step of the validating view. */
interface ValidatingTools {
  readonly validation: Validation;
  readonly replies: Replies;
  readonly ends: DistinctEnds;
  readonly unfolder: Unfolder;
  /** Where a path goes on after a reply with this meaning; `trust`: in the zone that a referral leads to. */
  readonly onward: (current: StepInProgress, meaning: Meaning, trust: Trust) => Onward;
}

/** Needs whose questions have ended on the way, by their keys. */
type Stops = ReadonlySet<string>;

/** What comes next once something is learnt. */
type Next = (learnt: ProofKnowledge, stops: Stops) => LearningStage;

const NO_STOPS: Stops = new Set();

const NOTHING: LearningStage = { kind: 'reply', heard: { up: new Map(), down: new Map() } };

class StepLearner {
  /** Where paths go on from here. */
  readonly walks = new Set<Walk>();
  readonly referrals: ValidatedReferral[] = [];
  readonly #step: StepToValidate;
  readonly #tools: ValidatingTools;
  readonly #zone: Name;
  /** Those to the step's question, once planned changes are made. */
  readonly #own: Readonly<Record<ServerState, ReturnType<Replies['at']>>>;
  readonly #validator: ReplyValidator;
  /** For replies that were validated by the same knowledge just before. */
  readonly #again: ReplyValidator;

  constructor(step: StepToValidate, tools: ValidatingTools) {
    this.#step = step;
    this.#tools = tools;
    this.#zone = step.delegation.zone;
    const { validation, replies, unfolder } = tools;
    const { question, picks } = step;
    const repliesOf = (state: ServerState) =>
      replies.at({ zone: this.#zone, question, state }, [...picks[state]]);
    this.#own = { up: repliesOf('up'), down: repliesOf('down') };
    const plannedTrust = (zone: Name) => replies.plannedTrust(zone);
    this.#validator = { validation, plannedTrust, spend: (steps) => unfolder.spend(steps) };
    this.#again = { validation, plannedTrust, spend: () => undefined };
  }

  start(): LearningStage {
    const { trust = INSECURE } = this.#step.delegation;
    return trust.kind === 'insecure' ? this.#replies() : this.#keys(trust);
  }

  /** svc-model(7), VALIDATING 2. */
  #keys(trust: SecureTrust): LearningStage {
    const zone = this.#zone;
    const next = new Map<string, LearningStage>();
    const heard = this.#outcomes<LearningStage>({ name: zone, type: 'DNSKEY' }, (exchanged) => {
      this.#validator.spend(validationWork(exchanged));
      const found = keysInReply(exchanged, zone, trust, this.#validator);
      switch (found.kind) {
        case 'keys': {
          const { keys } = found;
          const good = getOrMake(next, keys.id, () => this.#settle(ProofKnowledge.of(keys), NO_STOPS));
          return { kind: 'good', good, about: notedVerdict(exchanged, { status: 'secure' }) };
        }
        case 'bogus':
          return this.#bogus(exchanged, found.reason);
        case 'unused':
          return this.#unused(exchanged, 'no-keys');
      }
    });
    return { kind: 'keys', heard };
  }

  /** Learns whatever some reply waits for, until none does. */
  #settle(learnt: ProofKnowledge, stops: Stops): LearningStage {
    for (const { exchanged, state } of this.#exchanges(this.#step.question)) {
      if (this.#isTooMuch) return NOTHING;
      if (this.#isBeyondProof(exchanged, state)) continue;
      this.#validator.spend(validationWork(exchanged));
      const found = stepVerdict(exchanged, this.#zone, learnt, this.#validator);
      if (found.kind === 'wants' && !stops.has(proofNeedKey(found.want)))
        return this.#lesson(found.want, learnt, stops, (more, ended) => this.#settle(more, ended));
    }
    return this.#isTooMuch ? NOTHING : this.#replies(learnt);
  }

  /** svc-model(7), VALIDATING 3d to 3f. */
  #lesson(want: ProofNeed, learnt: ProofKnowledge, stops: Stops, next: Next): LearningStage {
    const question = proofQuestion(want);
    for (const { exchanged } of this.#exchanges(question)) {
      if (this.#isTooMuch) return NOTHING;
      this.#validator.spend(validationWork(exchanged));
      const found = proofFactIn(want, exchanged, this.#zone, learnt, this.#validator);
      if (found.kind === 'wants' && !stops.has(proofNeedKey(found.want)))
        return this.#lesson(found.want, learnt, stops, (more, ended) =>
          this.#lesson(want, more, ended, next),
        );
    }
    if (this.#isTooMuch) return NOTHING;
    const heard = this.#lessons(want, learnt, (more) => next(more, stops));
    const stopped = next(learnt, new Set([...stops, proofNeedKey(want)]));
    const failed = knowledgeWithout(want, learnt);
    if (failed === undefined) return { kind: 'lesson', want, heard, stopped };
    return { kind: 'lesson', want, heard, stopped, failed: next(failed, stops) };
  }

  /** What each address teaches about this. */
  #lessons(
    want: ProofNeed,
    learnt: ProofKnowledge,
    next: (more: ProofKnowledge) => LearningStage,
  ): AddressOutcomes<LearningStage> {
    const after = new Map<string, LearningStage>();
    return this.#outcomes(proofQuestion(want), (exchanged) => {
      const found = proofFactIn(want, exchanged, this.#zone, learnt, this.#again);
      switch (found.kind) {
        case 'taught': {
          const lesson = this.#tools.replies.areSignedBy(want.name)
            ? found.lesson
            : unlessSigned(found.lesson);
          const good = getOrMake(after, proofFactKey(lesson), () => next(learnt.with(want, lesson)));
          return { kind: 'good', good, about: notedVerdict(exchanged, verdictBy(found.proof)) };
        }
        case 'bogus':
          return this.#bogus(exchanged, found.reason);
        case 'wants':
          return { kind: 'stopped', by: proofNeedKey(found.want), exchange: queryKey(exchanged) };
        case 'unused':
          return this.#unused(exchanged, want.kind === 'keys' ? 'no-keys' : 'no-proof');
      }
    });
  }

  /** What each reply comes to; without keys in an insecure zone. */
  #replies(learnt?: ProofKnowledge): LearningStage {
    const heard = this.#outcomes<UsedReply>(this.#step.question, (exchanged, state) =>
      this.#reply(exchanged, state, learnt),
    );
    return { kind: 'reply', heard, ...(learnt && { learnt }) };
  }

  #reply(
    exchanged: Exchanged,
    state: ServerState,
    learnt: ProofKnowledge | undefined,
  ): AddressOutcome<UsedReply> {
    const meaning = this.#own[state].meant(exchanged);
    if (!isUsable(meaning.kind)) return this.#unused(exchanged, 'no-proof');
    if (learnt === undefined || this.#isBeyondProof(exchanged, state)) {
      const trust = learnt === undefined ? undefined : this.#plannedTrust(meaning);
      const good = this.#used(exchanged, meaning, 'insecure', trust);
      return { kind: 'good', good, about: notedVerdict(exchanged, { status: 'insecure' }) };
    }
    const found = stepVerdict(exchanged, this.#zone, learnt, this.#again);
    switch (found.kind) {
      case 'proven': {
        const isOwn = meaning === meaningFor(exchanged, this.#zone);
        const trust = this.#plannedTrust(meaning) ?? found.trust;
        const good = this.#used(exchanged, isOwn ? found.meaning : meaning, found.security, trust);
        return { kind: 'good', good, about: notedVerdict(exchanged, provenVerdict(found)) };
      }
      case 'bogus':
        return this.#bogus(exchanged, found.reason);
      case 'wants':
        return { kind: 'stopped', by: proofNeedKey(found.want), exchange: queryKey(exchanged) };
      case 'unused':
        return this.#unused(exchanged, 'no-proof');
    }
  }

  /** What a reply that may be used comes to; `trust`: in the zone that a referral leads to. */
  #used(exchanged: Exchanged, meaning: Meaning, own: Security, trust: Trust | undefined): UsedReply {
    const { delegation, question, role } = this.#step;
    const { ends, unfolder } = this.#tools;
    const security = role.soFar === 'insecure' ? role.soFar : own;
    const proven = { ...this.#step, role: { ...role, soFar: security } };
    const onward = this.#tools.onward(proven, meaning, trust ?? INSECURE);
    const visit = { kind: 'asked', exchanged, meaning, onward } as const;
    unfolder.spend(answerWork(visit));
    const walk = walkAfter(visit);
    if (walk !== undefined) {
      this.walks.add(walk);
      const why = trust?.kind === 'insecure' ? trust.why : undefined;
      if (meaning.kind === 'referral') this.referrals.push({ walk, ...(why && { why }) });
    }
    return { visit, ends: ends.at(delegation, question, security) };
  }

  /** Whether a reply is used for something that it does not say itself, so that there is nothing to prove. */
  #isBeyondProof(exchanged: Exchanged, state: ServerState): boolean {
    return isChangedByPlan(this.#own[state].meant(exchanged), meaningFor(exchanged, this.#zone));
  }

  /** The trust in the zone of a referral, if its DS records are planned. */
  #plannedTrust(meaning: Meaning): Trust | undefined {
    return meaning.kind === 'referral' ? this.#validator.plannedTrust(meaning.delegation.zone) : undefined;
  }

  /** What each address brings to a resolver that asks this. */
  #outcomes<Good>(
    question: Question,
    outcomeOf: (exchanged: Exchanged, state: ServerState) => AddressOutcome<Good>,
  ): AddressOutcomes<Good> {
    const outcomes = {
      up: new Map<string, TimedOutcome<Good>>(),
      down: new Map<string, TimedOutcome<Good>>(),
    };
    for (const { address, state, result } of this.#asked(question))
      if (result.kind === 'asked') {
        const { elapsedMs } = result.exchanged;
        outcomes[state].set(address, { ...outcomeOf(result.exchanged, state), elapsedMs });
      } else {
        const at = { ...result.why, question, zone: this.#zone };
        const end = ({ name }: StepServer) => this.#tools.ends.like({ ...at, server: { name, address } });
        outcomes[state].set(address, { kind: 'limited', end, elapsedMs: 0 });
      }
    return outcomes;
  }

  /** The exchanges with the step's addresses that were made for a question. */
  #exchanges(question: Question): readonly { readonly exchanged: Exchanged; readonly state: ServerState }[] {
    return this.#asked(question).flatMap(({ result, state }) =>
      result.kind === 'asked' ? [{ exchanged: result.exchanged, state }] : [],
    );
  }

  #asked(question: Question) {
    const { replies } = this.#tools;
    return STATES.flatMap((state) =>
      [...this.#step.picks[state]].map((address) => {
        return { address, state, result: replies.asked(address, question, state) };
      }),
    );
  }

  get #isTooMuch(): boolean {
    return this.#tools.unfolder.isTooMuch;
  }

  #bogus<Good>(exchanged: Exchanged, reason: BogusReason): AddressOutcome<Good> {
    const failure = this.#causeOf({ kind: 'bogus', reason });
    return { kind: 'bogus', failure, about: notedVerdict(exchanged, { status: 'bogus', reason }) };
  }

  /** An exchange of no use here; `reason`: where it would be of use for other purposes. */
  #unused<Good>(exchanged: Exchanged, reason: BogusReason): AddressOutcome<Good> {
    const meaning = meaningFor(exchanged, this.#zone);
    return {
      kind: 'unused',
      failure: this.#causeOf(isFailure(meaning) ? meaning : { kind: 'bogus', reason }),
    };
  }

  #causeOf(failure: FailedMeaning | { readonly kind: 'bogus'; readonly reason: BogusReason }): End {
    const { question } = this.#step;
    return this.#tools.ends.like({ ...failure, question, zone: this.#zone, server: null });
  }
}

function provenVerdict(found: Proven): ExchangeVerdict {
  const { why, meaning, trust } = found;
  // A referral without proof is what its DS question brings.
  const isUnsigned = meaning.kind === 'referral' && trust?.kind === 'insecure';
  return isUnsigned && why !== undefined ? { status: 'insecure', why } : verdictBy(found);
}

function verdictBy({ security, why }: Provenance): ExchangeVerdict {
  if (security === 'secure') return { status: security };
  return why === undefined ? { status: security } : { status: security, why };
}

function notedVerdict(exchanged: Exchanged, verdict: ExchangeVerdict): NotedVerdict {
  return { exchange: queryKey(exchanged), verdict };
}
