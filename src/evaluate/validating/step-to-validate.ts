/* What validating needs to know of a step, handed over by the unfolding. */

import type { Trust } from '../../dns/dnssec/trust.ts';
import type { Validation } from '../../dns/dnssec/validation.ts';
import type { Security } from '../../dns/dnssec/verdict.ts';
import type { Question } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import type { Meaning } from '../../explore/meaning.ts';
import type { WhyUnasked } from '../../explore/recording.ts';
import type { End } from '../end.ts';
import type { UsedReply } from '../step.ts';

/** A step that is being validated, and what that takes from the unfolding. */
export interface StepToValidate {
  readonly zone: Name;
  readonly question: Question;
  readonly trust: Trust;
  readonly validation: Validation;
  /** The trust in a zone whose DS records are planned; undefined for any other. */
  readonly plannedTrust: (zone: Name) => Trust | undefined;
  /** Whether everything was proven up to here. */
  readonly soFar: Security;
  /** The addresses that there are to pick from. */
  readonly picks: (state: ServerState) => Iterable<string>;
  readonly asked: (address: string, question: Question, state: ServerState) => AskResult;
  /** What a reply to the step's question means once planned changes are made. */
  readonly meant: (exchanged: Exchanged, state: ServerState) => Meaning;
  /** Whether a zone signed anything that was recorded. */
  readonly signs: (zone: Name) => boolean;
  readonly use: (use: UsableReply) => UsedReply;
  readonly end: (end: End) => End;
  /** Takes note of work. */
  readonly spend: (steps: number) => void;
  /** Whether that was more than there may be: what is returned is void then. */
  readonly isTooMuch: () => boolean;
}

/** Whether the server under whose name an address is asked is up. */
export type ServerState = 'up' | 'down';

/** What came of asking an address, or why nothing did. */
export type AskResult =
  | { readonly kind: 'not-asked'; readonly why: WhyUnasked }
  | { readonly kind: 'asked'; readonly exchanged: Exchanged };

/** What a reply that may be used comes to, as far as that is known of it alone. */
export interface UsableReply {
  readonly exchanged: Exchanged;
  readonly meaning: Meaning;
  readonly security: Security;
  /** Of the zone that a referral leads to. */
  readonly trust: Trust | undefined;
}

/** Both states of servers. */
export const STATES: readonly ServerState[] = ['up', 'down'];
