/** What can be wrong with the signatures of a reply; the first four go with RFC 4035 5.3.1. */
export type SignatureFlaw =
  | 'missing'
  /** Made by a zone that does not exist. */
  | 'wrong-signer'
  /** Of an algorithm that nobody supports. */
  | 'unsupported-algorithm'
  /** Made with a key that the zone does not publish. */
  | 'wrong-key'
  /** Valid in the last month that the zone's signatures are. */
  | 'not-yet-valid'
  /** Valid in the first month that the zone's signatures are. */
  | 'expired'
  /** Right but for a bit of each octet. */
  | 'spoilt';

/** What a server of a signed zone can do wrong. Queries without DO do not show it. */
export type SigningFault =
  /** The signatures of every RRset, or of those of one type, have a flaw. */
  | { readonly kind: 'flawed-signatures'; readonly flaw: SignatureFlaw; readonly covering?: string }
  /** DS records name another key than the one that the zone has. */
  | { readonly kind: 'wrong-ds' }
  /** Referrals have neither DS records nor a proof that there are none. */
  | { readonly kind: 'omits-ds' }
  /** Leaves NSEC and NSEC3 records out of replies that need them. */
  | { readonly kind: 'omits-proof' }
  /** NSEC and NSEC3 records cover no name, and say that theirs has the type asked, and DS. */
  | { readonly kind: 'wrong-proof' };

const KINDS: Readonly<Record<SigningFault['kind'], true>> = {
  'flawed-signatures': true,
  'wrong-ds': true,
  'omits-ds': true,
  'omits-proof': true,
  'wrong-proof': true,
};

/** Tells these faults from others. */
export function isOfSigning(fault: { readonly kind: string }): fault is SigningFault {
  return Object.hasOwn(KINDS, fault.kind);
}
