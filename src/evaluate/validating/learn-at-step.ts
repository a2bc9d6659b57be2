import type { SecureTrust } from '../../dns/dnssec/trust.ts';
import type { BogusReason } from '../../dns/dnssec/verdict.ts';
import type { Question } from '../../dns/message.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { queryKey } from '../../exchange/query.ts';
import { meaningFor } from '../../explore/classify.ts';
import { isUsable } from '../../explore/meaning.ts';
import { isChangedByPlan } from '../../explore/planned-delegations.ts';
import {
  knowledgeWithout,
  ProofKnowledge,
  type ProofNeed,
  proofFactKey,
  proofNeedKey,
  proofQuestion,
} from '../../explore/validating/knowledge.ts';
import {
  keysInReply,
  proofFactIn,
  type ReplyValidator,
  stepVerdict,
} from '../../explore/validating/reply-verdict.ts';
import { validationWork } from '../../explore/validating/validated-steps.ts';
import type { AddressOutcome, LearningStage, UsedReply } from '../step.ts';
import {
  AddressOutcomeCollector,
  type AskedAddress,
  notedVerdict,
  type ServerState,
  STATES,
  type StepToValidate,
  UselessReplies,
} from './address-outcomes.ts';

/** What a resolver learns at a step of the validating view, and what its replies come to then. */
export function learnAtStep(opening: StepToValidate): LearningStage {
  return new StepLearner(opening).start();
}

/** Wants that ended on the way, by their keys. */
type Stops = ReadonlySet<string>;

/** What comes next once something is learnt. */
type Next = (learnt: ProofKnowledge, stops: Stops) => LearningStage;

const NO_STOPS: Stops = new Set();

const NOTHING: LearningStage = { kind: 'reply', heard: { up: new Map(), down: new Map() } };

class StepLearner {
  readonly #at: StepToValidate;
  readonly #troubles: UselessReplies;
  readonly #judge: ReplyValidator;

  constructor(opening: StepToValidate) {
    const { validation, spend } = opening;
    this.#at = opening;
    this.#troubles = new UselessReplies(opening);
    this.#judge = { validation, spend };
  }

  start(): LearningStage {
    const { trust } = this.#at;
    return trust.kind === 'insecure' ? this.#replies() : this.#keys(trust);
  }

  /** svc-model(7), VALIDATING 2. */
  #keys(trust: SecureTrust): LearningStage {
    const { zone } = this.#at;
    const heard = new AddressOutcomeCollector<LearningStage>();
    const next = new Map<string, LearningStage>();
    for (const one of this.#each({ name: zone, type: 'DNSKEY' })) {
      if (one.asked.kind === 'not-asked') {
        heard.put(one, this.#troubles.limited(one, one.asked.why));
        continue;
      }
      const { exchanged } = one.asked;
      this.#at.spend(validationWork(exchanged));
      const found = keysInReply(exchanged, zone, trust, this.#judge);
      switch (found.kind) {
        case 'keys': {
          const { keys } = found;
          const known = next.get(keys.id) ?? this.#settle(ProofKnowledge.of(keys), NO_STOPS);
          next.set(keys.id, known);
          heard.put(one, { kind: 'good', good: known, about: notedVerdict(exchanged, { status: 'secure' }) });
          break;
        }
        case 'bogus':
          heard.put(one, this.#troubles.bogus(exchanged, found.reason));
          break;
        case 'unused':
          heard.put(one, { kind: 'unused', failure: this.#troubles.failure(exchanged, 'no-keys') });
      }
    }
    return { kind: 'keys', heard };
  }

  /** Learns whatever some reply waits for, until none does. */
  #settle(learnt: ProofKnowledge, stops: Stops): LearningStage {
    if (this.#at.isTooMuch()) return NOTHING;
    const { zone, question } = this.#at;
    for (const one of this.#each(question)) {
      if (one.asked.kind === 'not-asked') continue;
      const { exchanged } = one.asked;
      if (this.#isBeyondProof(exchanged, one.state)) continue;
      this.#at.spend(validationWork(exchanged));
      const found = stepVerdict(exchanged, zone, learnt, this.#judge);
      if (found.kind === 'wants' && !stops.has(proofNeedKey(found.want)))
        return this.#lesson(found.want, learnt, stops, (more, ended) => this.#settle(more, ended));
    }
    return this.#replies(learnt);
  }

  /** svc-model(7), VALIDATING 3d to 3f. */
  #lesson(want: ProofNeed, learnt: ProofKnowledge, stops: Stops, next: Next): LearningStage {
    if (this.#at.isTooMuch()) return NOTHING;
    const { zone } = this.#at;
    const question = proofQuestion(want);
    for (const { asked } of this.#each(question)) {
      if (asked.kind === 'not-asked') continue;
      this.#at.spend(validationWork(asked.exchanged));
      const found = proofFactIn(want, asked.exchanged, zone, learnt, this.#judge);
      if (found.kind === 'wants' && !stops.has(proofNeedKey(found.want)))
        return this.#lesson(found.want, learnt, stops, (more, ended) =>
          this.#lesson(want, more, ended, next),
        );
    }
    const heard = new AddressOutcomeCollector<LearningStage>();
    const after = new Map<string, LearningStage>();
    for (const one of this.#each(question)) {
      if (one.asked.kind === 'not-asked') {
        heard.put(one, this.#troubles.limited(one, one.asked.why));
        continue;
      }
      const { exchanged } = one.asked;
      const found = proofFactIn(want, exchanged, zone, learnt, this.#judge);
      switch (found.kind) {
        case 'taught': {
          const { lesson, security } = found;
          const key = proofFactKey(lesson);
          const known = after.get(key) ?? next(learnt.with(want, lesson), stops);
          after.set(key, known);
          heard.put(one, { kind: 'good', good: known, about: notedVerdict(exchanged, { status: security }) });
          break;
        }
        case 'bogus':
          heard.put(one, this.#troubles.bogus(exchanged, found.reason));
          break;
        case 'wants':
          heard.put(one, { kind: 'stopped', by: proofNeedKey(found.want), exchange: queryKey(exchanged) });
          break;
        case 'unused':
          heard.put(one, { kind: 'unused', failure: this.#troubles.failure(exchanged, reasonWithout(want)) });
      }
    }
    const stopped = next(learnt, new Set([...stops, proofNeedKey(want)]));
    const failed = knowledgeWithout(want, learnt);
    if (failed === undefined) return { kind: 'lesson', want, heard, stopped };
    return { kind: 'lesson', want, heard, stopped, failed: next(failed, stops) };
  }

  /** What each reply comes to; without keys in an insecure zone. */
  #replies(learnt?: ProofKnowledge): LearningStage {
    const { question } = this.#at;
    const heard = new AddressOutcomeCollector<UsedReply>();
    for (const one of this.#each(question)) {
      const brought: AddressOutcome<UsedReply> =
        one.asked.kind === 'not-asked'
          ? this.#troubles.limited(one, one.asked.why)
          : this.#reply(one.asked.exchanged, one.state, learnt);
      heard.put(one, brought);
    }
    return { kind: 'reply', heard };
  }

  #reply(
    exchanged: Exchanged,
    state: ServerState,
    learnt: ProofKnowledge | undefined,
  ): AddressOutcome<UsedReply> {
    const { zone, soFar, meant, use } = this.#at;
    const meaning = meant(exchanged, state);
    if (!isUsable(meaning.kind))
      return { kind: 'unused', failure: this.#troubles.failure(exchanged, 'no-proof') };
    if (learnt === undefined || this.#isBeyondProof(exchanged, state)) {
      const good = use({ exchanged, meaning, security: 'insecure', trust: undefined });
      return { kind: 'good', good, about: notedVerdict(exchanged, { status: 'insecure' }) };
    }
    const found = stepVerdict(exchanged, zone, learnt, this.#judge);
    switch (found.kind) {
      case 'proven': {
        const { trust, cutOff, security } = found;
        const isOwn = meaning === meaningFor(exchanged, zone);
        const good = use({
          exchanged,
          meaning: isOwn ? found.meaning : meaning,
          security: soFar === 'insecure' ? soFar : security,
          trust,
        });
        const verdict =
          cutOff === undefined ? { status: security } : ({ status: 'bogus', reason: cutOff.reason } as const);
        return { kind: 'good', good, about: notedVerdict(exchanged, verdict) };
      }
      case 'bogus':
        return this.#troubles.bogus(exchanged, found.reason);
      case 'wants':
        return { kind: 'stopped', by: proofNeedKey(found.want), exchange: queryKey(exchanged) };
      case 'unused':
        return { kind: 'unused', failure: this.#troubles.failure(exchanged, 'no-proof') };
    }
  }

  /** Whether a reply is used for what it does not say itself, so that there is nothing to prove. */
  #isBeyondProof(exchanged: Exchanged, state: ServerState): boolean {
    const { zone, meant } = this.#at;
    return isChangedByPlan(meant(exchanged, state), meaningFor(exchanged, zone));
  }

  *#each(question: Question): Generator<AskedAddress> {
    const { picks, asked } = this.#at;
    for (const state of STATES)
      for (const address of picks(state))
        yield { state, address, asked: asked(address, question, state), question };
  }
}

/** What is wrong with a reply that is no answer to what is wanted, though of use for other purposes. */
function reasonWithout({ kind }: ProofNeed): BogusReason {
  return kind === 'keys' ? 'no-keys' : 'no-proof';
}
