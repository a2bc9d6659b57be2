import type { ExchangeVerdict } from './exchange-verdict.ts';

/** What was made of exchanges, by their keys: of several verdicts on one the worst. */
export class Verdicts implements Iterable<readonly [string, ExchangeVerdict]> {
  readonly #worst = new Map<string, ExchangeVerdict>();

  note(exchange: string, verdict: ExchangeVerdict): void {
    const known = this.#worst.get(exchange);
    if (known === undefined || BADNESS[verdict.status] > BADNESS[known.status])
      this.#worst.set(exchange, verdict);
  }

  /** Takes over what others have noted. */
  noteAll(others: Iterable<readonly [string, ExchangeVerdict]>): void {
    for (const [exchange, verdict] of others) this.note(exchange, verdict);
  }

  [Symbol.iterator](): Iterator<readonly [string, ExchangeVerdict]> {
    return this.#worst[Symbol.iterator]();
  }
}

const BADNESS: Readonly<Record<ExchangeVerdict['status'], number>> = {
  secure: 0,
  insecure: 1,
  unknown: 2,
  bogus: 3,
};
