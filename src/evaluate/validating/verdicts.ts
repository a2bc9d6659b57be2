import type { Security } from '../../validate/verdict.ts';
import type { ExchangeVerdict } from './exchange-verdict.ts';

/** What was made of exchanges, by their keys: of several verdicts on one the worst. */
export class Verdicts implements Iterable<readonly [string, ExchangeVerdict]> {
  readonly #worst = new Map<string, ExchangeVerdict>();

  note(exchange: string, verdict: ExchangeVerdict): void {
    const known = this.#worst.get(exchange);
    this.#worst.set(exchange, known === undefined ? verdict : together(known, verdict));
  }

  /** Takes over what others have noted. */
  noteAll(others: Iterable<readonly [string, ExchangeVerdict]>): void {
    for (const [exchange, verdict] of others) this.note(exchange, verdict);
  }

  [Symbol.iterator](): Iterator<readonly [string, ExchangeVerdict]> {
    return this.#worst[Symbol.iterator]();
  }
}

function together(one: ExchangeVerdict, other: ExchangeVerdict): ExchangeVerdict {
  const [worst, better] = BADNESS[other.status] > BADNESS[one.status] ? [other, one] : [one, other];
  if (worst.status !== 'bogus') return worst;
  const [otherwise] = [securityIn(worst), securityIn(better)]
    .filter((security) => security !== undefined)
    .sort((a, b) => BADNESS[a] - BADNESS[b]);
  return otherwise === undefined ? worst : { ...worst, otherwise };
}

/** The best that an exchange is to some paths, if they have a use for it. */
function securityIn(verdict: ExchangeVerdict): Security | undefined {
  switch (verdict.status) {
    case 'secure':
    case 'insecure':
      return verdict.status;
    case 'unknown':
      return undefined;
    case 'bogus':
      return verdict.otherwise;
  }
}

const BADNESS: Readonly<Record<ExchangeVerdict['status'], number>> = {
  secure: 0,
  insecure: 1,
  unknown: 2,
  bogus: 3,
};
