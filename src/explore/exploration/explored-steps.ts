import { getOrMake } from '../../base/memo.ts';
import { type Work, workOf } from '../../base/work.ts';
import { type Question, questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { Records } from '../../dns/record.ts';
import { addressesIn } from '../addresses.ts';
import type { Chain } from '../delegation.ts';
import { roleKey, type StepRole, wholeQuestion } from '../main-walks.ts';
import type { Meaning } from '../meaning.ts';

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

/**
 * From this number of steps on, the names walked are no longer kept apart: hostile aliases could
 * multiply their sets without end. What it costs: a question may be asked that only a path through an
 * alias loop would need. The evaluation stays exact.
 */
const EXACT_STEPS = 10_000;

function stepKey(question: Question, walked: Walked, role: StepRole): string {
  if (role.kind === 'proof') return `${roleKey(role)} ${questionKey(question)}`;
  // Explored steps are the same whether all before them is proven.
  const kind = role.kind === 'validating' ? `${role.kind} ${role.sets}` : roleKey(role);
  return `${kind} ${walkKey(wholeQuestion(question, role), walked)}`;
}

function walkKey(question: Question, walked: Walked): string {
  if (walked === 'not kept') return questionKey(question);
  return `${questionKey(question)}\n${[...walked].sort().join(' ')}`;
}

/** The names asked on the walk so far, the present one included. An apex question is none of them. */
export type Walked = readonly Name[] | 'not kept';

/** A step together with the names that its walk asked: what is known of it so far, which only grows. */
export interface ExploredStep {
  readonly chain: Chain;
  readonly question: Question;
  readonly walked: Walked;
  readonly role: StepRole;
  /** The least depth at which a path reaches it. */
  depth: number;
  /** Where a path goes on that hears of no own set: only of an apex question, and once it is reached. */
  ahead: ExploredStep | undefined;
  /** Of its name servers' addresses. */
  readonly lookups: ExploredStep[];
  readonly visits: Map<string, ExploredVisit>;
  /** What was heard there, where a planned delegation makes that matter. */
  readonly meanings: Map<ExploredVisit, Meaning>;
  /** Addresses in the answers that walks from here end in, each with its least height. None while nobody reads them. */
  readonly answers: Map<string, number>;
  /** Are told each of `answers`, and when one's height falls. */
  readonly readers: AddressReader[];
}

/** Receives an address that walks from a step end in, and its height. */
type AddressReader = (address: string, height: number) => void;

/** An address of one of a step's name servers, and what asking there leads to. */
export interface ExploredVisit {
  readonly step: ExploredStep;
  readonly address: string;
  /** How many levels below the step a path needs to learn the address. */
  height: number;
  state: 'offered' | 'asked';
  /** Where it leads: to several steps only where replies can come to different things, by their proof or to resolvers. */
  onward: readonly ExploredStep[];
  /** The answer heard there. */
  gives: Records;
}

/** Hands the addresses that walks end in back to the lookup of a name server, from step to step. */
export class LookupAnswers {
  readonly #work: Work;
  /** Does something once what goes on now is done. */
  readonly #later: (tell: () => void) => void;

  constructor(work: Work, later: (tell: () => void) => void) {
    this.#work = work;
    this.#later = later;
  }

  /** Lets a reader know the addresses that walks from a step end in, now and from now on. */
  read(step: ExploredStep, reader: AddressReader): void {
    step.readers.push(reader);
    if (step.readers.length === 1) this.#gather(step);
    else for (const [address, height] of step.answers) reader(address, height);
  }

  /** What was asked at a visit gave these records. */
  give(visit: ExploredVisit, records: Records): void {
    visit.gives = records;
    this.passOn(visit);
  }

  /** Paths go on behind a visit. */
  goOn(visit: ExploredVisit, onward: ExploredStep): void {
    if (visit.step.readers.length > 0) this.#readBehind(visit, onward);
  }

  /** Hands what is known behind a visit back to its step, if anybody wants to know. */
  passOn(visit: ExploredVisit): void {
    if (visit.step.readers.length === 0 || this.#work.exceeded) return;
    const gives = addressesIn(visit.gives);
    const behind = visit.onward.reduce((sum, { answers }) => sum + answers.size, 0);
    if (this.#work.spend(workOf('givenAddress', gives.length + behind)) === 'exceeded') return;
    for (const address of gives) this.#answer(visit.step, address, visit.height);
    for (const { answers } of visit.onward) {
      for (const [address, height] of answers)
        this.#answer(visit.step, address, Math.max(visit.height, 1 + height));
    }
  }

  /** Until now nobody wanted to know what the step comes to, as nobody does of the main walk's steps. */
  #gather(step: ExploredStep): void {
    for (const visit of step.visits.values()) {
      this.passOn(visit);
      for (const onward of visit.onward) this.#readBehind(visit, onward);
    }
  }

  #readBehind(visit: ExploredVisit, onward: ExploredStep): void {
    this.read(onward, (address, height) =>
      this.#answer(visit.step, address, Math.max(visit.height, 1 + height)),
    );
  }

  /** A walk from this step can end in an answer with this address. */
  #answer(step: ExploredStep, address: string, height: number): void {
    const known = step.answers.get(address);
    if (known !== undefined && known <= height) return;
    if (this.#work.spend(workOf('givenAddress', step.readers.length)) === 'exceeded') return;
    step.answers.set(address, height);
    for (const reader of step.readers) this.#later(() => reader(address, height));
  }
}
