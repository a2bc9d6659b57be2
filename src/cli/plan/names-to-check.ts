/* Picks the names of planned zones that are worth a look. */

import { answerFrom } from '../../authority/answer.ts';
import { typesOf, type Zone } from '../../authority/zone.ts';
import type { Question } from '../../dns/message.ts';

/** The questions to check, and how many there would be besides. */
export interface NamesToCheck {
  readonly questions: readonly Question[];
  readonly leftOut: number;
}

/** The most questions that are taken from zone files. */
export const MOST_NAMES = 500;

/**
 * The names and types that users of zones ask for: a question for each, of an alias that for its address. Of more than
 * `most`, each zone has its turn.
 */
export function namesToCheck(zones: readonly Zone[], most = MOST_NAMES): NamesToCheck {
  const all = zones.map((zone) => [...questionsIn(zone)]);
  const questions: Question[] = [];
  const longest = Math.max(0, ...all.map(({ length }) => length));
  for (let at = 0; at < longest && questions.length < most; at += 1) {
    const row = all.flatMap((own) => own.slice(at, at + 1));
    questions.push(...row.slice(0, most - questions.length));
  }
  const total = all.reduce((sum, { length }) => sum + length, 0);
  return { questions, leftOut: total - questions.length };
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
  // Whoever checks a zone wants to know whether anybody reaches it.
  if (!hasSome) yield { name: zone.apex, type: 'SOA' };
}

/** Whether replies show the records, or a referral does: not so below zone cuts and DNAME records. */
function isShown(zone: Zone, question: Question): boolean {
  const { authoritative, answer, authority } = answerFrom([zone], question);
  if (authoritative) return answer.some(({ name, type }) => name === question.name && type === question.type);
  return question.type === 'NS' && authority.some(({ name }) => name === question.name);
}
