import type { ExchangeRow, ExchangeSecurity } from '../document/exchanges.ts';
import type { TraversalResult } from '../document/result.ts';
import type { AddressRow } from '../document/steps.ts';
import { isUsable } from '../explore/meaning.ts';
import type { Name } from '../wire/name.ts';

/**
 * What a validating resolver makes of what a server said that was asked at a step in a zone: of the reply, or, where it
 * could not get so far as to judge that, of the zone's keys there. Undefined where it has no use for the reply anyway,
 * such as one that is merely imagined to fail.
 */
export type SecurityAt = (row: AddressRow, zone: Name) => ExchangeSecurity | undefined;

/** What validating made of the replies in a result. */
export function securityIn({ exchanges }: Pick<TraversalResult, 'exchanges'>): SecurityAt {
  const byId = new Map(exchanges.flatMap(({ id, security }) => (security ? [[id, security] as const] : [])));
  const ofKeys = new Map(exchanges.flatMap(bogusKeys));
  return ({ address, class: found, exchange }, zone) => {
    if (found === undefined || exchange === undefined || !isUsable(found)) return undefined;
    return byId.get(exchange) ?? ofKeys.get(keysAt(address, zone));
  };
}

function bogusKeys({
  server,
  question,
  security,
}: ExchangeRow): readonly (readonly [string, ExchangeSecurity])[] {
  const isBogus = question.type === 'DNSKEY' && security?.status === 'bogus';
  return isBogus ? [[keysAt(server.address, question.name), security]] : [];
}

function keysAt(address: string, zone: Name): string {
  return `${address} ${zone}`;
}
