import { isAtOrBelow, isBelow, type Name, parentOf, ROOT } from '../name.ts';
import { compareNames } from './canonical.ts';
import {
  endsAuthority,
  isUnsignedCut,
  lacksType,
  type Nsec,
  type ProofFound,
  wildcardAt,
} from './denial-records.ts';

/** RFC 4035 5.4: neither the name exists nor the wildcard that would make it. */
export function nsecNameError(nsecs: readonly Nsec[], zone: Name, name: Name): ProofFound {
  const covering = covers(nsecs, zone, name);
  if (covering === undefined || isBelow(covering.next, name)) return undefined;
  const wildcard = wildcardAt(closestEncloser(covering, name));
  const above = covers(nsecs, zone, wildcard);
  return above !== undefined && !isBelow(above.next, wildcard) ? 'secure' : undefined;
}

/** RFC 4035 5.4, 3.1.3.1, 3.1.3.4: the name, or the wildcard that makes it, has no records of the type. */
export function nsecNoData(nsecs: readonly Nsec[], zone: Name, name: Name, type: string): ProofFound {
  const own = hasNoData(nsecs, zone, name, type);
  if (own !== undefined) return own;
  const covering = covers(nsecs, zone, name);
  if (covering === undefined) return undefined;
  const wildcard = wildcardAt(closestEncloser(covering, name));
  return hasNoData(nsecs, zone, wildcard, type) === undefined ? undefined : 'secure';
}

/** RFC 4035 5.3.4: the name does not exist, and no name is nearer to it than the wildcard's parent. */
export function nsecWildcard(nsecs: readonly Nsec[], zone: Name, name: Name, wildcard: Name): ProofFound {
  const covering = covers(nsecs, zone, name);
  if (covering === undefined || isBelow(covering.next, name)) return undefined;
  return wildcardAt(closestEncloser(covering, name)) === wildcard ? 'secure' : undefined;
}

/** RFC 4035 5.2, RFC 6840 4.4: the name is a zone cut, and has no DS. */
export function nsecUnsignedCut(nsecs: readonly Nsec[], name: Name): ProofFound {
  const own = nsecs.find(({ owner }) => owner === name);
  return own !== undefined && isUnsignedCut(own.types) ? 'cut' : undefined;
}

function hasNoData(nsecs: readonly Nsec[], zone: Name, name: Name, type: string): ProofFound {
  const own = nsecs.find(({ owner }) => owner === name);
  if (own !== undefined) {
    if (!lacksType(own.types, type, name === ROOT)) return undefined;
    return isUnsignedCut(own.types) ? 'cut' : 'secure';
  }
  // An empty non-terminal: a name below exists (RFC 4592 2.2.2), so the name does.
  const covering = covers(nsecs, zone, name);
  return covering !== undefined && isBelow(covering.next, name) ? 'secure' : undefined;
}

/** Whether one of the records says that a name of the zone does not exist: neither it nor a name below. */
export function nsecDeniesName(nsecs: readonly Nsec[], zone: Name, name: Name): boolean {
  const covering = covers(nsecs, zone, name);
  return covering !== undefined && !isBelow(covering.next, name);
}

/** The record between whose names the name would be, if it is one that may speak of it. */
function covers(nsecs: readonly Nsec[], zone: Name, name: Name): Nsec | undefined {
  if (!isBelow(name, zone)) return undefined;
  return nsecs.find(({ owner, next, types }) => {
    if (compareNames(owner, name) >= 0) return false;
    // RFC 4034 4.1.1: the last name's next is the apex.
    const isLast = next === zone;
    if (!isLast && compareNames(name, next) >= 0) return false;
    return !(isBelow(name, owner) && endsAuthority(types));
  });
}

/** The deepest name above that exists, as the names on both sides show. */
function closestEncloser({ owner, next }: Nsec, name: Name): Name {
  let at = parentOf(name) ?? ROOT;
  while (!isAtOrBelow(owner, at) && !isAtOrBelow(next, at)) at = parentOf(at) ?? ROOT;
  return at;
}
