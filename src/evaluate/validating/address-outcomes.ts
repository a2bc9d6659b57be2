import type { Trust } from '../../dns/dnssec/trust.ts';
import type { Validation } from '../../dns/dnssec/validation.ts';
import type { BogusReason, Security } from '../../dns/dnssec/verdict.ts';
import type { Question } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { queryKey } from '../../exchange/query.ts';
import { meaningFor } from '../../explore/classify.ts';
import { type FailedMeaning, isFailure, type Meaning } from '../../explore/meaning.ts';
import type { WhyUnasked } from '../../explore/recording.ts';
import type { End } from '../end.ts';
import type { AddressOutcome, ExchangeVerdict, NotedVerdict, TimedOutcome, UsedReply } from '../step.ts';

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

/** A step that is being validated, and what that takes from around it. */
export interface StepToValidate {
  readonly zone: Name;
  readonly question: Question;
  readonly trust: Trust;
  readonly validation: Validation;
  /** Whether everything was proven up to here. */
  readonly soFar: Security;
  /** The addresses that there are to pick from. */
  readonly picks: (state: ServerState) => Iterable<string>;
  readonly asked: (address: string, question: Question, state: ServerState) => AskResult;
  /** What a reply to the step's question means once planned changes are made. */
  readonly meant: (exchanged: Exchanged, state: ServerState) => Meaning;
  readonly use: (use: UsableReply) => UsedReply;
  readonly end: (end: End) => End;
  /** Takes note of work. */
  readonly spend: (steps: number) => void;
  /** Whether that was more than there may be: what is returned is void then. */
  readonly isTooMuch: () => boolean;
}

/** An address of the step, and what came of a question there. */
export interface AskedAddress {
  readonly state: ServerState;
  readonly address: string;
  readonly question: Question;
  readonly asked: AskResult;
}

export const STATES: readonly ServerState[] = ['up', 'down'];

/** Collects what addresses bring. */
export class AddressOutcomeCollector<Good> {
  readonly up = new Map<string, TimedOutcome<Good>>();
  readonly down = new Map<string, TimedOutcome<Good>>();

  put({ state, address, asked }: AskedAddress, brought: AddressOutcome<Good>): void {
    const elapsedMs = asked.kind === 'asked' ? asked.exchanged.elapsedMs : 0;
    this[state].set(address, { ...brought, elapsedMs });
  }
}

/** What becomes of exchanges at a step that bring nothing good. */
export class UnusableReplies {
  readonly #at: StepToValidate;

  constructor(opening: StepToValidate) {
    this.#at = opening;
  }

  /** Nothing, because the question was not asked. */
  limited<Good>({ address, question }: AskedAddress, why: WhyUnasked): AddressOutcome<Good> {
    const { zone, end } = this.#at;
    return {
      kind: 'limited',
      end: ({ name }) => end({ ...why, question, zone, server: { name, address } }),
    };
  }

  /** A reply that does not verify. */
  bogus<Good>(exchanged: Exchanged, reason: BogusReason): AddressOutcome<Good> {
    const failure = this.#causeOf({ kind: 'bogus', reason });
    return { kind: 'bogus', failure, about: notedVerdict(exchanged, { status: 'bogus', reason }) };
  }

  /** Why an exchange is of no use; `reason`: where it would be for other purposes. */
  failure(exchanged: Exchanged, reason: BogusReason): End {
    const meaning = meaningFor(exchanged, this.#at.zone);
    return this.#causeOf(isFailure(meaning) ? meaning : { kind: 'bogus', reason });
  }

  #causeOf(failure: Failure): End {
    const { end, question, zone } = this.#at;
    return end({ ...failure, question, zone, server: null });
  }
}

type Failure = FailedMeaning | { readonly kind: 'bogus'; readonly reason: BogusReason };

/** What is made of an exchange. */
export function notedVerdict(exchanged: Exchanged, verdict: ExchangeVerdict): NotedVerdict {
  return { exchange: queryKey(exchanged), verdict };
}
