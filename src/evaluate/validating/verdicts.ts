import type { Security } from '../../dns/dnssec/verdict.ts';
import type { End } from '../end.ts';
import type { AddressOutcomes, ExchangeVerdict } from '../step.ts';
import type { FailedWaits } from './paths-at-step.ts';

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
  if (worst.status === 'insecure' && worst.why === undefined && better.status === 'insecure') return better;
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

/** Takes note of what is made of everything that the addresses of a step bring; `stops`: to those who wait in vain. */
export function noteVerdicts<Good>(
  { up, down }: AddressOutcomes<Good>,
  stops: FailedWaits,
  verdicts: Verdicts,
): void {
  for (const outcome of [...up.values(), ...down.values()]) {
    switch (outcome.kind) {
      case 'good':
      case 'bogus':
        verdicts.note(outcome.about.exchange, outcome.about.verdict);
        break;
      case 'stopped':
        for (const { end } of stops.get(outcome.by) ?? []) verdicts.note(outcome.exchange, verdictBy(end));
        break;
      case 'unused':
      case 'limited':
        break;
    }
  }
}

/** What is made of a reply that has such an end because of what it waits for. */
function verdictBy(end: End): ExchangeVerdict {
  if (end.kind !== 'servfail') return { status: 'unknown' };
  const { cause } = end;
  return { status: 'bogus', reason: cause?.kind === 'bogus' ? cause.reason : 'no-proof' };
}
