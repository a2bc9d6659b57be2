import { toLatin1 } from '../../base/encodings.ts';
import type { Primitives } from './crypto.ts';
import type { ZoneKey } from './keys.ts';
import type { Signature } from './rrset.ts';

/** The parameters that all verdicts of one evaluation share. */
export interface Validation {
  /** The moment at which signatures must be valid: whole seconds since 1970. */
  readonly time: number;
  readonly digest: Primitives['digest'];
  readonly checks: SignatureChecks;
  /** How many digests were made. Absent: nobody counts them. */
  readonly digests?: () => number;
  /** Failures in the reply at hand. Absent: the bounds of each RRset are enough. */
  readonly failed?: FailedChecks;
}

/**
 * Checks signatures, and remembers what it found: many servers send the same RRset, and each of its signatures is
 * checked once.
 */
export class SignatureChecks {
  readonly #primitives: Primitives;
  readonly #found: Map<string, boolean>;
  #asked = 0;
  #slowAsked = 0;

  /** `found`: what others found of the same replies before. */
  constructor(primitives: Primitives, found: SignaturesFound = new Map()) {
    this.#primitives = primitives;
    this.#found = new Map(found);
  }

  /** What it found of each signature that it checked: what validation costs most. */
  get found(): SignaturesFound {
    return this.#found;
  }

  /** How often it was asked, whatever it remembered: the same in every run. Checks that take long apart. */
  get asked(): number {
    return this.#asked;
  }

  /** How often it was asked for a check that takes many times as long as others. */
  get slowAsked(): number {
    return this.#slowAsked;
  }

  /** Whether a key made a signature over the data. */
  verify(key: ZoneKey, { algorithm, signature }: Signature, data: Uint8Array): boolean {
    if (isSlow(key)) this.#slowAsked += 1;
    else this.#asked += 1;
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

/** Whether signatures were made with a key over data, by what identifies all three. */
export type SignaturesFound = ReadonlyMap<string, boolean>;

/** ECDSA P-384 and Ed448, which Node computes without much help of the processor, and RSA with an exponent beyond the usual 65537. */
function isSlow({ algorithm, publicKey: [exponentLength = 0] }: ZoneKey): boolean {
  return algorithm === 14 || algorithm === 16 || (algorithm <= 10 && exponentLength > 3);
}

/**
 * So many checks of a reply's signatures may fail. One that is honest and broken fails a few times for each RRset, and is
 * bogus whatever else it has.
 */
const MOST_FAILURES = 8;

/**
 * Counts the checks of one reply's signatures that fail. A hostile reply can bring hundreds that have to be checked, with
 * several keys each, to be found wrong (CVE-2023-50387). Those that are right cost their zone as much as us.
 */
export class FailedChecks {
  #failures = 0;

  /** Whether none of the reply's signatures is checked any more. */
  get areTooMany(): boolean {
    return this.#failures >= MOST_FAILURES;
  }

  /** One more. */
  count(): void {
    this.#failures += 1;
  }
}
