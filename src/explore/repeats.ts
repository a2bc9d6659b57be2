import { getOrMake } from '../base/memo.ts';
import { type Question, questionKey } from '../dns/message.ts';
import { type Name, ROOT } from '../dns/name.ts';
import { soaIn } from '../dns/record.ts';
import type { Exchanged, Probed } from '../exchange/exchanged.ts';
import { type Query, queryKey } from '../exchange/query.ts';
import { soaQuestion } from './asked-servers.ts';
import { meaningFor } from './classify.ts';
import type { MainStep } from './exploration/exploration.ts';
import type { Recording } from './recording.ts';
import {
  areDifferent,
  byAddress,
  type DataServer,
  dataReply,
  goesBack,
  serialsOf,
  varies,
} from './rotation.ts';

/**
 * The questions to ask again next, by all that was heard so far: svc-model(7), ANSWERS THAT VARY. A pure function. The
 * caller asks them and calls it with what came of that, until there are none.
 */
export function nextRepeats(questions: readonly RepeatedQuestion[], ifAgreed: IfAgreed): readonly Query[] {
  const wanted = new Map<string, readonly Query[]>();
  for (const question of withinBounds(questions)) {
    const times = grouped(repeatsOf(question, ifAgreed));
    // Zones can share servers: what answers one of them answers the other.
    for (const [key, again] of times)
      if (again.length > (wanted.get(key)?.length ?? 0)) wanted.set(key, again);
  }
  return [...wanted.values()].flat();
}

/** Whether a question to which all servers gave the same data is put to one of them again. */
export type IfAgreed = 'repeat' | 'leave';

/** A question that servers of a zone were asked on a main walk, and everything that they gave for it. */
export interface RepeatedQuestion {
  readonly zone: Name;
  readonly question: Question;
  /** Sorted by address; never none. */
  readonly servers: readonly RepeatedServer[];
}

/** A server that gave data or denied them, and how often it was asked. */
interface RepeatedServer extends DataServer {
  /** How often the question was put to it, the exchange included. */
  readonly asked: number;
  /** How often the zone's SOA record was asked for again. */
  readonly askedSoa: number;
  /** A repeat brought no usable reply. */
  readonly isSilent: boolean;
}

/** What was heard at the steps of main walks, limits aside. */
export function askedSteps(
  steps: readonly MainStep[],
  { exchanges, unasked }: Pick<Recording, 'exchanges' | 'unasked'>,
): readonly AskedStep[] {
  return steps.map(({ zone, question, addresses }) => {
    const keys = addresses.map((address) => queryKey({ address, question }));
    return {
      zone,
      question,
      heard: keys.flatMap((key) => (unasked.has(key) ? [] : (exchanges.get(key) ?? []))),
    };
  });
}

/** A step of a main walk: what servers of a zone were asked, and what came of that. */
export interface AskedStep {
  readonly zone: Name;
  readonly question: Question;
  readonly heard: readonly Exchanged[];
}

/** At most so many questions are asked again, at so many addresses each. */
const MOST = { questions: 16, addresses: 32 } as const;

/** At most so many replies of one address to one question. */
const MOST_REPLIES = 8;

/** At most so many repeats where all agree, and at one address: enough for each of four machines that reply by turns. */
const IF_AGREED = { repeats: 8, ofAddress: 3 } as const;

function withinBounds(questions: readonly RepeatedQuestion[]): readonly RepeatedQuestion[] {
  return questions
    .slice(0, MOST.questions)
    .map(({ servers, ...question }) => ({ ...question, servers: servers.slice(0, MOST.addresses) }));
}

/** Why not every question was asked again as often as it should; undefined if every one was. */
export function unrepeated(questions: readonly RepeatedQuestion[]): string | undefined {
  if (nextRepeats(questions, 'leave').length > 0) return 'differing answers were not asked for again';
  if (questions.length > MOST.questions) return `more than ${MOST.questions} questions`;
  if (questions.some(({ servers }) => servers.length > MOST.addresses))
    return `more than ${MOST.addresses} addresses`;
  return nextRepeats(questions, 'repeat').length > 0
    ? 'questions on which all servers agree were not asked again'
    : undefined;
}

function grouped(queries: readonly Query[]): ReadonlyMap<string, readonly Query[]> {
  const groups = new Map<string, Query[]>();
  for (const query of queries) getOrMake(groups, queryKey(query), () => []).push(query);
  return groups;
}

function repeatsOf({ zone, question, servers }: RepeatedQuestion, ifAgreed: IfAgreed): readonly Query[] {
  const at = (asked: Question) => (one: RepeatedServer) => ({ address: one.address, question: asked });
  const untilHeard = (replies: number) => (one: RepeatedServer) =>
    new Array<Query>(Math.max(0, replies - one.asked)).fill(at(question)(one));
  const talking = servers.filter(({ isSilent }) => !isSilent);
  if (!areDifferent(servers.flatMap(({ replies }) => replies)) && serialsOf(servers).size < 2) {
    if (ifAgreed === 'leave') return [];
    const few = talking.slice(0, IF_AGREED.repeats);
    const each = Math.min(IF_AGREED.ofAddress, Math.floor(IF_AGREED.repeats / few.length));
    return few.flatMap(untilHeard(1 + each));
  }
  if (servers.length === 1) return [];
  // Who does not reply the second time is left alone.
  const data = talking.flatMap((one) => untilHeard(one.asked === 1 ? 2 : MOST_REPLIES)(one));
  const soas = talking.filter((server) => server.askedSoa < soasWanted(servers) && !goesBack(server));
  return [...data, ...soas.map(at(soaQuestion(zone)))];
}

function isSettled({ isSilent, asked }: RepeatedServer): boolean {
  return isSilent || asked >= MOST_REPLIES;
}

/** How often each server is asked for the SOA record where data differ. */
function soasWanted(servers: readonly RepeatedServer[]): number {
  const isMixed = servers.some(varies) && servers.some((server) => !varies(server));
  if (isMixed && servers.every(isSettled)) return MOST_REPLIES;
  return serialsOf(servers).size > 1 ? 2 : 1;
}

/**
 * The questions of main walks that some server answered with data, with all that was heard. Delegations of a zone that share
 * an address are taken together: what rotates at one rotates at the other. Root servers are left alone.
 */
export function repeatedQuestions(
  steps: readonly AskedStep[],
  recording: Pick<Recording, 'exchanges' | 'probes'>,
): readonly RepeatedQuestion[] {
  const roots = new Set(steps.filter(isOfRoot).flatMap(({ heard }) => heard.map(({ address }) => address)));
  const repeats = repeatsByQuery(recording.probes);
  return joined(steps.filter((step) => !isOfRoot(step))).flatMap(({ zone, question, heard }) => {
    const servers = heard
      .filter(({ address }) => !roots.has(address))
      .flatMap((exchanged) => serverOf(exchanged, zone, { recording, repeats }))
      .sort((a, b) => byAddress(a.address, b.address));
    return servers.some(givesData) ? [{ zone, question, servers }] : [];
  });
}

function givesData({ replies }: DataServer): boolean {
  return replies.some(({ kind }) => kind === 'data');
}

function isOfRoot({ zone }: AskedStep): boolean {
  return zone === ROOT;
}

/** Joins steps that ask servers of one zone the same, where they share an address. */
function joined(steps: readonly AskedStep[]): readonly AskedStep[] {
  const groups = new Map<string, AskedStep[]>();
  for (const step of steps) {
    const alike = getOrMake(groups, `${step.zone} ${questionKey(step.question)}`, () => []);
    const own = new Set(step.heard);
    const near = alike.filter(({ heard }) => heard.some((one) => own.has(one)));
    const heard = [...new Set([...near.flatMap((one) => one.heard), ...step.heard])];
    alike.splice(0, alike.length, ...alike.filter((one) => !near.includes(one)), { ...step, heard });
  }
  return [...groups.values()].flat();
}

type Repeats = ReadonlyMap<string, readonly Probed[]>;

function repeatsByQuery(probes: readonly Probed[]): Repeats {
  const repeats = new Map<string, Probed[]>();
  for (const one of probes) if (one.probe === 'repeat') getOrMake(repeats, queryKey(one), () => []).push(one);
  return repeats;
}

function serverOf(
  exchanged: Exchanged,
  zone: Name,
  { recording, repeats }: { readonly recording: Pick<Recording, 'exchanges'>; readonly repeats: Repeats },
): readonly RepeatedServer[] {
  const first = dataReply(exchanged, meaningFor(exchanged, zone));
  if (first === undefined) return [];
  const again = repeats.get(queryKey(exchanged)) ?? [];
  const soaQuery = { address: exchanged.address, question: soaQuestion(zone) };
  const soaAgain = repeats.get(queryKey(soaQuery)) ?? [];
  const soas = [recording.exchanges.get(queryKey(soaQuery)) ?? [], soaAgain].flat();
  return [
    {
      address: exchanged.address,
      replies: [first, ...again.flatMap((one) => dataReply(one, meaningFor(one, zone)) ?? [])],
      versions: soas.flatMap((one) => versionIn(one, zone)),
      asked: 1 + again.length,
      askedSoa: soaAgain.length,
      isSilent: [...again, ...soaAgain].some(({ outcome }) => outcome.kind !== 'reply'),
    },
  ];
}

function versionIn(exchanged: Exchanged, zone: Name): DataServer['versions'] {
  const meaning = meaningFor(exchanged, zone);
  if (meaning.kind !== 'answer') return [];
  const [soa] = [...meaning.records].flatMap((record) => soaIn(record) ?? []);
  return soa === undefined ? [] : [{ soa, exchanged }];
}
