import { addressesIn } from '../explore/addresses.ts';
import { type Pausable, runThrough } from '../pausable.ts';
import type { Step, Visit } from './step.ts';
import { walkAfter } from './visit.ts';

/** The distinct addresses in the answers that walks from a step can end in. */
export function answersBelow(step: Step): ReadonlySet<string> {
  return runThrough(gatheringAnswers(step, () => 'go-on'));
}

/**
 * The same with pauses where `spend` says so, which is told how many addresses were gathered. Thousands can be,
 * so nobody should ask for the sake of a step of the main walk: paths pick only from what lookups come to.
 */
export function* gatheringAnswers(
  step: Step,
  spend: (addresses: number) => 'pause' | 'go-on',
): Pausable<ReadonlySet<string>> {
  const known = gathered.get(step);
  if (known !== undefined) return known;
  const parts = new Set<ReadonlySet<string> | readonly string[]>();
  for (const visit of step.visits.values()) {
    const walk = walkAfter(visit);
    if (walk === undefined) parts.add(givenBy(visit));
    else if (walk.kind === 'step') parts.add(yield* gatheringAnswers(walk.step, spend));
  }
  const answers = union([...parts]);
  gathered.set(step, answers);
  if (spend(answers.size) === 'pause') yield;
  return answers;
}

/** Lookups share steps. */
const gathered = new WeakMap<Step, ReadonlySet<string>>();

/** In the order in which they are met. Along a chain of aliases, all steps have the same ones. */
function union(parts: readonly (ReadonlySet<string> | readonly string[])[]): ReadonlySet<string> {
  const [only, another] = parts;
  if (only instanceof Set && another === undefined) return only;
  const all = new Set<string>();
  for (const part of parts) for (const address of part) all.add(address);
  return all;
}

function givenBy(visit: Visit): readonly string[] {
  if (visit.kind !== 'asked' || visit.meaning.kind !== 'answer') return [];
  return addressesIn(visit.meaning.records);
}
