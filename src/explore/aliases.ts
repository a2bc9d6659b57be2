import { getOrMake } from '../base/memo.ts';
import type { AliasLink } from '../dns/dnssec/verdict.ts';
import type { Question } from '../dns/message.ts';
import { type Name, parentOf, substituteSuffix } from '../dns/name.ts';
import { type Records, targetOf } from '../dns/record.ts';

/** The alias at the name asked, if the reply has one and the question does not ask for it. */
export function firstAlias(answer: Records, { name, type }: Question): AliasLink | undefined {
  if (type === 'CNAME' || type === 'ANY') return undefined;
  const { cnames, dname } = aliasAt(answer, name);
  const [target] = cnames;
  if (target !== undefined) return { owner: name, target };
  // RFC 6672 2.2: a result that does not fit in a name is not followed.
  return dname?.makes === undefined ? undefined : { owner: dname.owner, target: dname.makes };
}

/** What an answer section says of one name: CNAME targets at it, and the DNAME that redirects it. */
interface AliasAt {
  /** Distinct targets, in the order of their records. */
  readonly cnames: readonly Name[];
  /** Of several DNAMEs above the name the nearest one. */
  readonly dname?: {
    readonly owner: Name;
    /** What the DNAME makes of the name; absent if that is too long (RFC 6672 2.2). */
    readonly makes?: Name;
  };
}

/** Reads the aliases that concern a name, in a time that does not depend on the number of records. */
export function aliasAt(answer: Records, name: Name): AliasAt {
  const { cnames, dnames } = aliasRecords(answer);
  const at = { cnames: [...(cnames.get(name) ?? [])] };
  const owner = dnames.size === 0 ? undefined : nearestAbove(name, dnames);
  const suffix = owner && dnames.get(owner);
  if (owner === undefined || suffix === undefined) return at;
  const makes = substituteSuffix(name, owner, suffix);
  return { ...at, dname: { owner, ...(makes === undefined ? {} : { makes }) } };
}

/** Targets by owner, of records of class IN whose data fit their type. */
interface AliasRecords {
  readonly cnames: ReadonlyMap<Name, ReadonlySet<Name>>;
  /** The first of each owner. */
  readonly dnames: ReadonlyMap<Name, Name>;
}

const known = new WeakMap<Records, AliasRecords>();

/** An answer section may hold thousands of aliases: they are sorted by owner once. */
function aliasRecords(answer: Records): AliasRecords {
  return getOrMake(known, answer, () => {
    const cnames = new Map<Name, Set<Name>>();
    const dnames = new Map<Name, Name>();
    for (const record of answer) {
      const { type } = record;
      if ((type !== 'CNAME' && type !== 'DNAME') || record.class !== undefined) continue;
      const target = targetOf(record);
      if (target === undefined) continue;
      if (type === 'CNAME') getOrMake(cnames, record.name, () => new Set<Name>()).add(target);
      else if (!dnames.has(record.name)) dnames.set(record.name, target);
    }
    return { cnames, dnames };
  });
}

function nearestAbove(name: Name, owners: ReadonlyMap<Name, Name>): Name | undefined {
  let above = parentOf(name);
  while (above !== undefined && !owners.has(above)) above = parentOf(above);
  return above;
}
