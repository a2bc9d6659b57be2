import type { Chain } from '../../explore/chain.ts';
import type { Name } from '../../wire/name.ts';
import type { Question } from '../../wire/question.ts';

/**
 * A step of lookups, with all that it can come to on any path, whatever is pending and was asked before. What is known of
 * it only grows.
 */
export interface ForeseenStep {
  readonly chain: Chain;
  readonly question: Question;
  /** Steps of which something is known from this one. */
  readonly readers: Set<ForeseenStep>;
  /** Addresses in the answers that walks from here can end in. */
  readonly answers: Set<string>;
  /** Servers that are looked up here or below, in lookups of lookups too. */
  readonly lookedUp: Set<Name>;
  agreement: Agreement;
  /** Whether some path can end in a limit, other than that of depth. */
  coverage: 'whole' | 'limited';
  /** How many levels below it walks from here go at most, those of lookups apart. */
  height: number;
}

/**
 * What usable replies at a step come to: none of them to an address, all of them to the same, be it addresses or
 * another step, or some of them to something else.
 */
export type Agreement = 'no-address' | 'alike' | 'different';

/** A step of which nothing is known yet. */
export function newForeseenStep(chain: Chain, question: Question): ForeseenStep {
  return {
    chain,
    question,
    readers: new Set(),
    answers: new Set(),
    lookedUp: new Set(),
    agreement: 'no-address',
    coverage: 'whole',
    height: 0,
  };
}
