/** How a signed zone denies that something is there. */
export type Denial =
  | { readonly kind: 'nsec' }
  | { readonly kind: 'nsec3'; readonly iterations: number; readonly optOut: boolean };

/** ECDSA with SHA-256 is what most use today, RSA what they used before, Ed25519 what comes next. */
export type SigningAlgorithm = 'RSASHA256' | 'ECDSAP256SHA256' | 'ED25519';

/** When a zone is signed: what is signed long ago has expired, what is signed in advance is not yet valid. */
export type SigningTime = 'now' | 'long ago' | 'in advance';

/** The numbers by which records name algorithms (RFC 8624). */
export const ALGORITHM_NUMBERS: Readonly<Record<SigningAlgorithm, number>> = {
  RSASHA256: 8,
  ECDSAP256SHA256: 13,
  ED25519: 15,
};

/** What is to be signed, and how. */
export interface SigningOrder {
  readonly origin: string;
  /** The zone without signatures, as a zone file. */
  readonly text: string;
  readonly denial: Denial;
  readonly time: SigningTime;
}

/** A zone's keys, and the tool that made them. */
export interface KeySet {
  /** The DS records' data, one for each digest that the tool makes. */
  readonly ds: readonly string[];
  /** With it a PowerDNS server can sign the zone itself; absent from keys of other tools. */
  readonly privateKey?: string;
  /** Signs with them; the records come as lines, with all names in full. */
  readonly sign: (order: SigningOrder) => Promise<readonly string[]>;
}

/** Makes keys for a zone; they stay in `directory`, which is new and its own. */
export type MakeKeys = (origin: string, algorithm: SigningAlgorithm, directory: string) => Promise<KeySet>;

const DAY_S = 86_400;

/** The moment at which a tool is told to sign, in seconds since 1970. */
export function signingMoment(time: SigningTime): number {
  const now = Math.floor(Date.now() / 1000);
  switch (time) {
    case 'now':
      return now;
    case 'long ago':
      return now - 300 * DAY_S;
    case 'in advance':
      return now + 300 * DAY_S;
  }
}

/** The records of a zone file that has each on a line of its own and all names in full; comments left out. */
export function recordLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/\s*;[^"]*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('$'));
}

/** The data of the DS records among some lines. */
export function dsData(text: string): readonly string[] {
  return recordLines(text).flatMap((line) => /\sDS\s+(.*)/.exec(line)?.[1] ?? []);
}

/** The owner and the type of a record on a line. */
export function ownerAndType(line: string): { readonly owner: string; readonly type: string } {
  const [owner = '', ...rest] = line.split(/\s+/);
  return { owner: owner.toLowerCase(), type: rest.find((word) => !/^(?:\d+|IN)$/.test(word)) ?? '' };
}

/** The type that a line's RRSIG covers; undefined for other records. */
export function coveredType(line: string): string | undefined {
  return ownerAndType(line).type === 'RRSIG' ? /\sRRSIG\s+(\S+)/.exec(line)?.[1] : undefined;
}
