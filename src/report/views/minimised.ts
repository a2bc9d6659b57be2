/* What servers do to the minimised questions of resolvers: svc-model(7), PROFILES. */

import { isBelow } from '../../dns/name.ts';
import type { ExchangeRow } from '../../document/exchanges.ts';
import type { TraversalResult } from '../../document/result.ts';
import { unhelpfulWords } from '../../document/words/minimised-words.ts';
import { causeOf, type End } from '../../evaluate/end.ts';

/**
 * What keeps look-ups from going on at a minimised question: "ns1.example does not reply to NS questions for b.example".
 * Empty for an end at any other question.
 */
export function minimisedWords(
  { exchanges, query }: Pick<TraversalResult, 'exchanges' | 'query'>,
  end: End,
): string {
  const { kind, question, server } = causeOf(end);
  if (kind !== 'servfail' || server !== null || !isBelow(query.name, question.name)) return '';
  const asked = exchanges.filter(
    (one) => one.question.name === question.name && one.question.type === question.type,
  );
  const unhelpful = asked.flatMap((one) => {
    const how = failureOf(one);
    return how === undefined ? [] : [{ names: one.server.names, how }];
  });
  return unhelpfulWords(question, unhelpful);
}

function failureOf({ rcode, failure, answer = [], authority = [] }: ExchangeRow): string | undefined {
  if (failure !== undefined) return failure;
  if (rcode !== 'NOERROR') return rcode === 'NXDOMAIN' ? undefined : rcode;
  return answer.length === 0 && authority.some(({ type }) => type === 'NS') ? 'lame' : undefined;
}
