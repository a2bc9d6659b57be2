import { isBelow, type Name, substituteSuffix } from '../wire/name.ts';
import { type ResourceRecord, targetOf } from '../wire/record.ts';

/** What an answer section says of one name: CNAME targets at it, and the DNAME that redirects it. */
export interface AliasAt {
  /** Distinct targets, in the order of their records. */
  readonly cnames: readonly Name[];
  readonly dname?: {
    readonly owner: Name;
    /** What the DNAME makes of the name; absent if that is too long (RFC 6672 2.2). */
    readonly makes?: Name;
  };
}

/** Reads the aliases that concern a name. Of several DNAMEs above it the nearest counts. */
export function aliasAt(answer: readonly ResourceRecord[], name: Name): AliasAt {
  const internet = answer.filter((record) => record.class === undefined);
  const cnames = internet.filter((record) => record.type === 'CNAME' && record.name === name).map(targetOf);
  const above = internet.filter((record) => record.type === 'DNAME' && isBelow(name, record.name));
  const nearest = above.sort((a, b) => b.name.length - a.name.length)[0];
  if (nearest === undefined) return { cnames: [...new Set(cnames)] };
  const makes = substituteSuffix(name, nearest.name, targetOf(nearest));
  const dname = { owner: nearest.name, ...(makes === undefined ? {} : { makes }) };
  return { cnames: [...new Set(cnames)], dname };
}
