/** How a zone is signed. Whatever is absent is as in most signed zones. */
export interface ZoneSigning {
  /** IANA's number: 5, 7, 8, 10, 13, 14, 15 or 16. Absent: 13, ECDSA P-256 with SHA-256. */
  readonly algorithm?: number;
  /** What the zone publishes. Absent: one that signs everything. */
  readonly keys?: readonly KeySpec[];
  /** The DS records that signed parents in the same world have. Absent: one for each key that signs keys. */
  readonly ds?: readonly DsSpec[];
  /** Absent: NSEC. */
  readonly denial?: DenialSpec;
  /** When signatures begin to be valid, in seconds since 1970. Absent: with the year 2020. */
  readonly inception?: number;
  /** When they end. Absent: with the year 2079. */
  readonly expiration?: number;
}

/** A key of a zone. Its octets follow from the zone, the algorithm and the label: they are test keys, and no secret. */
export interface KeySpec {
  /** Two keys of one zone with different labels are different. Absent: "key". */
  readonly label?: string;
  /** Absent: everything. */
  readonly signs?: 'everything' | 'keys' | 'data' | 'nothing';
  /** IANA's number; absent: the zone's. With one that the lab cannot sign with, signatures are just octets. */
  readonly algorithm?: number;
  /** RFC 4034 2.1.1; absent: 256 (Zone) for a key that signs data only, else 257 (with SEP). */
  readonly flags?: number;
  /** RFC 4034 2.1.2; absent: 3. */
  readonly protocol?: number;
  /** Hexadecimal: what is published in place of the public key. */
  readonly published?: string;
}

/** A DS record of a zone: of a key that the zone has, or of another one. */
export interface DsSpec {
  readonly key: KeySpec;
  /** IANA's number of the digest; absent: 2, SHA-256. */
  readonly digest?: number;
}

/** How a zone proves what it does not have: RFC 4034 4, or RFC 5155. */
export type DenialSpec =
  | { readonly kind: 'nsec' }
  | {
      readonly kind: 'nsec3';
      /** Absent: 0, as RFC 9276 3.1 says. */
      readonly iterations?: number;
      /** Hexadecimal; absent: none. */
      readonly salt?: string;
      /** Leaves out delegations without DS (RFC 5155 6). */
      readonly optOut?: boolean;
    };

/** How each zone of a world or of a server is signed, by its apex; those that are not named are not signed. */
export type Signings = Readonly<Record<string, ZoneSigning | 'unsigned'>>;

/** The validity of signatures that have no other, in seconds since 1970: in force now and for decades. */
export const INCEPTION = Date.UTC(2020, 0, 1) / 1000;
export const EXPIRATION = Date.UTC(2080, 0, 1) / 1000 - 1;

/** The keys of a zone. */
export function publishedKeys(signing: ZoneSigning): readonly KeySpec[] {
  return signing.keys ?? [{}];
}

/** The DS records that its parents have. */
export function dsOf(signing: ZoneSigning): readonly DsSpec[] {
  return (
    signing.ds ??
    publishedKeys(signing)
      .filter(signsKeys)
      .map((key) => ({ key }))
  );
}

/** Whether a key signs the zone's DNSKEY records. */
export function signsKeys({ signs = 'everything' }: KeySpec): boolean {
  return signs === 'everything' || signs === 'keys';
}

/** Whether a key signs the zone's other records. */
export function signsData({ signs = 'everything' }: KeySpec): boolean {
  return signs === 'everything' || signs === 'data';
}

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
