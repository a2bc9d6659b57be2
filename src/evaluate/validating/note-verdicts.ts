import type { End } from '../end.ts';
import type { HeardBy } from '../step.ts';
import type { ExchangeVerdict } from './exchange-verdict.ts';
import type { Verdicts } from './verdicts.ts';
import type { Stops } from './way.ts';

/** Takes note of what is made of everything that the addresses of a step bring; `stops`: to those who wait in vain. */
export function noteVerdicts<Good>({ up, down }: HeardBy<Good>, stops: Stops, verdicts: Verdicts): void {
  for (const hearing of [...up.values(), ...down.values()]) {
    switch (hearing.kind) {
      case 'good':
      case 'bogus':
        verdicts.note(hearing.about.exchange, hearing.about.verdict);
        break;
      case 'stopped':
        for (const { end } of stops.get(hearing.by) ?? []) verdicts.note(hearing.exchange, verdictBy(end));
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
