/* Names that the root never delegates, so that zones of them are for resolvers and private networks alone. */

import { isAtOrBelow, type Name, parseName } from './name.ts';

/** Whether a name is for local use: RFC 6303 4, RFC 6761 6, RFC 6762 3, RFC 8375, RFC 9476. */
export function isLocalName(name: Name): boolean {
  return LOCAL.some((zone) => isAtOrBelow(name, zone));
}

const V4 = ['0', '127', '10', '254.169', '168.192', '255.255.255.255'];
const SHARED = Array.from({ length: 64 }, (_, at) => `${64 + at}.100`);
const PRIVATE = Array.from({ length: 16 }, (_, at) => `${16 + at}.172`);
const DOCUMENTATION = ['2.0.192', '100.51.198', '113.0.203'];
const V6 = ['d.f', '8.e.f', '9.e.f', 'a.e.f', 'b.e.f', '8.b.d.0.1.0.0.2'];
/** "::" and "::1". */
const V6_ZEROS = ['0', '1'].map((last) => [last, ...'0'.repeat(31)].join('.'));

const LOCAL: readonly Name[] = [
  ...['localhost', 'local', 'invalid', 'alt', 'home.arpa', 'internal'],
  ...[...V4, ...SHARED, ...PRIVATE, ...DOCUMENTATION].map((part) => `${part}.in-addr.arpa`),
  ...[...V6, ...V6_ZEROS].map((part) => `${part}.ip6.arpa`),
].map((text) => parseName(text));
