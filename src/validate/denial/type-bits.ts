/** The types that a name has, as an NSEC or NSEC3 record of it says (RFC 4034 4.1.2, RFC 5155 3.2.1). */
export type TypeBits = ReadonlySet<string>;

/** The parent's side of a zone cut: what it says of other types, or of names below, is not its to say (RFC 6840 4.1). */
function isDelegation(types: TypeBits): boolean {
  return types.has('NS') && !types.has('SOA');
}

/** Names below belong to another zone, or are redirected: the record says nothing about them (RFC 6840 4.1). */
export function endsAuthority(types: TypeBits): boolean {
  return isDelegation(types) || types.has('DNAME');
}

/** Whether a name with these types has none of the type asked, nor an alias that stands for it (RFC 6840 4.3). */
export function lacksType(types: TypeBits, type: string, isRoot: boolean): boolean {
  if (types.has('CNAME') || types.has(type)) return false;
  // RFC 4035 5.2, RFC 6840 4.1: DS is the parent's matter, and all else the child's.
  if (type === 'DS') return !types.has('SOA') || isRoot;
  if (type === 'ANY') return [...types].every((one) => PROOF_TYPES.has(one));
  return !isDelegation(types);
}

/** Types that a name may have although nothing was put there. */
const PROOF_TYPES: ReadonlySet<string> = new Set(['RRSIG', 'NSEC']);

/** A zone cut without DS (RFC 4035 5.2, RFC 6840 4.4). */
export function isUnsignedCut(types: TypeBits): boolean {
  return isDelegation(types) && !types.has('DS');
}
