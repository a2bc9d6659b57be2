import { isAtOrBelow, labelCount, type Name, parentOf } from '../dns/name.ts';
import type { Exchange, Exchanged, Traffic } from '../exchange/exchanged.ts';
import type { Query } from '../exchange/query.ts';

/** A question that an address is to be asked as a server of a zone. */
export interface ZoneQuery extends Query {
  readonly zone: Name;
}

/** What is to be done about such a question. */
export type SoughtReferral =
  /** A referral that the address gave for a zone cut above it, as what stands for other replies (`asShared`). */
  | { readonly kind: 'known'; readonly referral: Exchanged }
  /** Ask it, and tell what came of it; undefined: nothing. Others may be waiting for that. */
  | { readonly kind: 'ask'; readonly tell: (exchanged: Exchanged | undefined) => void };

/** Knows the referrals that were given in a run. */
export interface ReferralSource {
  /** Rejects with the signal's reason when it is aborted. */
  readonly seek: (query: ZoneQuery, signal: AbortSignal) => Promise<SoughtReferral>;
}

/**
 * An exchange in which a referral by an address of a server of the root or of a top-level domain stands for
 * its reply to every other name at or below that zone cut (svc-model(7), SHARED REFERRALS).
 */
export function shareReferrals(exchange: Exchange, home: ReferralSource): Exchange {
  return async (query, signal, leaving) => {
    const { address, question, zone } = query;
    if (zone === undefined || !refersManyNames(zone)) return await exchange(query, signal, leaving);
    const sought = await home.seek({ address, question, zone }, signal);
    if (sought.kind === 'known') return standIn(sought.referral, query);
    let came: Exchanged | undefined;
    try {
      came = await exchange(query, signal, leaving);
      return came;
    } finally {
      sought.tell(came);
    }
  };
}

/** Whether it is the root or a top-level domain. */
function refersManyNames(zone: Name): boolean {
  return labelCount(zone) <= 1;
}

/** The referral as the reply to another question. */
function standIn(referral: Exchanged, { address, question }: Query): Exchanged {
  return { ...referral, address, question };
}

/** A referral as what stands for other replies: nothing was sent for these. */
export function asShared(referral: Exchanged): Exchanged {
  return { ...referral, tries: [], traffic: NO_TRAFFIC, shared: true };
}

const NO_TRAFFIC: Traffic = { packetsSent: 0, packetsReceived: 0, bytesSent: 0, bytesReceived: 0 };

/**
 * The names at which a zone may be cut so that the reply is a referral to there, the highest first. The DS
 * records of a zone are its parent's to give.
 */
export function possibleCuts({ question: { name, type }, zone }: ZoneQuery): readonly Name[] {
  const cuts: Name[] = [];
  const lowest = type === 'DS' ? parentOf(name) : name;
  for (let cut = lowest; cut !== undefined && cut !== zone && isAtOrBelow(cut, zone); cut = parentOf(cut))
    cuts.unshift(cut);
  return cuts;
}
