/* Finds the addresses of a name server that a path may pick, and those that lookups can give. */

import { USUAL_ADDRESSES, workOf } from '../base/work.ts';
import { addressesIn } from '../explore/addresses.ts';
import { type Step, type StepServer, type Visit, walkAfter } from './step.ts';

/** The addresses of a name server that a path may pick. One can be listed twice. */
export function addressesOf(server: StepServer): readonly string[] {
  switch (server.kind) {
    case 'glue':
      return server.addresses;
    case 'lookup':
      return server.lookups.flatMap(({ walk }) =>
        walk.kind === 'step' ? server.selection.ofAnswer([...answersBelow(walk.step)]) : [],
      );
    case 'not-looked-up':
      return [];
  }
}

/** What is said to so much work, in steps; `stop`: what comes of it will not be looked at. */
export type Spending = (steps: number) => 'go-on' | 'stop';

/** The distinct addresses in the answers that walks from a step can end in. */
export function answersBelow(step: Step): ReadonlySet<string> {
  return gatherAnswers(step, () => 'go-on');
}

/** Whether it takes no work any more to say which these are. */
export function areGathered(step: Step): boolean {
  return gathered.has(step);
}

/**
 * The same, unless that is too much work. Thousands can be gathered, so nobody should ask for the sake of a step
 * of the main walk: paths pick only from what lookups come to.
 */
export function gatherAnswers(step: Step, spend: Spending): ReadonlySet<string> {
  const known = gathered.get(step);
  if (known !== undefined) return known;
  // Along a chain of aliases, all steps have the same ones: as long as nothing else is added, it is one set.
  let answers: ReadonlySet<string> = new Set();
  let own: Set<string> | undefined;
  for (const visit of step.visits.values()) {
    const walk = walkAfter(visit);
    if (walk?.kind === 'cut') continue;
    const below = walk && gatherAnswers(walk.step, spend);
    if (below === answers) continue;
    if (below !== undefined && own === undefined && answers.size === 0) {
      answers = below;
      continue;
    }
    const before = own?.size ?? 0;
    own ??= new Set(answers);
    answers = own;
    for (const address of below ?? givenBy(visit)) own.add(address);
    const odd = Math.max(0, own.size - Math.max(USUAL_ADDRESSES, before));
    if (odd > 0 && spend(workOf('oddGivenAddress', odd)) === 'stop') return answers;
  }
  gathered.set(step, answers);
  spend(workOf('givenAddress', answers.size));
  return answers;
}

/** Lookups share steps. */
const gathered = new WeakMap<Step, ReadonlySet<string>>();

function givenBy(visit: Visit): readonly string[] {
  if (visit.kind !== 'asked' || visit.meaning.kind !== 'answer') return [];
  return addressesIn(visit.meaning.records);
}
