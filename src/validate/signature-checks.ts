import { toLatin1 } from '../encodings.ts';
import type { Primitives } from './primitives.ts';
import type { Signature } from './signature.ts';
import type { ZoneKey } from './zone-key.ts';

/**
 * Checks signatures, and remembers what it found: many servers send the same RRset, and each of its signatures is
 * checked once.
 */
export class SignatureChecks {
  readonly #primitives: Primitives;
  readonly #found = new Map<string, boolean>();
  #asked = 0;

  constructor(primitives: Primitives) {
    this.#primitives = primitives;
  }

  /** How many signatures were checked: what validation costs most. */
  get made(): number {
    return this.#found.size;
  }

  /** How often it was asked, whatever it remembered: the same in every run. */
  get asked(): number {
    return this.#asked;
  }

  /** Whether a key made a signature over the data. */
  verify(key: ZoneKey, { algorithm, signature }: Signature, data: Uint8Array): boolean {
    this.#asked += 1;
    const id = this.#idOf([key.rdata, signature, data]);
    const before = this.#found.get(id);
    if (before !== undefined) return before;
    const verifies = this.#primitives.verify(algorithm, key.publicKey, data, signature);
    this.#found.set(id, verifies);
    return verifies;
  }

  /** Whole octets as keys would keep every message a second time. */
  #idOf(parts: readonly Uint8Array[]): string {
    return parts.map((part) => toLatin1(this.#primitives.digest('sha256', part))).join('');
  }
}
