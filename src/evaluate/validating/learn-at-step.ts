import { getOrMake } from '../../base/memo.ts';
import type { BogusReason } from '../../dns/dnssec/reasons.ts';
import type { SecureTrust, Trust } from '../../dns/dnssec/trust.ts';
import type { Provenance } from '../../dns/dnssec/verdict.ts';
import type { Question } from '../../dns/message.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { queryKey } from '../../exchange/query.ts';
import { meaningFor } from '../../explore/classify.ts';
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
import type {
  AddressOutcome,
  AddressOutcomes,
  ExchangeVerdict,
  LearningStage,
  NotedVerdict,
  StepServer,
  TimedOutcome,
  UsedReply,
} from '../step.ts';
import { type ServerState, STATES, type StepToValidate } from './step-to-validate.ts';

/** What a resolver learns at a step of the validating view, and what its replies come to then: svc-model(7), VALIDATING. */
export function learnAtStep(step: StepToValidate): LearningStage {
  return new StepLearner(step).start();
}

/** Needs whose questions have ended on the way, by their keys. */
type Stops = ReadonlySet<string>;

/** What comes next once something is learnt. */
type Next = (learnt: ProofKnowledge, stops: Stops) => LearningStage;

const NO_STOPS: Stops = new Set();

const NOTHING: LearningStage = { kind: 'reply', heard: { up: new Map(), down: new Map() } };

class StepLearner {
  readonly #step: StepToValidate;
  readonly #validator: ReplyValidator;
  /** For replies that were validated by the same knowledge just before. */
  readonly #again: ReplyValidator;

  constructor(step: StepToValidate) {
    this.#step = step;
    const { validation, plannedTrust, spend } = step;
    this.#validator = { validation, plannedTrust, spend };
    this.#again = { validation, plannedTrust, spend: () => undefined };
  }

  start(): LearningStage {
    const { trust } = this.#step;
    return trust.kind === 'insecure' ? this.#replies() : this.#keys(trust);
  }

  /** svc-model(7), VALIDATING 2. */
  #keys(trust: SecureTrust): LearningStage {
    const { zone, spend } = this.#step;
    const next = new Map<string, LearningStage>();
    const heard = this.#outcomes<LearningStage>({ name: zone, type: 'DNSKEY' }, (exchanged) => {
      spend(validationWork(exchanged));
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
    const { zone, question, spend } = this.#step;
    for (const { exchanged, state } of this.#exchanges(question)) {
      if (this.#step.isTooMuch()) return NOTHING;
      if (this.#isBeyondProof(exchanged, state)) continue;
      spend(validationWork(exchanged));
      const found = stepVerdict(exchanged, zone, learnt, this.#validator);
      if (found.kind === 'wants' && !stops.has(proofNeedKey(found.want)))
        return this.#lesson(found.want, learnt, stops, (more, ended) => this.#settle(more, ended));
    }
    return this.#step.isTooMuch() ? NOTHING : this.#replies(learnt);
  }

  /** svc-model(7), VALIDATING 3d to 3f. */
  #lesson(want: ProofNeed, learnt: ProofKnowledge, stops: Stops, next: Next): LearningStage {
    const { zone, spend } = this.#step;
    const question = proofQuestion(want);
    for (const { exchanged } of this.#exchanges(question)) {
      if (this.#step.isTooMuch()) return NOTHING;
      spend(validationWork(exchanged));
      const found = proofFactIn(want, exchanged, zone, learnt, this.#validator);
      if (found.kind === 'wants' && !stops.has(proofNeedKey(found.want)))
        return this.#lesson(found.want, learnt, stops, (more, ended) =>
          this.#lesson(want, more, ended, next),
        );
    }
    if (this.#step.isTooMuch()) return NOTHING;
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
      const found = proofFactIn(want, exchanged, this.#step.zone, learnt, this.#again);
      switch (found.kind) {
        case 'taught': {
          const lesson = this.#step.signs(want.name) ? found.lesson : unlessSigned(found.lesson);
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
    const { zone, soFar, meant, use } = this.#step;
    const meaning = meant(exchanged, state);
    if (!isUsable(meaning.kind)) return this.#unused(exchanged, 'no-proof');
    if (learnt === undefined || this.#isBeyondProof(exchanged, state)) {
      const trust = learnt === undefined ? undefined : this.#plannedTrust(meaning);
      const good = use({ exchanged, meaning, security: 'insecure', trust });
      return { kind: 'good', good, about: notedVerdict(exchanged, { status: 'insecure' }) };
    }
    const found = stepVerdict(exchanged, zone, learnt, this.#again);
    switch (found.kind) {
      case 'proven': {
        const { trust, security } = found;
        const isOwn = meaning === meaningFor(exchanged, zone);
        const good = use({
          exchanged,
          meaning: isOwn ? found.meaning : meaning,
          security: soFar === 'insecure' ? soFar : security,
          trust: this.#plannedTrust(meaning) ?? trust,
        });
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

  /** Whether a reply is used for something that it does not say itself, so that there is nothing to prove. */
  #isBeyondProof(exchanged: Exchanged, state: ServerState): boolean {
    const { zone, meant } = this.#step;
    return isChangedByPlan(meant(exchanged, state), meaningFor(exchanged, zone));
  }

  /** The trust in the zone of a referral, if its DS records are planned. */
  #plannedTrust(meaning: Meaning): Trust | undefined {
    return meaning.kind === 'referral' ? this.#step.plannedTrust(meaning.delegation.zone) : undefined;
  }

  /** What each address brings to a resolver that asks this. */
  #outcomes<Good>(
    question: Question,
    outcomeOf: (exchanged: Exchanged, state: ServerState) => AddressOutcome<Good>,
  ): AddressOutcomes<Good> {
    const { zone, picks, asked, end } = this.#step;
    const outcomes = {
      up: new Map<string, TimedOutcome<Good>>(),
      down: new Map<string, TimedOutcome<Good>>(),
    };
    for (const state of STATES) {
      for (const address of picks(state)) {
        const one = asked(address, question, state);
        if (one.kind === 'asked') {
          const { exchanged } = one;
          const { elapsedMs } = exchanged;
          outcomes[state].set(address, { ...outcomeOf(exchanged, state), elapsedMs });
        } else {
          const at = ({ name }: StepServer) => end({ ...one.why, question, zone, server: { name, address } });
          outcomes[state].set(address, { kind: 'limited', end: at, elapsedMs: 0 });
        }
      }
    }
    return outcomes;
  }

  /** The exchanges with the step's addresses that were made for a question. */
  #exchanges(question: Question): readonly { readonly exchanged: Exchanged; readonly state: ServerState }[] {
    const { picks, asked } = this.#step;
    return STATES.flatMap((state) =>
      [...picks(state)].flatMap((address) => {
        const one = asked(address, question, state);
        return one.kind === 'asked' ? [{ exchanged: one.exchanged, state }] : [];
      }),
    );
  }

  #bogus<Good>(exchanged: Exchanged, reason: BogusReason): AddressOutcome<Good> {
    const failure = this.#causeOf({ kind: 'bogus', reason });
    return { kind: 'bogus', failure, about: notedVerdict(exchanged, { status: 'bogus', reason }) };
  }

  /** An exchange of no use here; `reason`: where it would be of use for other purposes. */
  #unused<Good>(exchanged: Exchanged, reason: BogusReason): AddressOutcome<Good> {
    const meaning = meaningFor(exchanged, this.#step.zone);
    return {
      kind: 'unused',
      failure: this.#causeOf(isFailure(meaning) ? meaning : { kind: 'bogus', reason }),
    };
  }

  #causeOf(failure: FailedMeaning | { readonly kind: 'bogus'; readonly reason: BogusReason }): End {
    const { end, question, zone } = this.#step;
    return end({ ...failure, question, zone, server: null });
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
