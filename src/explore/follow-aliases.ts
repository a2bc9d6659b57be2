import { isAtOrBelow, isBelow, type Name, substituteSuffix } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';
import { fitsType, type ResourceRecord, targetOf } from '../wire/record.ts';

/** Where following the aliases of one answer section leads. */
interface Followed {
  /** Owners of the CNAME and DNAME records followed, in order. */
  readonly aliases: readonly Name[];
  /** The name reached, or the one that came back. */
  readonly reached: Name;
  readonly end: 'reached' | 'came-back';
}

/**
 * Follows CNAMEs and DNAMEs from the question's name as long as each owner is at or below the zone:
 * svc-model(7), EXCHANGES rule 3.
 */
export function followAliases(answer: readonly ResourceRecord[], question: Question, zone: Name): Followed {
  const aliases: Name[] = [];
  let reached = question.name;
  if (question.type === 'CNAME' || question.type === 'ANY') return { aliases, reached, end: 'reached' };
  const seen = new Set<Name>([reached]);
  for (;;) {
    const alias = aliasAt(answer, reached, zone);
    if (alias === undefined) return { aliases, reached, end: 'reached' };
    aliases.push(alias.owner);
    reached = alias.target;
    if (seen.has(reached)) return { aliases, reached, end: 'came-back' };
    seen.add(reached);
  }
}

interface Alias {
  readonly owner: Name;
  readonly target: Name;
}

function aliasAt(answer: readonly ResourceRecord[], name: Name, zone: Name): Alias | undefined {
  return cnameAt(answer, name, zone) ?? dnameAbove(answer, name, zone);
}

function cnameAt(answer: readonly ResourceRecord[], name: Name, zone: Name): Alias | undefined {
  if (!isAtOrBelow(name, zone)) return undefined;
  const cname = answer.find((record) => record.type === 'CNAME' && record.name === name && fitsType(record));
  const target = cname && targetOf(cname);
  return target && { owner: name, target };
}

function dnameAbove(answer: readonly ResourceRecord[], name: Name, zone: Name): Alias | undefined {
  let longest: ResourceRecord | undefined;
  for (const record of answer) {
    if (record.type !== 'DNAME' || !fitsType(record)) continue;
    if (!isBelow(name, record.name) || !isAtOrBelow(record.name, zone)) continue;
    if (longest === undefined || isBelow(record.name, longest.name)) longest = record;
  }
  const suffix = longest && targetOf(longest);
  if (longest === undefined || suffix === undefined) return undefined;
  // RFC 6672 2.2: a result that does not fit in a name is not followed.
  const target = substituteSuffix(name, longest.name, suffix);
  return target && { owner: longest.name, target };
}
