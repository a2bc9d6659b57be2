import fc from 'fast-check';
import { typeCode } from '../../../src/dns/codes.ts';
import { decodeMessage } from '../../../src/dns/decode.ts';
import { keysOf, zoneKeyIn } from '../../../src/dns/dnssec/keys.ts';
import { NODE_CRYPTO } from '../../../src/dns/dnssec/node-crypto.ts';
import { rrsetsIn } from '../../../src/dns/dnssec/rrset.ts';
import { SignatureChecks } from '../../../src/dns/dnssec/validation.ts';
import { type Verified, verifyRrset } from '../../../src/dns/dnssec/verify.ts';
import { encodeMessage } from '../../../src/dns/encode.ts';
import { type Name, nameFromLabels, nameToWire, parseName } from '../../../src/dns/name.ts';
import { signatureFields, signedOctets } from '../../../src/lab/signing/signer.ts';
import { type SigningKey, signingKey } from '../../../src/lab/signing/signing-key.ts';
import { hex } from '../../dns/message-bytes.ts';
import { rdataRows } from '../../dns/rdata-rows.ts';
import { labels } from '../names.ts';
import { must, subject } from '../subject.ts';

/** An RRset to be signed, and a change to what is sent of it. */
interface SignedRrset {
  /** Below the zone's apex. */
  readonly labels: readonly Uint8Array[];
  readonly type: string;
  /** Of each record. */
  readonly data: readonly Uint8Array[];
  readonly ttl: number;
  readonly algorithm: number;
  readonly change: Change;
}

/** One octet of one part is combined with another, which is not 0. */
interface Change {
  readonly part: 'owner' | 'data' | 'signature' | 'key';
  readonly at: number;
  readonly by: number;
}

/** RRsets of every type, whatever their data. */
function signedRrsets(): fc.Arbitrary<SignedRrset> {
  return fc
    .record({
      labels: fc.array(labels, { maxLength: 3 }),
      rrset: fc.oneof({ weight: 2, arbitrary: fitting() }, { weight: 1, arbitrary: any() }),
      ttl: fc.nat(0x7fff_ffff),
      // RSA signatures take long.
      algorithm: fc.constantFrom(13, 13, 13, 15, 14, 16, 8),
      change: fc.record({
        part: fc.constantFrom('owner' as const, 'data' as const, 'signature' as const, 'key' as const),
        at: fc.nat(0xffff),
        by: fc.integer({ min: 1, max: 0xff }),
      }),
    })
    .map(({ rrset, ...rest }) => ({ ...rest, ...rrset }));
}

type TypedData = Pick<SignedRrset, 'type' | 'data'>;

const TYPES = [...new Set(rdataRows.map(([type]) => type))].filter((type) => typeCode(type) !== undefined);

/** Data that tests know, several of a type. */
function fitting(): fc.Arbitrary<TypedData> {
  return fc.constantFrom(...TYPES).chain((type) => {
    const rows = rdataRows.filter((row) => row[0] === type).map(([, octets]) => hex(octets));
    return fc.record({
      type: fc.constant(type),
      data: fc.array(fc.constantFrom(...rows), { minLength: 1, maxLength: 4 }),
    });
  });
}

/** Octets that a type may or may not have. */
function any(): fc.Arbitrary<TypedData> {
  return fc.record({
    type: fc.constantFrom(...TYPES),
    data: fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 3 }),
  });
}

const ZONE = parseName('zone.test');
const TIME = 1_000_000_000;

/** What is signed verifies when it was sent and read, whatever its type and data; once an octet has changed it does not. */
export const signatures = subject('signatures', 3_000, signedRrsets(), (rrset) => {
  if (rrset.type === 'RRSIG' || rrset.type === 'OPT' || tooLong(rrset)) return;
  const sent = signed(rrset);
  const before = verified(sent);
  if (isCanonical(rrset))
    must(before !== undefined && before.wildcard === undefined, 'what was signed does not verify');
  const changed = withChange(rrset, sent);
  if (changed === undefined) return;
  const after = verified(changed.sent);
  if (changed.isCase || before === undefined) return;
  const wasWildcard = rrset.labels[0]?.toString() === ASTERISK;
  must(after === undefined || (wasWildcard && after.wildcard !== undefined), 'what was changed verifies');
});

const ASTERISK = '42';

/** What goes over the wire, and the key by which it is judged. */
interface Sent {
  readonly owner: readonly Uint8Array[];
  readonly type: string;
  readonly ttl: number;
  readonly data: readonly Uint8Array[];
  readonly signature: Uint8Array;
  readonly key: Uint8Array;
}

function tooLong({ labels }: SignedRrset): boolean {
  return labels.reduce((sum, { length }) => sum + length + 1, 0) > 200;
}

function signed({ labels, type, data, ttl, algorithm }: SignedRrset): Sent {
  const key: SigningKey = signingKey(ZONE, {}, { algorithm });
  const set = { owner: ownerOf(labels), type, ttl, data };
  const fields = signatureFields(set, key, { signer: ZONE, inception: TIME - 1, expiration: TIME + 1 });
  const signature = Buffer.concat([fields, key.sign(signedOctets(fields, set))]);
  return { owner: labels, type, ttl, data, signature, key: key.dnskey };
}

function ownerOf(labels: readonly Uint8Array[]): Name {
  const name = nameFromLabels(labels.length === 0 ? [Uint8Array.of(0x40)] : labels);
  return parseName(`${name}${ZONE}`);
}

function verified({ owner, type, ttl, data, signature, key }: Sent): Verified | undefined {
  const name = ownerOf(owner);
  const records = data.map((rdata) => ({ name, type, ttl, rdata }));
  const message = decodeMessage(
    encodeMessage({
      id: 1,
      flags: ['qr'],
      rcode: 'NOERROR',
      questions: [],
      answer: [...records, { name, type: 'RRSIG', ttl, rdata: signature }],
      authority: [],
      additional: [],
    }),
  );
  const rrset = rrsetsIn(message.answer).find(name, type);
  if (rrset === undefined) return undefined;
  const keys = keysOf(ZONE, [zoneKeyIn(key)]);
  const checks = new SignatureChecks(NODE_CRYPTO);
  const found = verifyRrset(rrset, keys, { time: TIME, digest: NODE_CRYPTO.digest, checks });
  return found.kind === 'verified' ? found : undefined;
}

/** Types with names that are signed in small letters (RFC 4034 6.2), and may be sent compressed. */
const LOWERED = new Set(
  'NS MD MF CNAME SOA MB MG MR PTR HINFO MINFO MX RP AFSDB RT SIG PX NAPTR KX SRV DNAME NXT A6'.split(' '),
);

/** Whether octets are surely signed as they are. */
function isCanonical({ type, data }: SignedRrset): boolean {
  if (!LOWERED.has(type)) return true;
  return data.every((octets) => octets.every((octet) => octet < 0xc0 && !(octet >= 0x41 && octet <= 0x5a)));
}

/** The same with an octet changed; undefined if there is none. Whether only the case of a letter is another. */
function withChange(
  { change, type }: SignedRrset,
  sent: Sent,
): { readonly sent: Sent; readonly isCase: boolean } | undefined {
  const { part, at, by } = change;
  switch (part) {
    case 'owner': {
      const owner = changedIn(sent.owner, at, by);
      return owner && { sent: { ...sent, owner: owner.parts }, isCase: owner.isCase };
    }
    case 'data': {
      const data = changedIn(sent.data, at, by);
      return data && { sent: { ...sent, data: data.parts }, isCase: data.isCase && LOWERED.has(type) };
    }
    case 'signature': {
      const signature = changedIn([sent.signature], at, by);
      const [octets] = signature?.parts ?? [];
      // The signer's name is between the fields and the signature.
      const isInName = at % sent.signature.length < 18 + nameToWire(ZONE).length;
      return (
        octets && { sent: { ...sent, signature: octets }, isCase: isInName && signature?.isCase === true }
      );
    }
    case 'key': {
      const [key] = changedIn([sent.key], at, by)?.parts ?? [];
      return key && { sent: { ...sent, key }, isCase: false };
    }
  }
}

function changedIn(parts: readonly Uint8Array[], at: number, by: number) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length === 0) return undefined;
  let left = at % length;
  let isCase = false;
  const changed = parts.map((part) => {
    const here = left;
    left -= part.length;
    if (here < 0 || here >= part.length) return part;
    const octets = Uint8Array.from(part);
    const before = octets[here] ?? 0;
    octets[here] = before ^ by;
    isCase = by === 0x20 && /[a-z]/i.test(String.fromCharCode(before));
    return octets;
  });
  return { parts: changed, isCase };
}
