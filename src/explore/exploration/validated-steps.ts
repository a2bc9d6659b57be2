import { getOrMake } from '../../base/memo.ts';
import { inExploredSteps, type Work } from '../../base/work.ts';
import type { Family } from '../../dns/address.ts';
import type { SecureTrust } from '../../dns/dnssec/trust.ts';
import type { Validation } from '../../dns/dnssec/validation.ts';
import type { Question } from '../../dns/message.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Chain, glueFor } from '../delegation.ts';
import { type ReplyValidator, validationWork } from '../reply-verdict.ts';
import type { ExploredStep } from './explored-steps.ts';
import type { LookupFailures } from './lookup-failures.ts';
import { type ProvenListener, Proving, type ReplyListener } from './proving.ts';

/** The further questions at the steps of an exploration whose replies are to be proven: svc-model(7), VALIDATING. */
export class ValidatedSteps {
  readonly #tools: SecuredTools;
  readonly #places = new Map<Chain, Place>();

  constructor(tools: SecuredTools) {
    this.#tools = tools;
  }

  /** A path reaches a step with this chain at this depth. The further questions do not add to the depth. */
  reach(chain: Chain, trust: SecureTrust, depth: number): void {
    const place = this.#at(chain, trust);
    if (depth >= place.depth) return;
    place.depth = depth;
    for (const step of place.further) this.#tools.reach(step, depth);
  }

  /** Tells each way in which a reply to a question of a step with this chain verifies, now and from now on. */
  validate(chain: Chain, trust: SecureTrust, exchanged: Exchanged, listener: ProvenListener): void {
    this.#at(chain, trust).proving.validate(exchanged, listener);
  }

  #at(chain: Chain, trust: SecureTrust): Place {
    return getOrMake(this.#places, chain, () => {
      const further = new Set<ExploredStep>();
      const { validation, plannedTrust, families, work, lookups } = this.#tools;
      const proving = new Proving(chain.delegation.zone, trust, {
        validator: { validation, plannedTrust, spend: (steps) => work.spend(inExploredSteps(steps)) },
        sure: chain.delegation.nameservers.flatMap((server) => glueFor(server, families)),
        onceUnsure: (tell) => lookups.once(tell),
        spend: (exchanged) => work.spend(validationWork(exchanged)),
        ask: (question, listener) => this.#ask(chain, further, question, listener),
      });
      return { further, proving, depth: Number.POSITIVE_INFINITY };
    });
  }

  #ask(chain: Chain, further: Set<ExploredStep>, question: Question, listener: ReplyListener): void {
    const step = this.#tools.stepAt(chain, question, listener);
    if (step === undefined || further.has(step)) return;
    further.add(step);
    const depth = this.#places.get(chain)?.depth;
    if (depth !== undefined) this.#tools.reach(step, depth);
  }
}

/** What an exploration does for the steps whose replies are to be proven. */
interface SecuredTools {
  readonly validation: Validation;
  readonly plannedTrust: ReplyValidator['plannedTrust'];
  readonly families: readonly Family[];
  readonly work: Work;
  readonly lookups: LookupFailures;
  /** The step that puts a further question; undefined if that is too much work. */
  readonly stepAt: (chain: Chain, question: Question, listener: ReplyListener) => ExploredStep | undefined;
  /** A path reaches the step at this depth. */
  readonly reach: (step: ExploredStep, depth: number) => void;
}

/** The steps with one chain: those that ask further questions, and the least depth at which a path reaches any of them. */
interface Place {
  readonly further: Set<ExploredStep>;
  readonly proving: Proving;
  depth: number;
}
