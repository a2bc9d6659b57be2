import type { Name } from '../wire/name.ts';
import type { ResourceRecord } from '../wire/record.ts';
import type { Delegation } from './delegation.ts';

/** Why a server is lame: where its NS records point, seen from the zone it was asked for. */
export type LameReason = 'upward' | 'self' | 'sideways' | 'empty';

/** What an exchange means for a zone (MODEL 4): exactly one of these. */
export type Meaning =
  | { readonly kind: 'malformed' | 'unreachable' | 'timeout' }
  | { readonly kind: 'error'; readonly rcode: string }
  | { readonly kind: 'alias-loop'; readonly target: Name }
  | {
      readonly kind: 'answer';
      /** Of the type asked, at the name reached. */
      readonly records: readonly ResourceRecord[];
      /** Owners of the aliases followed within the reply, in order. */
      readonly aliases: readonly Name[];
      readonly authoritative: boolean;
    }
  | { readonly kind: 'alias'; readonly target: Name }
  | { readonly kind: 'nxdomain' }
  | { readonly kind: 'nodata' }
  | { readonly kind: 'referral'; readonly delegation: Delegation }
  | { readonly kind: 'lame'; readonly reason: LameReason; readonly referredTo?: Name };

/** The classes with which a server counts as usable to a resolver (MODEL 7). */
export function isUsable(meaning: Meaning): boolean {
  switch (meaning.kind) {
    case 'answer':
    case 'alias':
    case 'nxdomain':
    case 'nodata':
    case 'referral':
      return true;
    case 'malformed':
    case 'unreachable':
    case 'timeout':
    case 'error':
    case 'alias-loop':
    case 'lame':
      return false;
  }
}
