import type { OutcomeRow } from '../../document/ends.ts';
import type { ResolverRow } from '../../document/resolvers.ts';
import type { Consulted } from '../../exchange/exchanged.ts';
import { outcomesLike, toldBy, ttlLeft } from '../../reading/resolver-reply.ts';
import { replyRow, withEvidence } from './exchange-row.ts';

/** What a resolver replied, and which of the outcomes of the path view that is. */
export function resolverRow(consulted: Consulted, outcomes: readonly OutcomeRow[]): ResolverRow {
  const told = toldBy(consulted);
  return {
    server: consulted.resolver,
    says: told.said,
    outcomes: outcomesLike(told, outcomes),
    ttl: ttlLeft(consulted),
    reply: withEvidence(replyRow(consulted), consulted),
  };
}
