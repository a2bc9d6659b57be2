import { getOrMake } from '../../base/memo.ts';
import { typeCode } from '../../dns/codes.ts';
import { labelCount, type Name, nameToWire, parseName } from '../../dns/name.ts';
import { type SigningKey, signingKey } from './signing-key.ts';
import {
  EXPIRATION,
  INCEPTION,
  type SignatureFlaw,
  signsData,
  signsKeys,
  type ZoneSigning,
} from './zone-signing.ts';

/** Signs RRsets of a zone when they are first asked for, and each only once. */
export class Signer {
  readonly #apex: Name;
  readonly #keys: readonly SigningKey[];
  readonly #signing: ZoneSigning;
  readonly #made = new Map<string, Uint8Array>();

  constructor(apex: Name, keys: readonly SigningKey[], signing: ZoneSigning) {
    this.#apex = apex;
    this.#keys = keys;
    this.#signing = signing;
  }

  /** The data of the RRSIG records of an RRset, one for each key that signs it. */
  signatures(set: SignedSet, flaw?: SignatureFlaw): readonly Uint8Array[] {
    if (flaw === 'missing') return [];
    const isKeys = set.type === 'DNSKEY';
    const keys = this.#keys.filter(({ spec }) => (isKeys ? signsKeys(spec) : signsData(spec)));
    return keys.map((key) => this.#signature(set, this.#keyWith(key, flaw), flaw));
  }

  #signature(set: SignedSet, key: SigningKey, flaw: SignatureFlaw | undefined): Uint8Array {
    const fields = signatureFields(set, key, this.#termsWith(flaw));
    const data = signedOctets(fields, set);
    const id = `${key.spec.label} ${flaw} ${data.toString('latin1')}`;
    return getOrMake(this.#made, id, () => {
      const signature = key.sign(data);
      return Buffer.concat([fields, flaw === 'spoilt' ? signature.map((octet) => octet ^ 1) : signature]);
    });
  }

  #keyWith(key: SigningKey, flaw: SignatureFlaw | undefined): SigningKey {
    if (flaw === 'wrong-key')
      return signingKey(this.#apex, { ...key.spec, label: 'unpublished' }, this.#signing);
    if (flaw === 'unsupported-algorithm') return { ...key, algorithm: UNSUPPORTED };
    return key;
  }

  #termsWith(flaw: SignatureFlaw | undefined): SignatureTerms {
    const { inception = INCEPTION, expiration = EXPIRATION } = this.#signing;
    const terms = { signer: this.#apex, inception, expiration };
    if (flaw === 'expired') return { ...terms, expiration: inception + MONTH };
    if (flaw === 'not-yet-valid') return { ...terms, inception: expiration - MONTH };
    if (flaw === 'wrong-signer') return { ...terms, signer: ELSEWHERE };
    return terms;
  }
}

/** Seconds. */
const MONTH = 30 * 86_400;
/** GOST R 34.10-2001, which nobody may use any more (RFC 8624 3.1). */
const UNSUPPORTED = 12;
const ELSEWHERE = parseName('invalid.');

/** What a signature says besides its key. */
interface SignatureTerms {
  readonly signer: Name;
  /** Seconds since 1970. */
  readonly inception: number;
  readonly expiration: number;
}

/** An RRset as it was in the zone: its owner may be a wildcard. */
interface SignedSet {
  readonly owner: Name;
  readonly type: string;
  /** Seconds. */
  readonly ttl: number;
  readonly data: readonly Uint8Array[];
}

/** The fields of an RRSIG record up to the signer's name (RFC 4034 3.1). */
export function signatureFields(set: SignedSet, key: SigningKey, terms: SignatureTerms): Uint8Array {
  const fields = Buffer.alloc(18);
  fields.writeUInt16BE(codeOf(set.type), 0);
  fields.writeUInt8(key.algorithm, 2);
  // RFC 4034 3.1.3: neither the root nor a wildcard's asterisk counts.
  fields.writeUInt8(labelCount(set.owner) - (set.owner.startsWith('*.') ? 1 : 0), 3);
  fields.writeUInt32BE(set.ttl, 4);
  fields.writeUInt32BE(terms.expiration, 8);
  fields.writeUInt32BE(terms.inception, 12);
  fields.writeUInt16BE(key.tag, 16);
  return Buffer.concat([fields, nameToWire(terms.signer)]);
}

/** What is signed (RFC 4034 3.1.8.1): the fields, then the records in canonical form and order. */
export function signedOctets(fields: Uint8Array, { owner, type, ttl, data }: SignedSet): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16BE(codeOf(type), 0);
  head.writeUInt16BE(CLASS_IN, 2);
  head.writeUInt32BE(ttl, 4);
  const name = nameToWire(owner);
  const sorted = [...data].sort(Buffer.compare);
  const distinct = sorted.filter(
    (octets, index) => index === 0 || Buffer.compare(octets, sorted[index - 1] ?? octets) !== 0,
  );
  const records = distinct.flatMap((octets) => [
    name,
    head,
    Uint8Array.of(octets.length >> 8, octets.length & 0xff),
    octets,
  ]);
  return Buffer.concat([fields, ...records]);
}

const CLASS_IN = 1;

function codeOf(type: string): number {
  return typeCode(type) ?? 0;
}
