import type { Name } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';
import type { Chain } from './chain.ts';

/** The names asked on the walk so far, the present one included. */
export type Walked = readonly Name[] | 'not kept';

/** A step together with the names that its walk asked: what is known of it so far, which only grows. */
export interface Station {
  readonly chain: Chain;
  readonly question: Question;
  readonly walked: Walked;
  /** The least depth at which a path reaches it. */
  depth: number;
  /** Of its name servers' addresses. */
  readonly lookups: Station[];
  readonly visits: Map<string, Visit>;
  /** Addresses in the answers that walks from here end in, each with its least height. */
  readonly answers: Map<string, number>;
  /** Are told each of `answers`, and when one's height falls. */
  readonly readers: ((address: string, height: number) => void)[];
}

/** An address of one of a station's name servers, and what asking there leads to. */
export interface Visit {
  readonly station: Station;
  readonly address: string;
  /** How many levels below the station a path needs to learn the address. */
  height: number;
  state: 'offered' | 'asked';
  onward: Station | undefined;
  /** Addresses in the answer heard there. */
  gives: readonly string[];
}

/** A station that no path has reached yet. */
export function newStation(chain: Chain, question: Question, walked: Walked): Station {
  return {
    chain,
    question,
    walked,
    depth: Number.POSITIVE_INFINITY,
    lookups: [],
    visits: new Map(),
    answers: new Map(),
    readers: [],
  };
}
