import { getOrMake } from '../base/memo.ts';
import { type Question, questionKey } from '../dns/message.ts';
import type { Name } from '../dns/name.ts';
import { comparableData, type ResourceRecord } from '../dns/record.ts';
import { queryKey } from '../exchange/query.ts';
import { serversKey } from '../explore/delegation.ts';
import type { Recording } from '../explore/recording.ts';
import { type RepeatedQuestion, repeatedQuestions } from '../explore/repeats.ts';
import { type DataReply, type Rotation, rotationOf } from '../explore/rotation.ts';
import type { Outcome } from './distribution.ts';
import { answerData, type End } from './end.ts';
import { type ExpectableEnd, expectationOf } from './expected.ts';
import { compare, multiply } from './fraction.ts';
import type { PathView } from './path-view.ts';
import type { Step, Walk } from './step.ts';
import { bottomUp, mainSteps } from './step-order.ts';

/**
 * Which answers vary by themselves, and which ends are one answer because of that: svc-model(7), ANSWERS THAT VARY.
 * `kinds`: the cold main walk, and the warm one, each also with the other aliases that addresses give by turns.
 */
export function varyingAnswers(
  recording: Recording,
  kinds: readonly (readonly FoldedWalk[])[],
): VaryingAnswers {
  if (!recording.probes.some(({ probe }) => probe === 'repeat')) return NOTHING_VARIES;
  const steps = kinds.flat().flatMap(({ start }) => [...mainSteps(start)].filter((step) => !isApex(step)));
  const rotating = withCommonPools(
    repeatedQuestions(
      steps.map((step) => askedAt(step, recording)),
      recording,
    ).map((asked) => ({
      ...asked,
      ...rotationOf(asked.servers),
    })),
  );
  const alternatives = new Alternatives(rotating);
  for (const walks of kinds) alternatives.follow(walks);
  return {
    repeated: rotating,
    shown: (end) => alternatives.shown(end),
    drawn: (outcome) => alternatives.drawn(outcome),
    isOneVersion: (end) => alternatives.isOneVersion(end),
  };
}

/** A main walk, and the distributions of its paths. */
interface FoldedWalk {
  readonly start: Walk;
  readonly pathView: PathView;
}

/** What repeats tell of answers. */
export interface VaryingAnswers {
  /** Every question that was asked again, and which of its servers rotate. */
  readonly repeated: readonly RotatingQuestion[];
  /** An end as results have it: an answer that varies has all the data that were seen. */
  readonly shown: (end: End) => End;
  /** An outcome at an address that has machines with several versions, for each of these by its share of all replies. */
  readonly drawn: (outcome: Outcome) => readonly Outcome[];
  /** Whether it is the answer of a server, or behind its alias, that gives other data than others of the same version. */
  readonly isOneVersion: (end: End) => boolean;
}

/** A question that was asked again, and which of its servers rotate. */
export interface RotatingQuestion extends RepeatedQuestion, Rotation {}

const NOTHING_VARIES: VaryingAnswers = {
  repeated: [],
  shown: (end) => end,
  drawn: (outcome) => [outcome],
  isOneVersion: () => false,
};

/** The same outcomes with the ends as results have them. */
export type Shown = (outcomes: readonly Outcome[]) => readonly Outcome[];

/**
 * Shows ends as results have them: what rotates with all its data, what machines with several versions give each by its
 * share, and what is expected as such.
 */
export function shownOutcomes(
  { shown, drawn }: VaryingAnswers,
  expect: readonly string[] | undefined,
): Shown {
  const isExpected = expect === undefined ? () => false : expectationOf(expect);
  const asShown = (end: End): End => {
    const whole = shown(end);
    return isExpectable(whole) && isExpected(withAlternatives(whole)) ? { ...whole, expected: true } : whole;
  };
  return (outcomes) => {
    const all = outcomes.flatMap(drawn);
    const sorted = all.length === outcomes.length ? all : all.sort(byShare);
    return sorted.map(({ end, probability }) => ({ end: asShown(end), probability }));
  };
}

function byShare(one: Outcome, other: Outcome): number {
  return compare(other.probability, one.probability);
}

/** The end with the records of all answers that count as one with it: nobody knows which of them users get. */
function withAlternatives(end: Expectable): ExpectableEnd {
  if (end.kind !== 'answer' || end.rotatesWith === undefined) return end;
  const [first] = end.records;
  const type = first?.type ?? end.question.type;
  return { kind: 'answer', records: end.rotatesWith.map((data) => ({ type, data })) };
}

type Expectable = Extract<End, { kind: 'answer' | 'nxdomain' | 'nodata' }>;

function isExpectable(end: End): end is Expectable {
  return end.kind === 'answer' || end.kind === 'nxdomain' || end.kind === 'nodata';
}

/** After an apex question every path goes on. */
function isApex({ otherwise }: Step): boolean {
  return otherwise !== undefined;
}

/** What was heard first there, whichever alias a walk has. */
function askedAt({ delegation, question, visits }: Step, { exchanges }: Recording) {
  const heard = [...visits.values()].flatMap((visit) =>
    visit.kind === 'asked' ? [exchanges.get(queryKey(visit.exchanged)) ?? visit.exchanged] : [],
  );
  return { zone: delegation.zone, question, heard };
}

/** Delegations of one zone whose servers rotate over the same pool may each have shown another part of it. */
function withCommonPools(questions: readonly RotatingQuestion[]): readonly RotatingQuestion[] {
  return questions.map((one) => {
    const own = new Set(one.records.map(comparableData));
    const alike = questions.filter(
      ({ zone, question, records }) =>
        zone === one.zone &&
        questionKey(question) === questionKey(one.question) &&
        records.some((record) => own.has(comparableData(record))),
    );
    const records = new Map(
      alike.flatMap((each) => each.records.map((record) => [comparableData(record), record])),
    );
    return { ...one, records: [...records.values()].sort(byData) };
  });
}

function byData(a: ResourceRecord, b: ResourceRecord): number {
  return comparableData(a) < comparableData(b) ? -1 : 1;
}

/** The address that answers a question as a server of a zone: where an answer comes from. */
type Place = string;

function placeOf(zone: Name, question: Question, address: string): Place {
  return `${zone} ${questionKey(question)} ${address}`;
}

/** A reply of an address that has several, and how many of all its replies gave this data. */
interface SeenReply {
  readonly reply: DataReply;
  readonly replies: number;
  readonly of: number;
}

function distinctReplies(replies: readonly DataReply[]): readonly SeenReply[] {
  const groups = new Map<string, DataReply[]>();
  for (const reply of replies)
    getOrMake(groups, [reply.kind, ...[...reply.data.keys()].sort()].join('\n'), () => []).push(reply);
  return [...groups.values()].flatMap((alike) =>
    alike.slice(0, 1).map((reply) => ({ reply, replies: alike.length, of: replies.length })),
  );
}

function isAlias({ data }: DataReply): boolean {
  return [...data.values()].some(({ kind }) => kind === 'alias');
}

/** The end of a path that got this reply instead of the one that was heard first. */
function contentOf({ question, zone, server, ...end }: Expectable, { kind, data }: DataReply): Expectable {
  const at = { question, zone, server, ...(end.security && { security: end.security }) };
  if (kind !== 'data') return { kind, ...at };
  const records = [...data.values()].flatMap((datum) => (datum.kind === 'record' ? [datum.record] : []));
  return { kind: 'answer', records, authoritative: end.kind !== 'answer' || end.authoritative, ...at };
}

/** The ends that are one answer, though their data differ. */
class Alternatives {
  readonly #rotating = new Map<Place, RotatingQuestion>();
  readonly #oneVersion = new Set<Place>();
  readonly #machines = new Map<Place, readonly SeenReply[]>();
  /** The sorted data of all that is one answer. */
  readonly #together = new Map<Place, readonly string[]>();

  constructor(repeated: readonly RotatingQuestion[]) {
    for (const one of repeated) {
      const at = (address: string) => placeOf(one.zone, one.question, address);
      for (const address of one.members) this.#rotating.set(at(address), one);
      for (const address of one.oneVersion) this.#oneVersion.add(at(address));
      for (const { address, replies } of one.severalVersions)
        this.#machines.set(at(address), distinctReplies(replies));
    }
  }

  isOneVersion({ zone, question, server }: End): boolean {
    return server !== null && this.#oneVersion.has(placeOf(zone, question, server.address));
  }

  shown(end: End): End {
    if (end.kind !== 'answer' || end.server === null) return end;
    const place = placeOf(end.zone, end.question, end.server.address);
    const rotating = this.#rotating.get(place);
    const together = this.#together.get(place);
    const varying =
      rotating === undefined ? end : ({ ...end, records: rotating.records, varies: true } as const);
    return together === undefined ? varying : { ...varying, rotatesWith: together };
  }

  drawn(outcome: Outcome): readonly Outcome[] {
    const { end, probability } = outcome;
    if (!isExpectable(end) || end.server === null) return [outcome];
    const seen = this.#machines.get(placeOf(end.zone, end.question, end.server.address)) ?? [];
    // Aliases turn in worlds of their own.
    if (seen.some(({ reply }) => isAlias(reply))) return [outcome];
    return seen.length === 0
      ? [outcome]
      : seen.map(({ reply, replies, of }) => ({
          end: { ...contentOf(end, reply), seen: { replies, of } },
          probability: multiply(probability, { numerator: BigInt(replies), denominator: BigInt(of) }),
        }));
  }

  /** Takes the ends behind the aliases of each rotation together, the deepest first. */
  follow(walks: readonly FoldedWalk[]): void {
    const alike = new Map<string, FoldedStep[]>();
    for (const { start, pathView } of walks) {
      const own = mainSteps(start);
      for (const step of bottomUp(start)) {
        if (!own.has(step)) continue;
        const key = `${serversKey(step.delegation)}\n${questionKey(step.question)}`;
        const others = alike.get(key) ?? [];
        // After all that some walk has below it.
        alike.delete(key);
        alike.set(key, [...others, { step, pathView }]);
      }
    }
    for (const steps of alike.values()) this.#followFrom(steps);
  }

  #followFrom(steps: readonly FoldedStep[]): void {
    const isRotating = (place: Place) => this.#rotating.has(place);
    const rotating = endsBehindAliases(steps, isRotating);
    if (steps.some(({ step }) => this.#hasAlternatives(step)) && this.#areEachOneAnswer(rotating))
      this.#join(rotating.flat());
    const isSame = (place: Place) => this.#oneVersion.has(place);
    const own = endsBehindAliases(steps, isSame);
    const all = endsBehindAliases(steps, (place) => isRotating(place) || isSame(place));
    if (own.length === 0 || all.length < 2 || !this.#areEachOneAnswer(all)) return;
    for (const { zone, question, server } of all.flat())
      if (server !== null) this.#oneVersion.add(placeOf(zone, question, server.address));
  }

  /** Whether aliases rotate, though walks may have heard of one of them alone. */
  #hasAlternatives({ delegation, question, visits }: Step): boolean {
    const places = [...visits.keys()].map((address) => placeOf(delegation.zone, question, address));
    return places.some((place) => {
      const rotating = this.#rotating.get(place);
      return (
        rotating !== undefined &&
        rotating.targets.length > 0 &&
        rotating.targets.length + rotating.records.length > 1
      );
    });
  }

  #areEachOneAnswer(behind: readonly (readonly End[])[]): boolean {
    return behind.every((ends) => this.#areOneAnswer(ends));
  }

  /** Failures aside: these are trouble behind any alias. */
  #areOneAnswer(ends: readonly End[]): boolean {
    const final = ends.filter(({ kind }) => kind === 'answer' || kind === 'nodata' || kind === 'nxdomain');
    return (
      final.every(({ kind }) => kind === 'answer') &&
      new Set(final.map((end) => this.#textOf(end))).size === 1
    );
  }

  #textOf(end: End): string {
    return answerData(this.shown(end)).join('\n');
  }

  #join(ends: readonly End[]): void {
    const answers = ends.filter(({ kind }) => kind === 'answer');
    const texts = new Set(answers.map((end) => this.#textOf(end)));
    const all = [...new Set(answers.flatMap((end) => answerData(this.shown(end))))].sort();
    for (const [place, data] of this.#together)
      if (texts.has(data.join('\n'))) this.#together.set(place, all);
    for (const { zone, question, server } of answers)
      if (server !== null) this.#together.set(placeOf(zone, question, server.address), all);
  }
}

/** The ends behind each distinct alias that servers at these places gave. */
function endsBehindAliases(
  steps: readonly FoldedStep[],
  isMeant: (place: Place) => boolean,
): readonly (readonly End[])[] {
  const ends = new Map<Name, End[]>();
  for (const { step, pathView } of steps)
    for (const [address, visit] of step.visits) {
      if (visit.kind !== 'asked' || visit.meaning.kind !== 'alias' || visit.onward.kind !== 'walk') continue;
      if (isMeant(placeOf(step.delegation.zone, step.question, address)))
        getOrMake(ends, visit.meaning.target, () => []).push(
          ...pathView.distribution(visit.onward.walk).portions.keys(),
        );
    }
  return [...ends.values()];
}

/** A step of a main walk, and the distributions of its paths. */
interface FoldedStep {
  readonly step: Step;
  readonly pathView: PathView;
}
