/* Selects the names of planned zones to check, from their zone files. */

import { answerFrom } from '../../authority/answer.ts';
import { typesOf, type Zone } from '../../authority/zone.ts';
import { type Question, questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import { firstOfEach, listed } from '../../document/words/lists.ts';
import { asked, plain } from '../../document/words/names.ts';
import { enclosing } from '../../explore/delegation.ts';

/** The questions to check, and the number of questions beyond the limit. */
export interface NamesToCheck {
  readonly questions: readonly Question[];
  readonly leftOut: number;
}

/** The most questions taken from zone files. */
export const MOST_NAMES = 500;

/**
 * A question for each name and type that users of the zones ask for, for an alias the type A. At most `most` questions are
 * taken, from all zones in turn.
 */
export function namesToCheck(zones: readonly Zone[], most = MOST_NAMES): NamesToCheck {
  const all = zones.map((zone) => [...questionsIn(zone)]);
  const longest = all.reduce((longest, { length }) => Math.max(longest, length), 0);
  const inTurn = Array.from({ length: longest }, (_, at) => all.flatMap((own) => own.slice(at, at + 1)));
  // A zone and its parent both have the NS records at the zone cut, and an alias may have other types, too.
  const questions = firstOfEach(inTurn.flat(), questionKey);
  return { questions: questions.slice(0, most), leftOut: Math.max(0, questions.length - most) };
}

/** What to say of questions that no planned zone has, which are checked all the same; undefined if there are none. */
export function outsideWords(questions: readonly Question[], zones: readonly Name[]): string | undefined {
  const outside = questions.filter(({ name, type }) => !zones.some((zone) => enclosing(type)(name, zone)));
  if (outside.length === 0) return undefined;
  const are = outside.length === 1 ? 'is' : 'are';
  return `${listed(outside.map(asked))} ${are} in none of the planned zones (${listed(zones.map(plain))}): the plan changes only aliases that lead into these`;
}

const CHECKED: readonly string[] = ['A', 'AAAA', 'MX', 'CNAME', 'SRV', 'NS', 'HTTPS'];

function* questionsIn(zone: Zone): Iterable<Question> {
  let hasSome = false;
  for (const [name, node] of zone.nodes) {
    for (const type of typesOf(node)) {
      if (!CHECKED.includes(type) || !isShown(zone, { name, type })) continue;
      hasSome = true;
      yield { name, type: type === 'CNAME' ? 'A' : type };
    }
  }
  // A zone without such names is still checked: do users reach it?
  if (!hasSome) yield { name: zone.apex, type: 'SOA' };
}

/** Whether an answer or a referral of the zone contains the records: records below zone cuts and DNAME records are occluded. */
function isShown(zone: Zone, question: Question): boolean {
  const { authoritative, answer, authority } = answerFrom([zone], question);
  if (authoritative) return answer.some(({ name, type }) => name === question.name && type === question.type);
  return question.type === 'NS' && authority.some(({ name }) => name === question.name);
}
