import { getOrMake } from '../../get-or-make.ts';
import { type Name, parseName } from '../../wire/name.ts';
import type { SignatureFlaw } from './flaws.ts';
import { type SignatureTerms, type SignedSet, signatureFields, signedOctets } from './signature.ts';
import { type SigningKey, signingKey } from './signing-key.ts';
import { EXPIRATION, INCEPTION, signsData, signsKeys, type ZoneSigning } from './zone-signing.ts';

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
