/*
 * From which question on a resolver knows the addresses of names that it looks up while it asks others, by the round-trip times
 * that were recorded: svc-model(7), PROFILES, Picks. Where a reply and a lookup take about as long, either may be first.
 */

import { familyOf } from '../../dns/address.ts';
import { isBelow, labelCount, type Name, ROOT } from '../../dns/name.ts';
import type { Behaviour, GlueUse } from '../../explore/profiles/profile.ts';
import { type Fraction, multiply, ONE, share } from '../fraction.ts';
import { type LookupServer, type Step, type StepServer, type Visit, type Walk, walkAfter } from '../step.ts';
import type { AddressOfZone } from './draw.ts';

/** Addresses of a name server, and when they are known: turns of the zone's servers to reply, counted from 0 on. */
export interface Joining {
  readonly all: readonly AddressOfZone[];
  readonly from: number;
  /** From here on not any more, as others have taken their place. */
  readonly until: number;
}

/** Who has replied to a lookup after so many turns. */
interface HeardByLookup {
  readonly addresses: readonly string[];
  readonly from: number;
}

/** One way in which lookups and replies overtake each other: by server, what is known when. */
export interface JoiningWay {
  readonly weight: Fraction;
  readonly servers: readonly (readonly Joining[])[];
  readonly heard: readonly HeardByLookup[];
  /** How long a turn is, in milliseconds. */
  readonly turnMs: number;
}

/** What decides when names are known. */
export interface JoiningAt {
  /** The zone's servers as the resolver has them. */
  readonly known: readonly StepServer[];
  /** What their lookups come to. */
  readonly found: readonly (readonly AddressOfZone[])[];
  /** How long an address takes for its reply to the first question, in milliseconds; undefined: there is none. */
  readonly msOf: (one: AddressOfZone) => number | undefined;
}

/** Every way. Those who take addresses that they looked up at other moments have one. */
export function joiningWays(at: JoiningAt, behaviour: Behaviour): readonly JoiningWay[] {
  const { known, found } = at;
  const { picks, glue, minimisation } = behaviour;
  const whole = known.map((server, i): readonly Joining[] => {
    const isAtHand = picks.by === 'name' || server.kind === 'glue';
    return [{ all: found[i] ?? [], from: isAtHand ? 0 : 1, until: Number.POSITIVE_INFINITY }];
  });
  const names = known.map((server, i) => {
    const own = (found[i] ?? []).flatMap(({ address }) => address ?? []);
    if (server.kind !== 'lookup' || own.length === 0) return undefined;
    const isAfterA =
      minimisation?.style.wholeNameWithA === 'asked' && own.every((one) => familyOf(one) === 6);
    return withAskedGlue(server, timesOf(server, glue.lookups === 'minimised', isAfterA));
  });
  const times = names.filter((one) => one !== undefined);
  if (times.length === 0 || picks.by === 'name' || picks.lookedUpJoin === 'once-asked')
    return [{ weight: ONE, servers: whole, heard: [], turnMs: LEAST_MS }];
  const atHand = known.flatMap((server, i) => (server.kind === 'glue' ? (found[i] ?? []) : []));
  return heardByLookups(names, behaviour).flatMap((drawn, _, { length }) => {
    const ways =
      atHand.length === 0 ? alone(at, drawn, whole, glue.taken) : besideOthers(at, drawn, atHand, whole);
    return ways.map((way) => ({ ...way, weight: multiply(way.weight, share(length)) }));
  });
}

/**
 * Each way in which lookups may hear servers, all equally likely: those of the same servers hear the same one, who is the first in
 * an order that is drawn once.
 */
function heardByLookups(
  names: readonly (Times | undefined)[],
  { picks, families }: Behaviour,
): readonly (readonly (Times | undefined)[])[] {
  const all = names.find((one) => one !== undefined && one.heard.length > 1)?.heard ?? [];
  const sixes = all.filter((address) => families.kind === 'ipv6-first' && familyOf(address) === 6);
  const some = sixes.length > 0 ? sixes : all;
  const isDrawn = picks.again === 'unheard-first' && some.length <= MOST_DRAWN;
  const isSame = (others: readonly string[]) =>
    others.length === all.length && all.every((one) => others.includes(one));
  const withHeard = (first: readonly string[]) =>
    names.map((times) => {
      if (times === undefined || times.heard.length <= 1) return times;
      return { ...times, heard: isSame(times.heard) ? first : [] };
    });
  return isDrawn && some.length > 0 ? some.map((one) => withHeard([one])) : [withHeard([])];
}

/** Whether two lookups, or one and a referral on the way of another, end at about the same time, so that either may be first. */
export function doEndAlike(servers: readonly LookupServer[], { glue }: Behaviour): boolean {
  const all = servers.flatMap((server) => timesOf(server, glue.lookups === 'minimised', false) ?? []);
  return all.some((one) =>
    all.some(
      (other) =>
        other !== one &&
        [other, ...(other.glue ? [other.glue] : [])].some((end) => compare(end, one) === 'alike'),
    ),
  );
}

/** Without addresses that nobody has asked for the zone: no look-up ends in them, only a referral on the way has them. */
function withAskedGlue({ visits }: StepServer, times: Times | undefined): Times | undefined {
  if (times?.glue === undefined) return times;
  const { glue, ...others } = times;
  const addresses = glue.addresses.filter((address) => visits.has(address));
  return addresses.length === 0 ? others : { ...others, glue: { ...glue, addresses } };
}

/** How long something takes. */
interface Duration {
  readonly ms: number;
  readonly roundTrips: number;
  /** The slowest of these. */
  readonly slowestMs: number;
}

/** When the addresses of a name are known after its lookup began; and those that come with a referral on the way. */
interface Times extends Duration {
  /** Who can have given the address. */
  readonly heard: readonly string[];
  /** How many, the quick ones included. */
  readonly questions: number;
  readonly glue?: Duration & { readonly addresses: readonly string[] };
}

/** Of the first lookup that gives an address: there is one for each family; `isAfterA`: its name is asked with type A before. */
function timesOf(
  { name, lookups }: LookupServer,
  isMinimised: boolean,
  isAfterA: boolean,
): Times | undefined {
  const all = lookups.map(({ walk }) => {
    const taken: number[] = [];
    let glue: Times['glue'];
    const stages = stagesOf(walk);
    for (const { step, visit, next } of stages) {
      const { zone } = step.delegation;
      // A step of a lookup may have only some of the servers.
      const own = step.delegation.nameservers.find((server) => server.name === name)?.glue ?? [];
      if (taken.length > 0 && own.length > 0 && isBelow(name, zone))
        glue = { ...durationOf(taken), addresses: own };
      // Every resolver knows the top-level domains.
      if (zone === ROOT) continue;
      const questions =
        (isMinimised ? questionsAt(step, next) : 1) + (isAfterA && next === undefined ? 1 : 0);
      for (let question = 0; question < questions; question += 1) taken.push(roundTrip(visit));
    }
    const last = stages.at(-1);
    if (last === undefined || last.next !== undefined || last.visit === undefined) return undefined;
    const heard = last.step.delegation.nameservers.flatMap((server) => server.glue);
    return { ...durationOf(taken), heard, questions: taken.length, ...(glue && { glue }) };
  });
  return all.find((times) => times !== undefined);
}

/** Of round trips one after another. Those that take next to no time beside the slowest do not count, wherever users are. */
function durationOf(taken: readonly number[]): Duration {
  const slowestMs = Math.max(0, ...taken);
  const roundTrips = taken.filter((ms) => !isMuchFaster(ms, slowestMs)).length;
  return { ms: taken.reduce((sum, ms) => sum + ms, 0), roundTrips, slowestMs };
}

function isMuchFaster(one: number, other: number): boolean {
  return one * MUCH_FASTER <= other && other - one >= ALIKE_MS;
}

const MUCH_FASTER = 4;

/** The steps of a lookup, by the first address of each that leads on, or gives an answer. */
function stagesOf(walk: Walk): readonly LookupStage[] {
  const stages: LookupStage[] = [];
  for (let at: Walk | undefined = walk; at?.kind === 'step'; ) {
    const { step }: { readonly step: Step } = at;
    const visits: readonly Visit[] = [...step.visits.values()];
    const onward = visits.find((visit) => walkAfter(visit) !== undefined);
    const answer = visits.find((visit) => visit.kind === 'asked' && visit.meaning.kind === 'answer');
    at = onward && walkAfter(onward);
    stages.push({ step, visit: onward ?? answer, next: at?.kind === 'step' ? at.step : undefined });
  }
  return stages;
}

interface LookupStage {
  readonly step: Step;
  /** Undefined: nothing leads on. */
  readonly visit: Visit | undefined;
  readonly next: Step | undefined;
}

/** Which of two ends first: where round trips are alike, by how many there are; else by the time, and if that is alike either may. */
function compare(one: Duration, other: Duration): 'before' | 'alike' | 'after' {
  const areAlike = isAbout(one.slowestMs, other.slowestMs, ALIKE_MS);
  if (areAlike ? one.roundTrips === other.roundTrips : isAbout(one.ms, other.ms, ALIKE_MS)) return 'alike';
  return (areAlike ? one.roundTrips < other.roundTrips : one.ms < other.ms) ? 'before' : 'after';
}

function isAbout(one: number, other: number, alikeMs: number): boolean {
  return Math.abs(one - other) <= Math.max(alikeMs, ALIKE * Math.max(one, other));
}

/** The same for two lookups. As many questions to the same servers take as long, but for chance. */
function compareLookups(one: Times, other: Times): ReturnType<typeof compare> {
  const areSame =
    one.questions === other.questions && one.heard.every((address) => other.heard.includes(address));
  if (areSame && isAbout(one.ms, other.ms, ALIKE_AT_SAME_MS)) return 'alike';
  return compare(one, other);
}

/** Times that differ by less, or by a smaller part, change places from one lookup to the next, and from where users are. */
const ALIKE_MS = 40;
const ALIKE_AT_SAME_MS = 100;
const ALIKE = 0.4;

function roundTrip(visit: Visit | undefined): number {
  return visit?.kind === 'asked' && visit.exchanged.outcome.kind === 'reply'
    ? visit.exchanged.outcome.rttMs
    : 0;
}

/** How many questions a resolver asks at a step that minimises: one for each label. */
function questionsAt({ delegation, question }: Step, next: Step | undefined): number {
  const to: Name =
    next !== undefined && isBelow(next.delegation.zone, delegation.zone)
      ? next.delegation.zone
      : question.name;
  return Math.min(MOST_QUESTIONS, Math.max(1, labelCount(to) - labelCount(delegation.zone)));
}

const MOST_QUESTIONS = 5;

/** Beside servers at hand: who is asked first takes as long as they do. */
function besideOthers(
  { found, msOf }: JoiningAt,
  names: readonly (Times | undefined)[],
  atHand: readonly AddressOfZone[],
  whole: JoiningWay['servers'],
): readonly JoiningWay[] {
  const each = turnOf(atHand, msOf);
  const count = names.filter((one) => one !== undefined).length;
  const halves = count > MOST_DRAWN ? EARLY : HALVES;
  return combined(
    each,
    whole.map((joinings, i): readonly Drawn[] => {
      const all = found[i] ?? [];
      const times = names[i];
      if (times === undefined) return [{ weight: ONE, joinings, heard: [] }];
      const known = (one: Duration, half: (typeof HALVES)[number]) =>
        isMuchFaster(one.ms, each) ? 1 : turnAfter(one, each, half);
      const drawn = halves.map((half) => {
        const from = known(times, half);
        const early = times.glue && known(times.glue, half);
        return { from, early: early !== undefined && early < from ? early : undefined };
      });
      return together(drawn).map(({ one: { from, early }, weight }) => ({
        weight,
        joinings: withGlue({ server: i, all, from }, early, times),
        heard: [{ addresses: times.heard, from }],
      }));
    }),
  );
}

/** More names are not drawn. */
const MOST_DRAWN = 4;

/** Of the resolvers at which a lookup and a reply take about as long, those at which it ends before that, and the others. */
const HALVES = ['early', 'late'] as const;
const EARLY = ['early'] as const;

/** The first turn after which something has ended. */
function turnAfter(one: Duration, turnMs: number, half: (typeof HALVES)[number]): number {
  for (let turn = 1; turn < LAST_TURN; turn += 1) {
    const order = compare(one, { ms: turn * turnMs, roundTrips: turn, slowestMs: turnMs });
    if (order === 'before' || (order === 'alike' && half === 'early')) return turn;
  }
  return LAST_TURN;
}

/** Whatever takes longer is known then. */
const LAST_TURN = 6;

/** The quickest of some has a turn. */
function turnOf(some: readonly AddressOfZone[], msOf: JoiningAt['msOf']): number {
  const times = some.map(msOf).filter((ms) => ms !== undefined);
  return times.length === 0 ? LEAST_MS : Math.max(LEAST_MS, Math.min(...times));
}

const LEAST_MS = 10;

/** Before all that become known later. */
const FIRST = 1 / 2;

/** Where no address is at hand: the lookup that ends first decides who is asked. */
function alone(
  { found, msOf }: JoiningAt,
  names: readonly (Times | undefined)[],
  whole: JoiningWay['servers'],
  taken: GlueUse['taken'],
): readonly JoiningWay[] {
  const all = names.filter((one) => one !== undefined);
  const least = all.reduce((one, other) => (compareLookups(other, one) === 'before' ? other : one));
  const first = [...names.entries()].flatMap(([i, one]) =>
    one !== undefined && compareLookups(one, least) === 'alike' ? [i] : [],
  );
  const laterBy = (times: Times, each: number) => {
    const roundTrips = times.roundTrips - least.roundTrips;
    return turnAfter({ ...times, ms: times.ms - least.ms, roundTrips }, each, 'early');
  };
  if (taken === 'all' || first.length > MOST_DRAWN) {
    const each = turnOf(
      first.flatMap((i) => found[i] ?? []),
      msOf,
    );
    const servers = whole.map((joinings, i) => {
      const times = names[i];
      if (times === undefined) return joinings;
      return joinings.map((one) => ({ ...one, from: first.includes(i) ? FIRST : laterBy(times, each) }));
    });
    return [{ weight: ONE, servers, heard: [], turnMs: each }];
  }
  return first.flatMap((asked) => {
    const each = turnOf(found[asked] ?? [], msOf);
    const draws = whole.map((joinings, i): readonly Drawn[] => {
      const times = names[i];
      if (times === undefined) return [{ weight: ONE, joinings, heard: [] }];
      const from = i === asked ? 0 : laterBy(times, each);
      const own = { server: i, all: found[i] ?? [], from };
      const order = i === asked || times.glue === undefined ? 'after' : compare(times.glue, least);
      const known = { before: [0], alike: [0, undefined], after: [undefined] }[order];
      return known.map((early) => ({
        weight: share(known.length),
        joinings: withGlue(own, early, times),
        heard: [{ addresses: times.heard, from }],
      }));
    });
    return combined(each, draws).map((way) => ({
      ...way,
      weight: multiply(way.weight, share(first.length)),
    }));
  });
}

/** The addresses that were looked up, and before these those of a referral, which hold until then. */
function withGlue(
  { server, all, from }: Pick<Joining, 'all' | 'from'> & { readonly server: number },
  early: number | undefined,
  { glue }: Times,
): readonly Joining[] {
  const until = Number.POSITIVE_INFINITY;
  if (early === undefined || glue === undefined) return [{ all, from, until }];
  const isInGlue = ({ address = '' }: AddressOfZone) => glue.addresses.includes(address);
  const old = glue.addresses.filter((address) => all.every((one) => one.address !== address));
  return [
    { all: all.filter(isInGlue), from: early, until },
    { all: all.filter((one) => !isInGlue(one)), from, until },
    { all: old.map((address) => ({ server, address })), from: early, until: from },
  ].filter((one) => one.all.length > 0);
}

/** What may be known of one server. */
interface Drawn {
  readonly weight: Fraction;
  readonly joinings: readonly Joining[];
  readonly heard: readonly HeardByLookup[];
}

function combined(turnMs: number, servers: readonly (readonly Drawn[])[]): readonly JoiningWay[] {
  return servers.reduce<readonly JoiningWay[]>(
    (ways, drawn) =>
      ways.flatMap((way) =>
        drawn.map(({ weight, joinings, heard }) => ({
          weight: multiply(way.weight, weight),
          servers: [...way.servers, joinings],
          heard: [...way.heard, ...heard],
          turnMs,
        })),
      ),
    [{ weight: ONE, servers: [], heard: [], turnMs }],
  );
}

interface Moment {
  readonly from: number;
  readonly early: number | undefined;
}

/** Equal ones once, with their share. */
function together(all: readonly Moment[]): readonly { readonly one: Moment; readonly weight: Fraction }[] {
  const isSame = (one: Moment) => (other: Moment) => one.from === other.from && one.early === other.early;
  return all
    .filter((one, i) => all.findIndex(isSame(one)) === i)
    .map((one) => ({
      one,
      weight: { numerator: BigInt(all.filter(isSame(one)).length), denominator: BigInt(all.length) },
    }));
}
