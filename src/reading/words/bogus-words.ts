import type { BogusReason } from '../../validate/bogus-reason.ts';

/** Says in a few words why something does not verify. */
export const BOGUS_WORDS: Readonly<Record<BogusReason, string>> = {
  'no-signature': 'not signed',
  'wrong-signer': 'signed by another zone',
  'unsupported-algorithm': 'signed with an algorithm that is not supported',
  'wrong-key': 'signed with a key that is not among those fetched',
  'not-yet-valid': 'the signature is not valid yet',
  expired: 'the signature has expired',
  'bad-signature': 'the signature does not fit the data',
  'no-proof': 'no proof of what is denied',
  'no-matching-ds': 'no key fits the DS records of the parent',
  'no-keys': 'the zone has no DNSKEY records',
};
