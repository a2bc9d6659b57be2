import type { Name } from '../wire/name.ts';
import type { Records } from '../wire/records.ts';
import type { Delegation } from './delegation.ts';

/** Why a server is lame: where its NS records point, seen from the zone it was asked for. */
export type LameReason = 'upward' | 'self' | 'sideways' | 'empty';

/** What an exchange means for a zone: the class that svc-model(7), EXCHANGES gives it, with what belongs to it. */
export type Meaning =
  | { readonly kind: 'malformed' | 'unreachable' | 'timeout' }
  | { readonly kind: 'error'; readonly rcode: string }
  /** `links` counts the aliases followed within the reply. */
  | { readonly kind: 'alias'; readonly target: Name; readonly links: number }
  | { readonly kind: 'alias-loop'; readonly target: Name; readonly links: number }
  | {
      readonly kind: 'answer';
      /** Of the type asked, at the name reached. */
      readonly records: Records;
      /** Owners of the aliases followed within the reply, in order. */
      readonly aliases: readonly Name[];
      readonly authoritative: boolean;
    }
  | { readonly kind: 'nxdomain' }
  | { readonly kind: 'nodata' }
  | { readonly kind: 'referral'; readonly delegation: Delegation }
  | { readonly kind: 'lame'; readonly reason: LameReason; readonly referredTo?: Name };

/** The class of an exchange for a zone. */
export type ExchangeClass = Meaning['kind'];

/** Whether a resolver goes on with such a reply instead of trying another server: svc-model(7), RESOLVER VIEW. */
export function isUsable(exchangeClass: ExchangeClass): boolean {
  switch (exchangeClass) {
    case 'answer':
    case 'alias':
    case 'alias-loop':
    case 'nxdomain':
    case 'nodata':
    case 'referral':
      return true;
    case 'malformed':
    case 'unreachable':
    case 'timeout':
    case 'error':
    case 'lame':
      return false;
  }
}

/** Meanings after which a path goes on: at the next zone, or at the target of an alias. */
type Leading = Extract<Meaning, { kind: 'referral' | 'alias' }>;

/** Whether a path goes on after an exchange with this meaning: svc-model(7), WALKING A STEP 4. */
export function leadsOn(meaning: Meaning): meaning is Leading {
  return AFTERWARDS[meaning.kind] === 'goes-on';
}

const AFTERWARDS: { readonly [K in ExchangeClass]: K extends Leading['kind'] ? 'goes-on' : 'ends' } = {
  referral: 'goes-on',
  alias: 'goes-on',
  'alias-loop': 'ends',
  answer: 'ends',
  nxdomain: 'ends',
  nodata: 'ends',
  lame: 'ends',
  error: 'ends',
  malformed: 'ends',
  unreachable: 'ends',
  timeout: 'ends',
};
