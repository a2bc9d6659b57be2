/* Selects the names of planned zones to check, from their zone files, and finds types that these files lack. */

import { hiderIn, type Node, typesOf, type Zone } from '../../authority/zone.ts';
import { type Question, questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { TraversalResult } from '../../document/result.ts';
import { firstOfEach, listed } from '../../document/words/lists.ts';
import { asked, plain } from '../../document/words/names.ts';
import type { Exchange, Exchanged } from '../../exchange/exchanged.ts';
import { firstAlias } from '../../explore/aliases.ts';
import { enclosing } from '../../explore/delegation.ts';

/** The questions to check, and the number of questions beyond the limit. */
export interface NamesToCheck {
  readonly questions: readonly Question[];
  readonly leftOut: number;
}

/** The most questions taken from zone files. */
export const MOST_NAMES = 500;

/**
 * A question for each name and type that users of the zones ask for, for an alias the most usual type. At most MOST_NAMES are taken, from all zones in turn.
 */
export function namesToCheck(zones: readonly Zone[]): NamesToCheck {
  const apexes = new Set(zones.map(({ apex }) => apex));
  const questions: Question[] = [];
  let leftOut = 0;
  for (let turns = zones.map((zone) => questionsIn(zone, apexes)); turns.length > 0; ) {
    turns = turns.filter((turn) => {
      const { done, value } = turn.next();
      if (done) return false;
      if (questions.length < MOST_NAMES) questions.push(value);
      else leftOut += 1;
      return true;
    });
  }
  // A zone may have data below another one's apex.
  return { questions: firstOfEach(questions, questionKey), leftOut };
}

/** What to say of questions that no planned zone has, which are checked all the same; undefined if there are none. */
export function outsideWords(questions: readonly Question[], zones: readonly Name[]): string | undefined {
  const outside = questions.filter(({ name, type }) => !zones.some((zone) => enclosing(type)(name, zone)));
  if (outside.length === 0) return undefined;
  const are = outside.length === 1 ? 'is' : 'are';
  return `${listed(outside.map(asked))} ${are} in none of the planned zones (${listed(zones.map(plain))}): the plan changes them only through aliases or name servers there`;
}

const CHECKED: readonly string[] = ['A', 'AAAA', 'MX', 'CNAME', 'SRV', 'NS', 'HTTPS', 'PTR'];

/** `apexes`: of all planned zones, of which the parent has the NS records as well. */
function* questionsIn(zone: Zone, apexes: ReadonlySet<Name>): Generator<Question, void> {
  const hides = hiderIn(zone);
  let hasSome = false;
  for (const [name, node] of zone.nodes) {
    if (node.length === 0 || hides(name) !== undefined) continue;
    const cut = name !== zone.apex && node.some(({ type }) => type === 'NS');
    if (cut && apexes.has(name)) continue;
    for (const type of cut ? ['NS'] : typesAsked(name, node)) {
      hasSome = true;
      yield { name, type };
    }
  }
  // A zone without such names is still checked: do users reach it?
  if (!hasSome) yield { name: zone.apex, type: 'SOA' };
}

function typesAsked(name: Name, node: Node): readonly string[] {
  const types = typesOf(node).filter((type) => CHECKED.includes(type));
  return types.includes('CNAME') ? usualTypes(name).slice(0, 1) : types;
}

/** The types that users ask for at such a name, the most usual first. */
function usualTypes(name: Name): readonly string[] {
  if (name.endsWith('.in-addr.arpa.') || name.endsWith('.ip6.arpa.')) return ['PTR'];
  return name.startsWith('_') ? ['SRV'] : ['A', 'AAAA', 'MX', 'HTTPS'];
}

/** How servers of today are asked. */
interface Asking {
  /** What is checked anyway, by `questionKey`. */
  readonly checked: ReadonlySet<string>;
  readonly exchange: Exchange;
  /** The number of the name: the questions of names are spread over the servers. */
  readonly turn: number;
  readonly signal: AbortSignal;
}

/**
 * Questions that are not checked anyway, and that a server of today does not deny: it answers with records, or fails. For each
 * type one question is sent, to one of the addresses that answered for the name in `today`. An alias that stays loses nothing.
 */
export async function lostQuestions(
  { today, planned }: { readonly today: TraversalResult; readonly planned: TraversalResult },
  { checked, exchange, turn, signal }: Asking,
): Promise<readonly Question[]> {
  const { name } = today.query;
  const targets = new Set([today, planned].flatMap(aliasTargets));
  if (targets.size === 1 && !targets.has(undefined)) return [];
  const own = authoritative(today).filter(({ rcode }) => rcode === 'NOERROR');
  const addresses = [...new Set(own.map(({ server }) => server.address))];
  const unknown = usualTypes(name)
    .map((type) => ({ name, type }))
    .filter((question) => !checked.has(questionKey(question)));
  const found = await Promise.all(
    unknown.map(async (question, at) => {
      const address = addresses[(turn + at) % addresses.length];
      if (address === undefined) return [];
      const exchanged = await exchange({ address, question }, signal).catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      });
      if (exchanged === undefined) return [];
      const { outcome } = exchanged;
      return isDenial(outcome) ? [] : [question];
    }),
  );
  return found.flat();
}

/** For each reply about the name the target of its alias; undefined: the reply has none. */
function aliasTargets(result: TraversalResult): readonly (Name | undefined)[] {
  return authoritative(result).map(({ question, answer = [] }) => firstAlias(answer, question)?.target);
}

function authoritative({ query: { name }, exchanges }: TraversalResult): TraversalResult['exchanges'] {
  return exchanges.filter(({ question, flags = [] }) => question.name === name && flags.includes('aa'));
}

/** A server without authority denies nothing. */
function isDenial(outcome: Exchanged['outcome']): boolean {
  if (outcome.kind !== 'reply') return false;
  const { rcode, flags, answer } = outcome;
  return (rcode === 'NOERROR' || rcode === 'NXDOMAIN') && flags.includes('aa') && answer.length === 0;
}
