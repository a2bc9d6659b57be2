import { workOf } from '../explore/work.ts';
import { getOrMake } from '../get-or-make.ts';
import type { Records } from '../wire/records.ts';
import type { Visit } from './step.ts';

/** How much work, in steps, it is to keep the answer that a path ends in after a visit; 0 for no answer. */
export function answerWork(visit: Visit): number {
  return workOf('answerCharacter', answerLength(visit));
}

/** How long the answer is that a path ends in after a visit, in characters of JSON, about; 0 for no answer. */
function answerLength(visit: Visit): number {
  if (visit.kind !== 'asked' || visit.meaning.kind !== 'answer') return 0;
  const { records } = visit.meaning;
  return getOrMake(known, records, () => lengthOf(records));
}

/** Paths meet the same answer in many places. */
const known = new WeakMap<Records, number>();

/** Characters around the texts of a record. */
const AROUND = 45;

function lengthOf(records: Records): number {
  let length = 0;
  for (const { name, type, data } of records) length += name.length + type.length + data.length + AROUND;
  return length;
}
