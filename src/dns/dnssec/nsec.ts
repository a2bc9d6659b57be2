/* What NSEC records prove: a name or type that does not exist, an unsigned cut (RFC 4035 5.4). */

import { isAtOrBelow, isBelow, type Name, parentOf, ROOT } from '../name.ts';
import { compareNames } from './canonical.ts';
import { cutLack, endsAuthority, isUnsignedCut, type Nsec, typeLack, wildcardAt } from './denial-records.ts';
import { isFound, type Lack, type ProofFound } from './verdict.ts';

/** RFC 4035 5.4: neither the name exists nor the wildcard that would make it. */
export function nsecNameError(nsecs: readonly Nsec[], zone: Name, name: Name): ProofFound {
  const covering = covers(nsecs, zone, name);
  if (covering === undefined) return coverLack(nsecs, zone, name, 'name');
  if (isBelow(covering.next, name)) return { kind: 'exists', of: 'name', name };
  const wildcard = wildcardAt(closestEncloser(covering, name));
  const above = covers(nsecs, zone, wildcard);
  if (above === undefined) return coverLack(nsecs, zone, wildcard, 'wildcard');
  return isBelow(above.next, wildcard) ? { kind: 'exists', of: 'wildcard', name: wildcard } : 'secure';
}

/** RFC 4035 5.4, 3.1.3.1, 3.1.3.4: the name, or the wildcard that makes it, has no records of the type. */
export function nsecNoData(nsecs: readonly Nsec[], zone: Name, name: Name, type: string): ProofFound {
  const own = hasNoData(nsecs, zone, { of: 'name', name }, type);
  if (isFound(own)) return own;
  const covering = covers(nsecs, zone, name);
  if (covering === undefined) return own;
  const wildcard = wildcardAt(closestEncloser(covering, name));
  const found = hasNoData(nsecs, zone, { of: 'wildcard', name: wildcard }, type);
  return isFound(found) ? 'secure' : found;
}

/** RFC 4035 5.3.4: the name does not exist, and no name is nearer to it than the wildcard's parent. */
export function nsecWildcard(nsecs: readonly Nsec[], zone: Name, name: Name, wildcard: Name): ProofFound {
  const covering = covers(nsecs, zone, name);
  if (covering === undefined) return coverLack(nsecs, zone, name, 'name');
  if (isBelow(covering.next, name)) return { kind: 'exists', of: 'name', name };
  const encloser = closestEncloser(covering, name);
  return wildcardAt(encloser) === wildcard ? 'secure' : { kind: 'nearer-name', name: encloser, wildcard };
}

/** RFC 4035 5.2, RFC 6840 4.4: the name is a zone cut, and has no DS. */
export function nsecUnsignedCut(nsecs: readonly Nsec[], name: Name): ProofFound {
  const own = nsecs.find(({ owner }) => owner === name);
  if (own === undefined) return matchLack(nsecs, { of: 'name', name });
  return cutLack(own.types, name) ?? 'cut';
}

/** A name that is to have no data. */
interface Subject {
  readonly of: 'name' | 'wildcard';
  readonly name: Name;
}

function hasNoData(nsecs: readonly Nsec[], zone: Name, subject: Subject, type: string): ProofFound {
  const { name } = subject;
  const own = nsecs.find(({ owner }) => owner === name);
  if (own !== undefined) {
    const lack = typeLack(own.types, type, name === ROOT);
    if (lack !== undefined) return { ...subject, ...lack };
    return isUnsignedCut(own.types) ? 'cut' : 'secure';
  }
  // An empty non-terminal: a name below exists (RFC 4592 2.2.2), so the name does.
  const covering = covers(nsecs, zone, name);
  return covering !== undefined && isBelow(covering.next, name) ? 'secure' : matchLack(nsecs, subject);
}

/** Whether one of the records says that a name of the zone does not exist: neither it nor a name below. */
export function nsecDeniesName(nsecs: readonly Nsec[], zone: Name, name: Name): boolean {
  const covering = covers(nsecs, zone, name);
  return covering !== undefined && !isBelow(covering.next, name);
}

/** The record between whose names the name would be, if it is one that may speak of it. */
function covers(nsecs: readonly Nsec[], zone: Name, name: Name): Nsec | undefined {
  if (!isBelow(name, zone)) return undefined;
  return nsecs.find((nsec) => spans(nsec, zone, name) && !isBeyond(nsec, name));
}

function spans({ owner, next }: Nsec, zone: Name, name: Name): boolean {
  if (compareNames(owner, name) >= 0) return false;
  // RFC 4034 4.1.1: the last name's next is the apex.
  return next === zone || compareNames(name, next) < 0;
}

/** Whether the record's name is a cut or DNAME above the name. */
function isBeyond({ owner, types }: Nsec, name: Name): boolean {
  return isBelow(name, owner) && endsAuthority(types);
}

/** Why no record covers a name. */
function coverLack(nsecs: readonly Nsec[], zone: Name, name: Name, of: Subject['of']): Lack {
  if (nsecs.length === 0) return NO_RECORD;
  if (nsecs.some(({ owner }) => owner === name)) return { kind: 'exists', of, name };
  const above = nsecs.find((nsec) => isBelow(name, zone) && spans(nsec, zone, name));
  return above === undefined
    ? { kind: 'not-covered', of, name }
    : { kind: 'ends-authority', name: above.owner };
}

function matchLack(nsecs: readonly Nsec[], subject: Subject): Lack {
  return nsecs.length === 0 ? NO_RECORD : { kind: 'not-matched', ...subject };
}

const NO_RECORD: Lack = { kind: 'no-record' };

/** The deepest name above that exists, as the names on both sides show. */
function closestEncloser({ owner, next }: Nsec, name: Name): Name {
  let at = parentOf(name) ?? ROOT;
  while (!isAtOrBelow(owner, at) && !isAtOrBelow(next, at)) at = parentOf(at) ?? ROOT;
  return at;
}
