import { LIMITS } from '../../base/limits.ts';
import type { ResolverRow } from '../../document/resolvers.ts';
import type { TraversalResult } from '../../document/result.ts';
import { END_TERMS } from '../../document/words/end-words.ts';
import { listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { percentage } from '../../document/words/quantities.ts';
import { compare, ONE, ZERO } from '../../evaluate/fraction.ts';
import { weightOf } from './effects.ts';

/** A resolver by its address, with its port if that is not the usual one: "192.0.2.53#5353". */
export function resolverAddress({ address, port }: ResolverRow['server']): string {
  return port === LIMITS.port.default ? address : `${address}#${port}`;
}

/** What a resolver said, in full: the data of an answer, an rcode, or the term for anything else. */
export function saidWords({ says }: ResolverRow): string {
  switch (says.kind) {
    case 'answer':
      return says.answer.join(' + ');
    case 'error':
      return says.rcode;
    case 'no-resolver':
      return 'a referral: it is no resolver';
    case 'nodata':
    case 'nxdomain':
    case 'alias-loop':
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return END_TERMS[says.kind];
  }
}

/** Which paths end in what a resolver said: "as 25 % of paths do, at ns2.example"; empty if it said nothing of use. */
export function likenessWords(
  { says, outcomes: places }: ResolverRow,
  { outcomes, complete }: TraversalResult,
): string {
  const alike = places.flatMap((at) => outcomes[at] ?? []);
  const weight = weightOf(alike);
  const none = complete ? 'no path' : 'no known path';
  const isAll = compare(weight, ONE) === 0;
  const share = isAll ? 'all paths' : `${percentage(weight)} of paths`;
  const servers = new Set(alike.flatMap(({ server }) => (server === null ? [] : [plain(server.name)])));
  const where = isAll || servers.size === 0 ? '' : `, at ${listed([...servers])}`;
  switch (says.kind) {
    case 'answer':
    case 'nodata':
    case 'nxdomain':
    case 'alias-loop':
      return compare(weight, ZERO) === 0 ? `as ${none} does` : `as ${share} do${where}`;
    case 'error':
      if (says.rcode !== 'SERVFAIL') return '';
      return compare(weight, ZERO) === 0 ? `although ${none} fails` : `${share} fail${where}`;
    case 'no-resolver':
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return '';
  }
}
