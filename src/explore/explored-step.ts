import type { Name } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';
import type { Records } from '../wire/records.ts';
import type { Chain } from './chain.ts';
import type { Meaning } from './meaning.ts';
import type { StepRole } from './warm.ts';

/** The names asked on the walk so far, the present one included. An apex question is none of them. */
export type Walked = readonly Name[] | 'not kept';

/** A step together with the names that its walk asked: what is known of it so far, which only grows. */
export interface ExploredStep {
  readonly chain: Chain;
  readonly question: Question;
  readonly walked: Walked;
  readonly role: StepRole;
  /** The least depth at which a path reaches it. */
  depth: number;
  /** Where a path goes on that hears of no own set: only of an apex question, and once it is reached. */
  ahead: ExploredStep | undefined;
  /** Of its name servers' addresses. */
  readonly lookups: ExploredStep[];
  readonly visits: Map<string, ExploredVisit>;
  /** What was heard there, where a planned delegation makes that matter. */
  readonly meanings: Map<ExploredVisit, Meaning>;
  /** Addresses in the answers that walks from here end in, each with its least height. None while nobody reads them. */
  readonly answers: Map<string, number>;
  /** Are told each of `answers`, and when one's height falls. */
  readonly readers: AddressReader[];
}

/** Receives an address that walks from a step end in, and its height. */
export type AddressReader = (address: string, height: number) => void;

/** An address of one of a step's name servers, and what asking there leads to. */
export interface ExploredVisit {
  readonly step: ExploredStep;
  readonly address: string;
  /** How many levels below the step a path needs to learn the address. */
  height: number;
  state: 'offered' | 'asked';
  /** Where it leads: to several steps only where replies are to be proven, which can come to different things. */
  onward: readonly ExploredStep[];
  /** The answer heard there. */
  gives: Records;
}
