import type { Exchanged } from '../exchange/exchanged.ts';
import { getOrMake } from '../get-or-make.ts';
import { labelCount, type Name, parentOf } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';
import { type AskedServer, zoneOf } from './asked-server.ts';
import { type Existence, existenceIn } from './existence.ts';

/** A name that the server was asked for, by what type, and what it said. */
interface Statement {
  readonly question: Question;
  readonly zone: Name;
  readonly existence: Existence;
}

/** The name asked, by another type: a name exists for every type or for none (RFC 1034 4.3.2). */
export function sameNameOtherType(server: AskedServer): Question | undefined {
  const said = statementsBy(server);
  const types = typesByName(said);
  const open = said.find(({ question }) => types.get(question.name)?.size === 1);
  return open && { name: open.question.name, type: otherType(open.question.type) };
}

function otherType(type: string): string {
  return type === 'A' ? 'AAAA' : 'A';
}

/** The name above one that exists: it exists too (RFC 8020 2), even if it has no records. */
export function nameAbove(server: AskedServer): Question | undefined {
  const said = statementsBy(server);
  const known = typesByName(said);
  for (const { question, zone, existence } of said) {
    const above = parentOf(question.name);
    const isInside = labelCount(question.name) - labelCount(zone) >= 2;
    if (existence === 'exists' && isInside && above !== undefined && !known.has(above))
      return { name: above, type: question.type };
  }
  return undefined;
}

/** What the server said of names below its zones: of the name looked up first, then in the order of names. */
function statementsBy(server: AskedServer): readonly Statement[] {
  const isMain = ({ question }: Statement) => question.name === server.question.name;
  return server.heard
    .flatMap((exchanged) => statementOf(server, exchanged))
    .sort((a, b) => Number(isMain(b)) - Number(isMain(a)) || byText(a.question.name, b.question.name));
}

function statementOf(server: AskedServer, exchanged: Exchanged): readonly Statement[] {
  const { question } = exchanged;
  const zone = zoneOf(server, question.name);
  const existence = zone && existenceIn(exchanged, zone);
  return zone === undefined || existence === undefined ? [] : [{ question, zone, existence }];
}

function typesByName(said: readonly Statement[]): ReadonlyMap<Name, ReadonlySet<string>> {
  const types = new Map<Name, Set<string>>();
  for (const { question } of said)
    getOrMake(types, question.name, () => new Set<string>()).add(question.type);
  return types;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
