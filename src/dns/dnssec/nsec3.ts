/* What NSEC3 records prove: a name or type that does not exist, an unsigned cut (RFC 5155 8). */

import { concat, fromHex, toBase32hex } from '../../base/encodings.ts';
import { getOrMake } from '../../base/memo.ts';
import { labelCount, type Name, nameToWire, parentOf, ROOT } from '../name.ts';
import type { Primitives } from './crypto.ts';
import {
  cutLack,
  endsAuthority,
  type HashParameters,
  isUnsignedCut,
  type Nsec3,
  typeLack,
  wildcardAt,
} from './denial-records.ts';
import type { Lack, ProofFound } from './verdict.ts';

/** RFC 5155 8.4: neither the name exists nor the wildcard that would make it. */
export function nsec3NameError(hashed: Hashed, name: Name): ProofFound {
  const proof = closestEncloser(hashed, name);
  if (isLack(proof)) return matching(hashed, name) ? existing(hashed, 'name', name) : proof;
  const wildcard = wildcardAt(proof.encloser);
  return covering(hashed, wildcard) ? proof.found : coverLack(hashed, 'wildcard', wildcard);
}

/** The NSEC3 records of one zone, and the hash that they go by. */
export interface Hashed {
  readonly zone: Name;
  readonly nsec3s: readonly Nsec3[];
  readonly hash: HashName;
}

/** RFC 5155 8.5, 8.6, 8.7: the name, or the wildcard that makes it, has no records of the type. */
export function nsec3NoData(hashed: Hashed, name: Name, type: string): ProofFound {
  const own = matching(hashed, name);
  if (own !== undefined) {
    const lack = typeLack(own.types, type, name === ROOT);
    if (lack !== undefined) return { of: 'name', name, ...lack };
    return isUnsignedCut(own.types) ? 'cut' : 'secure';
  }
  const proof = closestEncloser(hashed, name);
  if (isLack(proof)) return matchLack(hashed, 'name', name);
  const lack = wildcardLack(hashed, wildcardAt(proof.encloser), type);
  // RFC 5155 8.6; the erratum 3441 for names that exist only because insecure ones below them do.
  if (lack === undefined || proof.found === 'opt-out') return proof.found;
  return type === 'DS' ? optOutLack(hashed, proof) : lack;
}

function wildcardLack(hashed: Hashed, wildcard: Name, type: string): Lack | undefined {
  const match = matching(hashed, wildcard);
  if (match === undefined) return matchLack(hashed, 'wildcard', wildcard);
  const lack = typeLack(match.types, type, false);
  return lack && { of: 'wildcard', name: wildcard, ...lack };
}

/** RFC 5155 8.8: no name is nearer than the wildcard's parent. */
export function nsec3Wildcard(hashed: Hashed, name: Name, wildcard: Name): ProofFound {
  const nextCloser = ancestor(name, labelCount(wildcard));
  const cover = covering(hashed, nextCloser);
  if (cover === undefined) return coverLack(hashed, 'next-closer', nextCloser);
  return cover.optOut ? 'opt-out' : 'secure';
}

/** RFC 5155 8.9, RFC 6840 4.4: the name is a zone cut without DS, or may be one that was opted out. */
export function nsec3UnsignedCut(hashed: Hashed, name: Name): ProofFound {
  const own = matching(hashed, name);
  if (own !== undefined) return cutLack(own.types, name) ?? 'cut';
  const proof = closestEncloser(hashed, name);
  if (isLack(proof)) return matchLack(hashed, 'name', name);
  return proof.found === 'opt-out' ? 'opt-out' : optOutLack(hashed, proof);
}

/** Whether one of the records says that a name does not exist, signed or not. */
export function nsec3DeniesName(hashed: Hashed, name: Name): boolean {
  return covering(hashed, name)?.optOut === false;
}

/** Whether the record of a name says that it has no records of the type. */
export function nsec3DeniesType(hashed: Hashed, name: Name, type: string): boolean {
  const own = matching(hashed, name);
  return own !== undefined && typeLack(own.types, type, name === ROOT) === undefined;
}

/** The deepest name above that exists, and how it is shown that the name below it does not. */
interface EncloserProof {
  readonly encloser: Name;
  readonly nextCloser: Name;
  readonly found: 'secure' | 'opt-out';
}

/** RFC 5155 8.3: the closest encloser matches, and the next closer name is covered. */
function closestEncloser(hashed: Hashed, name: Name): EncloserProof | Lack {
  let nextCloser = name;
  for (let at = parentAt(name, hashed.zone); at !== undefined; at = parentAt(at, hashed.zone)) {
    const match = matching(hashed, at);
    if (match !== undefined) {
      if (endsAuthority(match.types)) return { kind: 'ends-authority', name: at };
      const cover = covering(hashed, nextCloser);
      if (cover === undefined) return coverLack(hashed, 'next-closer', nextCloser);
      return { encloser: at, nextCloser, found: cover.optOut ? 'opt-out' : 'secure' };
    }
    nextCloser = at;
  }
  return { kind: 'not-matched', of: 'closest-encloser', name };
}

function isLack(proof: EncloserProof | Lack): proof is Lack {
  return 'kind' in proof;
}

type Of = Extract<Lack, { of: unknown }>['of'];

/** Why no record covers a name. */
function coverLack(hashed: Hashed, of: Of, name: Name): Lack {
  if (matching(hashed, name) !== undefined) return existing(hashed, of, name);
  return { kind: 'not-covered', of, name, hash: hashed.hash(name) };
}

function existing({ hash }: Hashed, of: Of, name: Name): Lack {
  return { kind: 'exists', of, name, hash: hash(name) };
}

function matchLack({ hash }: Hashed, of: Of, name: Name): Lack {
  return { kind: 'not-matched', of, name, hash: hash(name) };
}

function optOutLack({ hash }: Hashed, { nextCloser: name }: EncloserProof): Lack {
  return { kind: 'no-opt-out', name, hash: hash(name) };
}

/** The name above, up to the zone's apex. */
function parentAt(name: Name, zone: Name): Name | undefined {
  return name === zone ? undefined : parentOf(name);
}

/** The name with so many labels that is the name itself or above it. */
function ancestor(name: Name, labels: number): Name {
  let at = name;
  for (let more = labelCount(name) - labels; more > 0; more -= 1) at = parentOf(at) ?? ROOT;
  return at;
}

function matching({ nsec3s, hash }: Hashed, name: Name): Nsec3 | undefined {
  const wanted = hash(name);
  return nsec3s.find((one) => one.hash === wanted);
}

function covering({ nsec3s, hash }: Hashed, name: Name): Nsec3 | undefined {
  const wanted = hash(name);
  return nsec3s.find((one) => coversHash(one, wanted));
}

/**
 * Whether a record says that no name has this hash. Base32hex sorts as the octets do. The last record's next hash is the first
 * one (RFC 5155 3.1.7).
 */
export function coversHash({ hash: from, next: to }: Nsec3, wanted: string): boolean {
  return from < to ? from < wanted && wanted < to : wanted > from || wanted < to;
}

/** A name's hash in base32hex. */
export type HashName = (name: Name) => string;

/** Hashes names (RFC 5155 5), each once. */
export function nameHasher({ iterations, salt }: HashParameters, digest: Primitives['digest']): HashName {
  const salted = salt === '-' ? new Uint8Array() : fromHex(salt);
  const known = new Map<Name, string>();
  return (name) =>
    getOrMake(known, name, () => {
      let octets = digest('sha1', concat([nameToWire(name), salted]));
      const hashedAgain = concat([octets, salted]);
      for (let round = 0; round < iterations; round += 1) {
        hashedAgain.set(octets);
        octets = digest('sha1', hashedAgain);
      }
      return toBase32hex(octets);
    });
}
