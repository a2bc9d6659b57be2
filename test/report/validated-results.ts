import { BOGUS_REASONS, type BogusReason } from '../../src/dns/dnssec/reasons.ts';
import { outcomeRow } from '../../src/document/ends.ts';
import type { ExchangeSecurity } from '../../src/document/exchanges.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import type { End } from '../../src/evaluate/end.ts';
import { readFraction } from '../../src/evaluate/fraction.ts';
import { userShares } from '../../src/report/views/user-shares.ts';
import { savedResult } from './graph-results.ts';

const HEALTHY = { ...savedResult('healthy'), findings: [] };
const [ANSWER] = HEALTHY.views.resolver.outcomes;
if (ANSWER?.kind !== 'answer') throw new Error('the healthy zone has an answer');
const { fraction: _, probability: __, ...RIGHT } = ANSWER;
const { records: ___, authoritative: ____, ...PLACE } = RIGHT;
const AT = { ...PLACE, server: null };

/**
 * A result that others find healthy, and what validating resolvers' users get: "1/2 secure, 1/2 expired", with
 * `insecure`, `timeout`, `cut off` and each reason why something is bogus.
 */
export function validatedResult(shares: string): TraversalResult {
  const result = { ...HEALTHY, views: { ...HEALTHY.views, validating: view(shares) } };
  return { ...result, users: userShares(result) };
}

/** The result with this verdict on every exchange with a server of the last zone. */
export function withSecurity(result: TraversalResult, security: ExchangeSecurity): TraversalResult {
  const step = result.steps.at(-1);
  const here = new Set(
    step?.nameservers.flatMap(({ addresses }) => addresses.map(({ exchange }) => exchange)),
  );
  const exchanges = result.exchanges.map((row) => (here.has(row.id) ? { ...row, security } : row));
  return { ...result, exchanges };
}

function view(text: string) {
  const outcomes = text.split(', ').map((part) => {
    const [fraction = '', what = ''] = part.split(/ (.*)/);
    return { end: endOf(what), probability: readFraction(fraction) };
  });
  return { outcomes: outcomes.map(outcomeRow) };
}

function endOf(what: string): End {
  switch (what) {
    case 'secure':
    case 'insecure':
      return { ...RIGHT, security: what };
    case 'timeout':
      return { ...AT, kind: 'servfail', cause: { ...AT, kind: 'timeout' } };
    case 'cut off':
      return { ...AT, kind: 'query-limit', limit: 20 };
    default:
      return { ...AT, kind: 'servfail', cause: { ...AT, kind: 'bogus', reason: reasonNamed(what) } };
  }
}

function reasonNamed(what: string): BogusReason {
  const reason = BOGUS_REASONS.find((one) => one === what);
  if (reason === undefined) throw new Error(`there is no reason ${what}`);
  return reason;
}
