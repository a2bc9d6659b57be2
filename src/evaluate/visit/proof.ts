/* The replies of a zone's servers as a resolver product that validates sees them, address by address. */

import { getOrMake } from '../../base/memo.ts';
import type { BogusReason } from '../../dns/dnssec/reasons.ts';
import type { Name } from '../../dns/name.ts';
import type { Records } from '../../dns/record.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { serversKey } from '../../explore/delegation.ts';
import { plannedTrust } from '../../explore/planned-zones.ts';
import type { ProofKnowledge } from '../../explore/proof-knowledge.ts';
import type { Recording } from '../../explore/recording.ts';
import { type ReplyValidator, stepVerdict } from '../../explore/reply-verdict.ts';
import type { End } from '../end.ts';
import { divide, type Fraction, ONE, sum } from '../fraction.ts';
import {
  type AddressOutcomes,
  isValidated,
  type LearningStage,
  type ReplyStage,
  type ServerState,
  type Step,
  type TimedOutcome,
  type UsedReply,
  type ValidatedStep,
  type Walk,
  walkAfter,
} from '../step.ts';
import type { DrawTools } from './draw.ts';
import { learnAt } from './knowledge.ts';

/** The proofs of one walk: those of equal steps are the same object. */
export class ZoneProofs {
  readonly #recording: Recording;
  readonly lookups: DrawTools['lookups'];
  readonly #wanted = new Map<Step, ZoneProof>();
  readonly #known = new Map<Step, ZoneProof>();

  /** `lookups`: where lookups end that the steps of the validating walk need. */
  constructor(recording: Recording, lookups: DrawTools['lookups']) {
    this.#recording = recording;
    this.lookups = lookups;
  }

  /**
   * The proof at a step of a validating walk, for a resolver that knows the keys of its zone or wants them. Undefined
   * where no step stands for what is proven.
   */
  at(walk: Walk | undefined, keys: 'known' | 'wanted'): ZoneProof | undefined {
    if (walk?.kind !== 'step') return undefined;
    const { step } = walk;
    const proofs = keys === 'known' ? this.#known : this.#wanted;
    return getOrMake(proofs, step, () => new ZoneProof(step, keys, this));
  }

  /** The answer section of this exchange. */
  answerOf(exchange: string): Records {
    const outcome = this.#recording.exchanges.get(exchange)?.outcome;
    return outcome?.kind === 'reply' ? outcome.answer : [];
  }

  validator(spend: ReplyValidator['spend']): ReplyValidator | undefined {
    const { dnssec, plannedDs } = this.#recording.scope;
    const { validation } = dnssec ?? {};
    return validation && { validation, spend, plannedTrust: (zone) => plannedTrust(zone, plannedDs) };
  }
}

/** The proof at a step: by what a resolver has learnt there, or by whatever it may learn, of which the best verdict counts. */
export class ZoneProof {
  /** The replies to the question for the zone's keys. Undefined: they are known, or the zone is insecure. */
  readonly keys: AddressOutcomes<unknown> | undefined;
  readonly #replies: readonly AddressOutcomes<UsedReply>[];
  readonly #learnt: readonly ProofKnowledge[];
  /** Nothing is proven of the reply to an apex question. */
  readonly #validated: ValidatedStep | undefined;
  readonly #step: Step;
  /** Whether the zone has keys. */
  readonly isSigned: boolean;
  readonly #all: ZoneProofs;
  readonly #keys: 'known' | 'wanted';
  /** All that a resolver may come to; none of one that has drawn. */
  readonly #stages: readonly ReplyStage[];
  readonly #knowing = new Map<ReplyStage, ZoneProof>();

  constructor(step: Step, keys: 'known' | 'wanted', all: ZoneProofs, knowing?: ReplyStage) {
    this.#step = step;
    this.#keys = keys;
    this.#validated = step.validated;
    const learning = step.validated?.learning;
    this.keys = learning?.kind === 'keys' && keys === 'wanted' ? learning.heard : undefined;
    this.isSigned = learning?.kind === 'keys';
    this.#stages = knowing === undefined && learning !== undefined ? repliesAfter(learning) : [];
    const stages = knowing === undefined ? this.#stages : [knowing];
    this.#replies = stages.map(({ heard }) => heard);
    this.#learnt = stages.flatMap(({ learnt }) => learnt ?? []);
    this.#all = all;
  }

  /** The same for each knowledge that a resolver may have drawn that has the zone's keys; the weights sum to 1. */
  drawn(work: DrawTools['work']): readonly { readonly weight: Fraction; readonly proof: ZoneProof }[] {
    const step = this.#step;
    if (this.#stages.length < 2 || !isValidated(step)) return [{ weight: ONE, proof: this }];
    const { known } = learnAt(step, { work, lookups: this.#all.lookups });
    const whole = sum(known.map(({ weight }) => weight));
    if (whole.numerator === 0n) return [{ weight: ONE, proof: this }];
    return known.map(({ weight, stage }) => ({ weight: divide(weight, whole), proof: this.#by(stage) }));
  }

  /** By each knowledge that a resolver may come to. */
  get each(): readonly ZoneProof[] {
    return this.#stages.length < 2 ? [this] : [this, ...this.#stages.map((stage) => this.#by(stage))];
  }

  #by(stage: ReplyStage): ZoneProof {
    return getOrMake(this.#knowing, stage, () => new ZoneProof(this.#step, this.#keys, this.#all, stage));
  }

  /**
   * The best verdict on the reply of an address to the whole name. `unprovable`: the zone has no keys to prove it by;
   * undefined: nobody comes to ask there.
   */
  reply(
    state: ServerState,
    address: string,
  ): TimedOutcome<UsedReply> | { readonly kind: 'unprovable' } | undefined {
    // Where a limit keeps the keys from being asked for, nothing is known of the reply.
    if (this.isSigned && this.#learnt.length === 0)
      return this.#areKeysLimited() ? undefined : { kind: 'unprovable' };
    return bestReply(this.#replies, state, address);
  }

  #areKeysLimited(): boolean {
    const learning = this.#validated?.learning;
    if (learning?.kind !== 'keys') return false;
    return [...learning.heard.up.values(), ...learning.heard.down.values()].some(
      ({ kind }) => kind === 'limited',
    );
  }

  /** The best verdict on the reply of an address to a minimised name. */
  minimised(
    exchanged: Exchanged,
    { zone, spend }: { readonly zone: Name; readonly spend: ReplyValidator['spend'] },
  ): 'secure' | 'unknown' | BogusReason {
    const validator = this.#all.validator(spend);
    if (validator === undefined) return 'unknown';
    let found: BogusReason | undefined;
    for (const learnt of this.#learnt) {
      const verdict = stepVerdict(exchanged, zone, learnt, validator);
      if (verdict.kind === 'proven' && verdict.security === 'secure') return 'secure';
      if (verdict.kind === 'bogus') found ??= verdict.reason;
      // If the whole name is secure, no zone without signatures begins above it.
      else if (verdict.kind === 'wants' && this.#isWholeSecure()) found ??= 'no-signature';
      else return 'unknown';
    }
    return found ?? 'unknown';
  }

  #isWholeSecure(): boolean {
    return this.#replies.some(({ up, down }) =>
      [...up.values(), ...down.values()].some(
        (outcome) => outcome.kind === 'good' && outcome.about.verdict.status === 'secure',
      ),
    );
  }

  /** The proof where a reply of this address leads to. After an alias, the keys of the zone are known. */
  after(state: ServerState, address: string, to: Step): ZoneProof | undefined {
    const goods = this.#replies.flatMap((heard) => {
      const outcome = heard[state].get(address);
      return outcome?.kind === 'good' ? [outcome.good.visit] : [];
    });
    const isAlias = goods.some((visit) => visit.kind === 'asked' && visit.meaning.kind === 'alias');
    const walks = [...goods.map(walkAfter), ...(this.#validated?.walks ?? [])];
    return this.#among(walks, to, isAlias ? 'known' : 'wanted');
  }

  /** The proof at the servers of the zone's own set, or of the delegation, after its apex question. */
  beside(to: Step): ZoneProof | undefined {
    const { otherwise, visits, servers } = this.#step;
    const all = [visits, ...servers.map((server) => server.visits)].flatMap((one) => [...one.values()]);
    return this.#among([otherwise, ...all.map(walkAfter)], to, 'wanted');
  }

  #among(walks: readonly (Walk | undefined)[], to: Step, keys: 'known' | 'wanted'): ZoneProof | undefined {
    const there = walks.find(
      (walk) => walk?.kind === 'step' && serversKey(walk.step.delegation) === serversKey(to.delegation),
    );
    return this.#all.at(there, keys);
  }

  /** The answer section of a reply that does not verify. */
  answerOf({ about }: Extract<TimedOutcome<unknown>, { kind: 'bogus' }>): Records {
    return this.#all.answerOf(about.exchange);
  }

  /** The end where no reply was of use; `otherwise` if that is not because of signatures. */
  servfail(of: 'keys' | 'reply', otherwise: End): End {
    const all = of === 'keys' ? [this.keys] : this.#replies;
    const outcomes = all.flatMap((heard) => [...(heard?.up.values() ?? []), ...(heard?.down.values() ?? [])]);
    const bogus = outcomes.find((outcome) => outcome.kind === 'bogus');
    return (bogus && this.#validated?.servfail(bogus.failure)) ?? otherwise;
  }
}

/** Of several verdicts on the reply of an address the best one; undefined: nobody comes to ask there. */
function bestReply(
  stages: readonly AddressOutcomes<UsedReply>[],
  state: ServerState,
  address: string,
): TimedOutcome<UsedReply> | undefined {
  const outcomes = stages.flatMap((heard) => heard[state].get(address) ?? []);
  return outcomes.reduce<TimedOutcome<UsedReply> | undefined>(
    (best, one) => (best === undefined || RANKS[one.kind] < RANKS[best.kind] ? one : best),
    undefined,
  );
}

const RANKS: Readonly<Record<TimedOutcome<unknown>['kind'], number>> = {
  good: 0,
  limited: 1,
  bogus: 2,
  stopped: 3,
  unused: 4,
};

/** The replies to the whole name, after everything that may be learnt before. */
function repliesAfter(learning: LearningStage): readonly ReplyStage[] {
  const stages = new Set([learning]);
  const replies: ReplyStage[] = [];
  // Iterating over a set also visits the stages added on the way.
  for (const stage of stages) {
    if (stage.kind === 'reply') {
      replies.push(stage);
      continue;
    }
    for (const outcome of [...stage.heard.up.values(), ...stage.heard.down.values()])
      if (outcome.kind === 'good') stages.add(outcome.good);
    if (stage.kind === 'keys') continue;
    stages.add(stage.stopped);
    if (stage.failed !== undefined) stages.add(stage.failed);
  }
  return replies;
}
