import { getOrMake } from '../../base/memo.ts';
import { Work, workOf } from '../../base/work.ts';
import { type Question, questionKey } from '../../dns/message.ts';
import { addressesIn } from '../../explore/addresses.ts';
import { type Chain, chainForAlias, delegationKey } from '../../explore/delegation.ts';
import { isFailure, type Meaning } from '../../explore/meaning.ts';
import type { AddressSource, UnfoldingFacts } from './unfolding-facts.ts';

/**
 * Looks ahead of lookups, to what they can come to at most: as if no lookup kept another from being made. That takes each
 * chain and question once, however many ways there are round a ring.
 */
export class Lookahead {
  readonly #facts: UnfoldingFacts;
  readonly #work: Work;
  readonly #steps = new Map<Chain, Map<string, LookaheadStep>>();

  /** Once it took more than `mostWork`, nothing is foreseen. */
  constructor(facts: UnfoldingFacts, mostWork: number) {
    this.#facts = facts;
    this.#work = new Work(mostWork);
  }

  /** What usable replies there come to. Undefined where a limit may be met, or that takes too much work to say. */
  at(chain: Chain, question: Question): Agreement | undefined {
    const ahead = new Set<LookaheadStep>();
    const step = this.#step(chain, question, ahead);
    // Iterating over a set also visits what is added on the way, so it serves as the work list.
    for (const next of ahead) {
      if (this.#work.exceeded) return undefined;
      ahead.delete(next);
      if (this.#look(next, ahead)) for (const reader of next.readers) ahead.add(reader);
    }
    return this.#work.exceeded || step.coverage === 'limited' ? undefined : step.agreement;
  }

  #step(chain: Chain, question: Question, ahead: Set<LookaheadStep>): LookaheadStep {
    const steps = getOrMake(this.#steps, chain, () => new Map<string, LookaheadStep>());
    return getOrMake(steps, questionKey(question), () => {
      const made: LookaheadStep = {
        chain,
        question,
        readers: new Set(),
        answers: new Set(),
        agreement: 'no-address',
        coverage: 'whole',
      };
      ahead.add(made);
      return made;
    });
  }

  /** Looks at a step again, once more is known of others. Whether more is known of it now. */
  #look(step: LookaheadStep, ahead: Set<LookaheadStep>): boolean {
    const before = sizeOf(step);
    const reading = { step, ahead, meant: new Set<string>() };
    this.#work.spend(1);
    for (const source of this.#facts.sourcesAt(step.chain)) this.#lookAt(source, reading);
    step.agreement = agreementOf(reading.meant);
    return sizeOf(step) !== before;
  }

  #lookAt(source: AddressSource, reading: Reading): void {
    const { chain, question } = reading.step;
    const { replies, main } = this.#facts;
    const { zone } = chain.delegation;
    const state = main.world.isDown(source.name) ? 'down' : 'up';
    const addresses = this.#addressesFrom(source, reading);
    this.#work.spend(workOf('address', addresses.length));
    const asking = { zone, question, state } as const;
    // What replies mean together depends on which of them there are.
    if (replies.areTakenTogether(asking)) reading.step.coverage = 'limited';
    const said = replies.at(asking, addresses);
    for (const address of addresses) {
      const heard = said.from(address);
      if (heard.kind === 'not-asked') reading.step.coverage = 'limited';
      else reading.meant.add(this.#meant(heard.meaning, reading));
    }
  }

  #addressesFrom(source: AddressSource, { step, ahead }: Reading): readonly string[] {
    switch (source.kind) {
      case 'none':
        return [];
      case 'glue':
        return source.addresses;
      case 'lookup': {
        return source.questions.flatMap(({ question }) => {
          const first = this.#step(source.start, question, ahead);
          learn(step, first);
          return [...first.answers];
        });
      }
    }
  }

  /** What a reply comes to, as a text that is equal for what comes to the same. */
  #meant(meaning: Meaning, { step, ahead }: Reading): string {
    const { chain, question } = step;
    if (isFailure(meaning)) return UNUSABLE;
    switch (meaning.kind) {
      case 'answer': {
        const addresses = this.#facts.main.world.selection.ofAnswer(addressesIn(meaning.records));
        for (const address of addresses) step.answers.add(address);
        return addresses.length === 0 ? NO_ADDRESS : addresses.join(' ');
      }
      case 'referral': {
        const { delegation } = meaning;
        const deeper = this.#facts.chains.extend(chain, delegation);
        goOn(step, this.#step(deeper, question, ahead));
        return `referral ${delegationKey(delegation)}`;
      }
      case 'alias': {
        const { target } = meaning;
        const from = chainForAlias(chain, target, question.type);
        goOn(step, this.#step(from, { name: target, type: question.type }, ahead));
        return `alias ${target}`;
      }
      case 'alias-loop':
      case 'nxdomain':
      case 'nodata':
        return NO_ADDRESS;
    }
  }
}

/** A step of lookups, with all that it can come to on any path, whatever is pending and was asked before. It only grows. */
interface LookaheadStep {
  readonly chain: Chain;
  readonly question: Question;
  /** Steps of which something is known from this one. */
  readonly readers: Set<LookaheadStep>;
  /** Addresses in the answers that walks from here can end in. */
  readonly answers: Set<string>;
  agreement: Agreement;
  /** Whether some path can end in a limit, other than that of depth. */
  coverage: 'whole' | 'limited';
}

/**
 * What usable replies at a step come to: none of them to an address, all of them to the same, be it addresses or
 * another step, or some of them to something else.
 */
export type Agreement = 'no-address' | 'alike' | 'different';

/** What is known of a step is being brought up to date. */
interface Reading {
  readonly step: LookaheadStep;
  /** Steps to look at: what was met first is added. */
  readonly ahead: Set<LookaheadStep>;
  readonly meant: Set<string>;
}

const NO_ADDRESS = '';
const UNUSABLE = 'unusable';

function agreementOf(meant: Set<string>): Agreement {
  const usable = [...meant].filter((one) => one !== UNUSABLE);
  if (usable.every((one) => one === NO_ADDRESS)) return 'no-address';
  return usable.length === 1 ? 'alike' : 'different';
}

/** A number that grows whenever more is known that matters to others. */
function sizeOf({ answers, coverage }: LookaheadStep): number {
  return answers.size + (coverage === 'limited' ? 1 : 0);
}

/** What of a step matters to one that leads to it, in whatever way. */
function learn(step: LookaheadStep, from: LookaheadStep): void {
  from.readers.add(step);
  if (from.coverage === 'limited') step.coverage = 'limited';
}

/** Paths go on from a step at another one. */
function goOn(step: LookaheadStep, next: LookaheadStep): void {
  learn(step, next);
  for (const address of next.answers) step.answers.add(address);
}
