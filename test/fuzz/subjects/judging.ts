import fc from 'fast-check';
import { decodeMessage } from '../../../src/dns/decode.ts';
import { NODE_CRYPTO } from '../../../src/dns/dnssec/node-crypto.ts';
import { INSECURE, trustFrom } from '../../../src/dns/dnssec/trust.ts';
import { validateReply } from '../../../src/dns/dnssec/validate-reply.ts';
import { SignatureChecks } from '../../../src/dns/dnssec/validation.ts';
import type { Claim, Cut, ZoneFacts } from '../../../src/dns/dnssec/verdict.ts';
import { validateKeys } from '../../../src/dns/dnssec/verify.ts';
import { type Name, parseName } from '../../../src/dns/name.ts';
import { DecodeError } from '../../../src/dns/reader.ts';
import type { ResourceRecord } from '../../../src/dns/record.ts';
import { signingZone } from '../../dns/dnssec/signing.ts';
import { names } from '../names.ts';
import { must, subject, withinCpu } from '../subject.ts';
import { wireMessages } from '../wire-messages.ts';

const ZONE = signingZone('a', 13);
const TYPES = ['A', 'DS', 'ANY', 'RRSIG', 'DNSKEY', 'CNAME'];
/** What people may have written into a saved file. */
const TEXTS = [
  '',
  ' ',
  '\t',
  '@',
  '\\# 0',
  '\\# 3 010203',
  'a b',
  '1 2 3',
  '. A',
  '"',
  '\\',
  '1 0 0 - vs',
  '257 3 13 AAAA',
  '256 3 8 AwEAAQ==',
  '1 13 2 00',
  'A 13 1 1 20200101000000 20300101000000 1 a. AAAA',
  'x.\tA',
  '1 1 150 aabb 00000000000000000000000000000000 A',
  '1 0 151 - 0p9mhaveqvm6t7vbl5lop2u3t2rp3tom',
  `${'a.'.repeat(200)} A`,
];
/** Far more than any reply takes, even while others use the machine. */
const MOST_MS = 2_000;

/** Whatever a message or a saved file holds, it is judged, in bounded time. Nothing that nobody signed is secure. */
export const judging = subject(
  'judging',
  5_000,
  fc.record({
    name: names,
    type: fc.constantFrom(...TYPES),
    kind: fc.constantFrom(
      'answer' as const,
      'alias' as const,
      'alias-loop' as const,
      'nxdomain' as const,
      'nodata' as const,
      'referral' as const,
    ),
    targets: fc.array(names, { maxLength: 3 }),
    records: fc.oneof(messages(), savedRecords()),
    cuts: fc.constantFrom<Cut['kind'] | 'insecure' | 'unknown'>(
      'cut',
      'insecure',
      'no-cut',
      'no-insecure-cut',
      'no-name',
      'unusable',
      'unknown',
    ),
  }),
  ({ name, type, kind, targets, records, cuts }) => {
    const checks = new SignatureChecks(NODE_CRYPTO);
    const validation = { time: 1_700_000_000, digest: NODE_CRYPTO.digest, checks };
    const question = { name, type };
    const reply = { question, claim: claimOf(kind, name, targets), answer: records, authority: records };
    const verdict = withinCpu(MOST_MS, () =>
      validateReply(reply, ZONE.keys, everywhere(cuts, [name, ...targets], records), validation),
    );
    const isEmptyAny = kind === 'answer' && type === 'ANY';
    if (verdict.kind === 'good' && verdict.security === 'secure')
      must(isEmptyAny, 'what nobody signed is secure');
    const trust = trustFrom(records);
    if (trust.kind === 'secure') withinCpu(MOST_MS, () => validateKeys(reply, name, trust, validation));
  },
);

function messages(): fc.Arbitrary<readonly ResourceRecord[]> {
  return wireMessages().map((octets) => {
    try {
      const { answer, authority, additional } = decodeMessage(octets);
      return [...answer, ...authority, ...additional];
    } catch (error) {
      must(error instanceof DecodeError, `threw ${error}`);
      return [];
    }
  });
}

function savedRecords(): fc.Arbitrary<readonly ResourceRecord[]> {
  const types = fc.constantFrom(
    'A',
    'CNAME',
    'DNAME',
    'DS',
    'DNSKEY',
    'RRSIG',
    'NSEC',
    'NSEC3',
    'SOA',
    'TYPE65280',
  );
  const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ maxLength: 20 }));
  return fc.array(fc.record({ name: names, type: types, ttl: fc.nat(9), data: text }), { maxLength: 8 });
}

function claimOf(kind: Claim['kind'], name: Name, targets: readonly Name[]): Claim {
  switch (kind) {
    case 'alias':
    case 'alias-loop':
      return { kind, link: { owner: targets[1] ?? name, target: targets[0] ?? name } };
    case 'answer':
    case 'nxdomain':
    case 'nodata':
      return { kind };
    case 'referral':
      return { kind, to: targets[0] ?? name };
  }
}

/** The same is known of every name that may matter. */
function everywhere(
  kind: Cut['kind'] | 'insecure' | 'unknown',
  names: readonly Name[],
  records: readonly ResourceRecord[],
): ZoneFacts {
  if (kind === 'unknown') return { cuts: new Map(), keys: new Map() };
  const cut: Cut =
    kind === 'insecure' || kind === 'cut'
      ? { kind: 'cut', trust: kind === 'cut' ? trustFrom(signersOf()) : INSECURE }
      : { kind };
  const all = [...names, ...records.map(({ name }) => name), parseName('b.a')];
  return { cuts: new Map(all.map((name) => [name, cut])), keys: new Map(all.map((name) => [name, 'none'])) };
}

function signersOf() {
  return [{ type: 'DS', data: ZONE.ds.replace(/^.* DS /, '') }];
}
