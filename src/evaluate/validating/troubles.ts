import type { Exchanged } from '../../exchange/exchanged.ts';
import { queryKey } from '../../exchange/query.ts';
import { type FailedMeaning, isFailure } from '../../explore/meaning.ts';
import { meaningFor } from '../../explore/meaning-for.ts';
import type { WhyUnasked } from '../../explore/recording.ts';
import type { BogusReason } from '../../validate/bogus-reason.ts';
import type { End } from '../end.ts';
import type { HeardThere, Judgement } from '../step.ts';
import type { ExchangeVerdict } from './exchange-verdict.ts';
import type { AskedOne } from './hearings.ts';
import type { JudgedOpening } from './judged-opening.ts';

/** What becomes of exchanges at a step that bring nothing good. */
export class Troubles {
  readonly #at: JudgedOpening;

  constructor(opening: JudgedOpening) {
    this.#at = opening;
  }

  /** Nothing, because the question was not asked. */
  limited<Good>({ address, question }: AskedOne, why: WhyUnasked): HeardThere<Good> {
    const { zone, end } = this.#at;
    return {
      kind: 'limited',
      end: ({ name }) => end({ ...why, question, zone, server: { name, address } }),
    };
  }

  /** A reply that does not verify. */
  bogus<Good>(exchanged: Exchanged, reason: BogusReason): HeardThere<Good> {
    const failure = this.#causeOf({ kind: 'bogus', reason });
    return { kind: 'bogus', failure, about: about(exchanged, { status: 'bogus', reason }) };
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
export function about(exchanged: Exchanged, verdict: ExchangeVerdict): Judgement {
  return { exchange: queryKey(exchanged), verdict };
}
