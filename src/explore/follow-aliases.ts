import { isAtOrBelow, type Name } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';
import type { Records } from '../wire/records.ts';
import { aliasAt } from './alias-records.ts';

/** One CNAME or DNAME record applied: the record's owner, and the name it leads to. */
interface Link {
  readonly owner: Name;
  readonly target: Name;
}

/** The aliases of one answer section from the question's name on, wherever they lead. */
interface AliasChain {
  readonly start: Name;
  readonly links: readonly Link[];
  /** Whether the last link leads back to a name of the chain. */
  readonly end: 'reached' | 'came-back';
}

/** Where following the aliases of an answer section leads. */
interface Followed {
  /** Owners of the CNAME and DNAME records followed, in order. */
  readonly aliases: readonly Name[];
  /** The name reached, or the one that came back. */
  readonly reached: Name;
  readonly end: 'reached' | 'came-back';
}

/**
 * A few DNAME records can redirect one name to another for longer than anybody can wait (RFC 6672 3.4
 * leaves it to resolvers to stop). An honest answer has a CNAME for each alias, or as few DNAMEs without
 * one as a name has labels.
 */
const MOST_LABELS = 127;

/** Follows the CNAMEs and DNAMEs of an answer section: svc-model(7), EXCHANGES rule 3, whatever the zone. */
export function allAliases(answer: Records, { name, type }: Question): AliasChain {
  const links: Link[] = [];
  if (type === 'CNAME' || type === 'ANY') return { start: name, links, end: 'reached' };
  const seen = new Set<Name>([name]);
  for (let at = name; links.length < answer.length + MOST_LABELS; ) {
    const link = linkAt(answer, at);
    if (link === undefined) break;
    links.push(link);
    at = link.target;
    if (seen.has(at)) return { start: name, links, end: 'came-back' };
    seen.add(at);
  }
  return { start: name, links, end: 'reached' };
}

/** The part of a chain that a server of the zone is believed about: up to the first owner outside it. */
export function followWithin({ start, links, end }: AliasChain, zone: Name): Followed {
  const outside = firstOutside(links, zone);
  const followed = outside === -1 ? links : links.slice(0, outside);
  const aliases = followed.map(({ owner }) => owner);
  const reached = followed.at(-1)?.target ?? start;
  return { aliases, reached, end: outside === -1 ? end : 'reached' };
}

/** The aliases of an answer section that a server of the zone is believed about, in order. */
export function linksWithin(answer: Records, question: Question, zone: Name): readonly Link[] {
  const { links } = allAliases(answer, question);
  const outside = firstOutside(links, zone);
  return outside === -1 ? links : links.slice(0, outside);
}

function firstOutside(links: readonly Link[], zone: Name): number {
  return links.findIndex(({ owner }) => !isAtOrBelow(owner, zone));
}

function linkAt(answer: Records, name: Name): Link | undefined {
  const { cnames, dname } = aliasAt(answer, name);
  const [target] = cnames;
  if (target !== undefined) return { owner: name, target };
  // RFC 6672 2.2: a result that does not fit in a name is not followed.
  return dname?.makes === undefined ? undefined : { owner: dname.owner, target: dname.makes };
}
