import { getOrMake } from '../get-or-make.ts';
import { type Question, questionKey } from '../wire/question.ts';
import type { Chain } from './chain.ts';
import type { ExploredStep, Walked } from './explored-step.ts';
import type { StepRole } from './warm.ts';
import type { Work } from './work.ts';

/**
 * From this number of steps on, the names walked are no longer kept apart: hostile aliases could
 * multiply their sets without end. What it costs: a question may be asked that only a path through an
 * alias loop would need. The evaluation stays exact.
 */
const EXACT_STEPS = 10_000;

/** The distinct steps of one exploration, each made when it is first asked for. */
export class ExploredSteps {
  readonly #work: Work;
  readonly #steps = new Map<Chain, Map<string, ExploredStep>>();
  #count = 0;

  constructor(work: Work) {
    this.#work = work;
  }

  /** The step; undefined if it is a new one and would exceed the work that there may be. */
  at(chain: Chain, question: Question, walk: Walked, role: StepRole): ExploredStep | undefined {
    const walked = this.#count < EXACT_STEPS ? walk : 'not kept';
    const steps = getOrMake(this.#steps, chain, () => new Map<string, ExploredStep>());
    const key = stepKey(question, walked, role);
    const known = steps.get(key);
    if (known !== undefined) return known;
    if (this.#work.spend(1) === 'exceeded') return undefined;
    this.#count += 1;
    const step: ExploredStep = {
      chain,
      question,
      walked,
      role,
      ahead: undefined,
      depth: Number.POSITIVE_INFINITY,
      lookups: [],
      visits: new Map(),
      meanings: new Map(),
      answers: new Map(),
      readers: [],
    };
    steps.set(key, step);
    return step;
  }
}

function stepKey(question: Question, walked: Walked, role: StepRole): string {
  switch (role.kind) {
    case 'cold':
      return walkKey(question, walked);
    case 'warm':
      return `warm ${walkKey(question, walked)}`;
    case 'apex':
      return `apex ${walkKey(role.ahead, walked)}`;
    case 'validating':
      return `validating ${walkKey(question, walked)}`;
    case 'proof':
      return `proof ${questionKey(question)}`;
  }
}

function walkKey(question: Question, walked: Walked): string {
  if (walked === 'not kept') return questionKey(question);
  return `${questionKey(question)}\n${[...walked].sort().join(' ')}`;
}
