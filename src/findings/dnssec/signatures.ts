import type { Exchanged } from '../../exchange/exchanged.ts';
import { getOrMake } from '../../get-or-make.ts';
import { type Rrset, rrsetsIn } from '../../validate/rrset.ts';
import { type Signature, signaturesOf } from '../../validate/signature.ts';

/** A signature, and what it covers. */
export interface Signed {
  readonly rrset: Rrset;
  readonly signature: Signature;
}

const known = new WeakMap<Exchanged, readonly Signed[]>();

/** The signatures in a reply, but for those of additional records, which prove nothing that anybody uses. */
export function signaturesIn(exchanged: Exchanged): readonly Signed[] {
  return getOrMake(known, exchanged, () => {
    const { outcome } = exchanged;
    if (outcome.kind !== 'reply') return [];
    return [outcome.answer, outcome.authority].flatMap((section) => {
      const types = new Set(section.map(({ type }) => type));
      const rrsets = [...types].flatMap((type) => rrsetsIn(section).ofType(type));
      return rrsets.flatMap((rrset) => signaturesOf(rrset).map((signature) => ({ rrset, signature })));
    });
  });
}

/** "2026-12-24", in UTC. */
export function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}
