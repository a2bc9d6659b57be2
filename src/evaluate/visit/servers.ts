/* The servers of a zone as a resolver finds them: their addresses, what it makes of their replies, and where these lead. */

import { getOrMake } from '../../base/memo.ts';
import { workOf } from '../../base/work.ts';
import { type Family, familyOf } from '../../dns/address.ts';
import { nsecsIn } from '../../dns/dnssec/denial-records.ts';
import { nsecNoData } from '../../dns/dnssec/nsec.ts';
import type { BogusReason } from '../../dns/dnssec/reasons.ts';
import { isFound } from '../../dns/dnssec/verdict.ts';
import { type Name, parentOf } from '../../dns/name.ts';
import { targetOf } from '../../dns/record.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { isUsable } from '../../explore/meaning.ts';
import type {
  Behaviour,
  BogusReaction,
  DenialReaction,
  MinimisedReaction,
  ValidationBehaviour,
  WholeReaction,
} from '../../explore/profiles/profile.ts';
import {
  fallbackIn,
  isSilentOverTcp,
  reactionToMinimised,
  reactionToWhole,
  replyKind,
} from '../../explore/profiles/reactions.ts';
import type { End } from '../end.ts';
import { type Fraction, multiply, ONE } from '../fraction.ts';
import {
  type AddressOutcomes,
  type Step,
  stateOf,
  type TimedOutcome,
  type Visit,
  visitAt,
  walkAfter,
} from '../step.ts';
import { type AddressWay, addressWays } from '../views/lookup-result.ts';
import { Alike } from './alike.ts';
import { type Arrival, type Arrivals, type Stages, stagesFrom } from './arrivals.ts';
import { endedIn, type Onward } from './departures.ts';
import type { AddressOfZone, DrawTools } from './draw.ts';
import { type Joining, type JoiningWay, joiningWays } from './joining.ts';
import type { ZoneProof } from './proof.ts';

/** A resolver, the ends of lookups, and the work that may be spent: all that a visit of a zone needs. */
export interface VisitTools extends DrawTools {
  readonly behaviour: Behaviour;
  readonly arrivals: Arrivals;
}

/** What a reply to the whole name leads to, whether others are asked first or not. */
type FirstReaction = 'follow' | Exclude<WholeReaction, 'doubted'>;

/** What a resolver makes of the reply of an address. */
export interface Response {
  /** The time of the reply, in milliseconds after the question; undefined: there is none. */
  readonly heardMs: number | undefined;
  /** The time until then with all queries before the last one, if this was changed, and with the connection over TCP. */
  readonly takesMs: number;
  readonly reaction: FirstReaction | MinimisedReaction | DenialReaction;
  /** Whether nothing listens there, and the resolver notices at once. */
  readonly closed: boolean;
  /** Whether the reply is an error rather than of no use. */
  readonly error: boolean;
  /** Whether others are asked first, and it counts only if they are of no use. */
  readonly rather: 'here' | 'elsewhere';
  /** Whether only a further reply like it counts. */
  readonly doubted: boolean;
  /** Whether it is waited for so long whatever the patience: over TCP. */
  readonly fixed: boolean;
  /** How many of the next minimised names its NSEC records prove to have no records, so that nobody asks for them. */
  readonly proves: number;
}

/** Addresses of a zone's servers that are alike: they reply alike, and so do the other addresses of their names where the name matters. */
export interface Server {
  readonly number: number;
  /** After how many turns it is known, and not known any more. */
  readonly from: number;
  readonly until: number;
  readonly family: Family;
  /** After how many turns it has replied to somebody's lookup of a name; negative: it replied at this zone before. */
  readonly heardFrom: number;
  /** By stage. */
  readonly stages: readonly Response[];
  /** To the question for the zone's keys; undefined: nobody asks for them. */
  readonly keys: Response | undefined;
  readonly members: readonly AddressOfZone[];
}

/** The servers of a zone once all look-ups have come out. */
export interface Servers {
  /** How many questions were put to them before. */
  readonly begun: number;
  /** The last turn after which some of them become known. */
  readonly lastJoining: number;
  /** How long a turn is, in milliseconds. */
  readonly turnMs: number;
  readonly all: readonly Server[];
  readonly candidates: Candidates;
}

/** Whom a resolver picks first, an address at hand or a name with its addresses, and how many of each there are that are alike. */
export type Candidates = readonly {
  readonly slots: readonly { readonly server: Server; readonly count: number }[];
  readonly count: number;
}[];

/** The zone or the end that a resolver comes to if it takes the reply of an address to the question of a step. */
export function takenAt(
  arrival: Arrival,
  step: Step,
  { server: index, address, limited }: AddressOfZone,
  reaction: Response['reaction'],
  tools: VisitTools,
  heard: readonly AddressOfZone[] = [],
): Onward {
  if (limited !== undefined) return endedIn(limited);
  const server = step.servers[index];
  if (server === undefined || address === undefined)
    throw new Error('the servers of a zone are the same at each stage');
  const visit = visitAt(server, address);
  // Who takes a reply that says nothing of use takes it for a denial, as does who doubts records that are not of their type.
  if (reaction === 'end' && visit.kind === 'asked') {
    const isMalformed = replyKind(visit.meaning, visit.exchanged) === 'answer-malformed';
    if (
      visit.meaning.kind === 'lame' ||
      (isMalformed && tools.behaviour.whole['answer-malformed'] === 'doubted')
    )
      return endedIn(step.ends.denial(server.name, address));
  }
  const state = stateOf(step, server);
  const walk = reaction === 'follow' ? walkAfter(visit) : undefined;
  if (walk?.kind === 'cut') return endedIn(walk.end);
  if (walk !== undefined) {
    const next = tools.arrivals.after(arrival, walk.step, {
      state,
      address,
      heard: heard.flatMap((one) => one.address ?? []),
      stage: Math.max(0, stagesFrom(arrival.step).indexOf(step)),
    });
    const beside = targetBeside(step, visit, walk.step, tools.behaviour);
    return beside === undefined
      ? { kind: 'zone', arrival: next }
      : takenAt(next, beside.step, { server: index, address }, beside.reaction, tools, heard);
  }
  return endedIn(step.ends.afterVisit(visit, server.name, address));
}

/** The step of an alias's target whose records a resolver takes from the same reply, and what it makes of them. */
function targetBeside(
  { question }: Step,
  visit: Visit,
  to: Step,
  { aliases }: Behaviour,
): Beside | undefined {
  if (aliases.target === 'asked' || visit.kind !== 'asked' || visit.meaning.kind !== 'alias')
    return undefined;
  const { target } = visit.meaning;
  const { outcome } = visit.exchanged;
  if (outcome.kind !== 'reply' || parentOf(target) !== parentOf(question.name)) return undefined;
  const [first] = outcome.answer.filter(({ name }) => name === target);
  const step = stagesFrom(to).at(-1);
  if (first === undefined || step?.minimised !== undefined) return undefined;
  return (
    step && {
      step,
      ...(first.type === 'CNAME' && question.type !== 'CNAME'
        ? { reaction: 'follow', target: targetOf(first) }
        : { reaction: 'end' }),
    }
  );
}

/** The step of an alias's target whose records are taken from the same reply, and what becomes of these. */
type Beside = { readonly step: Step } & (
  | { readonly reaction: 'follow'; readonly target: Name | undefined }
  | { readonly reaction: 'end' }
);

/** The end of a resolver that comes no further than to the question for the zone's keys at an address. */
export function keysEnd(
  arrival: Arrival,
  step: Step,
  { server: index, address, limited }: AddressOfZone,
): End {
  const server = step.servers[index];
  if (limited !== undefined) return limited;
  if (server !== undefined && address !== undefined) {
    const outcome = arrival.proof?.keys?.[stateOf(step, server)].get(address);
    if (outcome?.kind === 'limited') return outcome.end(server);
  }
  return failedAt(arrival, step, 'keys');
}

/** Where a resolver comes to for which nothing was of use: the keys, or the reply to the question of a step. */
export function nothingFound(
  arrival: Arrival,
  step: Step,
  of: 'keys' | 'reply',
  { arrivals }: Pick<VisitTools, 'arrivals'>,
): Onward {
  const instead = arrivals.afterErrors(arrival) ?? arrival.instead;
  if (instead !== undefined) return { kind: 'zone', arrival: instead };
  const loop = of === 'reply' ? loopAt(step) : undefined;
  if (loop !== undefined) return endedIn(loop);
  return endedIn(failedAt(arrival, step, of));
}

/** The end where an alias leads back, if that is all that the servers reply. */
function loopAt({ servers, ends }: Step): End | undefined {
  const all = servers.flatMap(({ name, visits }) =>
    [...visits].map(([address, visit]) => ({ name, address, visit })),
  );
  const [first] = all;
  const isEachLoop = all.every(({ visit }) => visit.kind === 'asked' && isLoop(visit));
  return first !== undefined && isEachLoop
    ? ends.afterVisit(first.visit, first.name, first.address)
    : undefined;
}

function failedAt({ proof }: Arrival, step: Step, of: 'keys' | 'reply'): End {
  const { servfail } = step.ends;
  if (proof === undefined || (of === 'reply' && step.minimised !== undefined)) return servfail;
  return proof.servfail(of, servfail);
}

/** Each way in which the look-ups of the servers can come out, with its probability. Void where that is more work than there may be. */
export function serversOf(
  arrival: Arrival,
  stages: Stages,
  tools: VisitTools,
): readonly { readonly weight: Fraction; readonly servers: Servers }[] {
  const [step] = stages;
  const { lookups, work, behaviour } = tools;
  const { picks, families } = behaviour;
  if (step === undefined) return [];
  const known = step.servers.map((server) => tools.arrivals.known(arrival, server));
  const ways = known.map((server) => addressWays(server, lookups));
  const combined = ways.reduce((product, one) => product * one.length, 1);
  const spent = workOf('address', stages.length * addressesCombined(ways)) + workOf('search', combined - 1);
  if (work.spend(spent) === 'exceeded') return [];
  const heard = new HeardAddresses(arrival, stages, tools);
  const kinds = new Kinds();
  const msOf = (one: AddressOfZone) => {
    const { heardMs, takesMs } = heard.of(one).stages[0] ?? {};
    return heardMs === undefined ? undefined : takesMs;
  };
  const all = combinations(ways).flatMap(({ weight, sets }) => {
    const found = known.map((_, i) => addressesOf(i, sets[i]));
    const joining = joiningWays({ known, found, msOf }, behaviour);
    return joining.map((way) => ({ weight: multiply(weight, way.weight), way }));
  });
  if (work.spend(workOf('search', all.length - combined)) === 'exceeded') return [];
  return all.map(({ weight, way }) => ({
    weight,
    servers: alikeOf(stages, way, { by: picks.by, families, heard, kinds, before: arrival }),
  }));
}

/** The number of addresses that all combinations of ways have together. */
function addressesCombined(all: readonly (readonly AddressWay[])[]): number {
  const combinations = all.reduce((product, ways) => product * ways.length, 1);
  const addresses = (way: AddressWay) => (way.kind === 'addresses' ? way.set.length : 1);
  return all.reduce(
    (sum, ways) => sum + ways.reduce((of, way) => of + addresses(way), 0) * (combinations / ways.length),
    combinations,
  );
}

interface Combination {
  readonly weight: Fraction;
  readonly sets: readonly AddressWay[];
}

/** A server with only one way, whose weight is 1, multiplies nothing: a hostile zone names thousands of them. */
function combinations(all: readonly (readonly AddressWay[])[]): readonly Combination[] {
  const several = [...all.entries()].filter(([, ways]) => ways.length !== 1);
  const chosen = several.reduce<readonly Chosen[]>(
    (sofar, [server, ways]) =>
      sofar.flatMap(({ weight, ofServer }) =>
        ways.map((way) => ({
          weight: multiply(weight, way.weight),
          ofServer: new Map([...ofServer, [server, way]]),
        })),
      ),
    [{ weight: ONE, ofServer: new Map() }],
  );
  return chosen.map(({ weight, ofServer }) => ({
    weight,
    sets: all.flatMap((ways, server) => ofServer.get(server) ?? ways.slice(0, 1)),
  }));
}

/** Some of the servers, by their number, with a way for each. */
interface Chosen {
  readonly weight: Fraction;
  readonly ofServer: ReadonlyMap<number, AddressWay>;
}

/** What a resolver remembers of the servers. */
type Before = Pick<Arrival, 'begun' | 'heard'>;

/** Puts together what is alike. */
function alikeOf(
  stages: Stages,
  { servers: joinings, heard: byLookups, turnMs }: JoiningWay,
  {
    by,
    families,
    heard,
    kinds,
    before,
  }: {
    readonly by: 'address' | 'name';
    readonly families: Behaviour['families'];
    readonly heard: HeardAddresses;
    readonly kinds: Kinds;
    readonly before: Before;
  },
): Servers {
  const seen = new Set<string>();
  const made = new AlikeServers(kinds, { before, byLookups, turnMs });
  // An address under several names counts once, under one that is up, if there is any.
  const order = [...joinings.keys()].sort((a, b) => Number(isUp(stages, b)) - Number(isUp(stages, a)));
  for (const joining of order.flatMap((server) => joinings[server] ?? [])) {
    const all = joining.all.filter(({ address }) => {
      if (families.kind === 'ipv4' && address !== undefined && familyOf(address) !== 4) return false;
      if (by === 'name' || address === undefined) return true;
      if (seen.has(address)) return false;
      seen.add(address);
      return true;
    });
    const found = all.map((one) => heard.of(one));
    if (by === 'address' && joining.from === 0) for (const one of found) made.put([one], joining);
    else made.put(found, joining);
  }
  return made.servers;
}

/** The replies of addresses, each looked into once, whatever combinations of look-ups it stands in. */
class HeardAddresses {
  readonly #at: { readonly arrival: Arrival; readonly stages: Stages; readonly tools: VisitTools };
  readonly #known = new Map<number, Map<string, Heard>>();

  constructor(arrival: Arrival, stages: Stages, tools: VisitTools) {
    this.#at = { arrival, stages, tools };
  }

  of(one: AddressOfZone): Heard {
    const { server, address } = one;
    if (address === undefined) return this.#hear(one);
    const ofServer = getOrMake(this.#known, server, () => new Map<string, Heard>());
    return getOrMake(ofServer, address, () => this.#hear(one));
  }

  #hear(one: AddressOfZone): Heard {
    const { arrival, stages, tools } = this.#at;
    const { proof } = arrival;
    const { behaviour } = tools;
    const keys = behaviour.validation && proof?.keys;
    return {
      one,
      stages: stages.map((step) => responseAt(arrival, step, one, tools)),
      keys: keys && proof && responseForKeys(stages, keys, one, behaviour, proof),
    };
  }
}

/** An address, and how it replies. */
interface Heard extends Pick<Server, 'stages' | 'keys'> {
  readonly one: AddressOfZone;
}

/** A server whose members are being found. */
type Growing = Server & { readonly members: AddressOfZone[] };

/** Tells addresses by how they reply. */
class Kinds {
  readonly #responses = new Alike<Response[keyof Response], Response>();
  readonly #kinds = new Alike<Response | boolean | number | undefined, { readonly number: number }>();
  readonly #known = new Alike<Heard | number, { readonly number: number }>();
  #count = 0;

  of(heard: Heard, heardFrom: number): { readonly number: number } {
    return this.#known.of([heard, heardFrom], () => {
      const alike = (one: Response) =>
        this.#responses.of(
          [
            one.heardMs,
            one.takesMs,
            one.reaction,
            one.closed,
            one.error,
            one.rather,
            one.doubted,
            one.fixed,
            one.proves,
          ],
          () => one,
        );
      return this.#kinds.of(
        [heardFrom, familyIn(heard.one), ...heard.stages.map(alike), heard.keys && alike(heard.keys)],
        () => {
          this.#count += 1;
          return { number: this.#count };
        },
      );
    });
  }
}

const BEFORE = -1;

/** What is known besides replies. */
interface Surroundings {
  readonly before: Before;
  readonly byLookups: JoiningWay['heard'];
  readonly turnMs: number;
}

class AlikeServers {
  readonly #kinds: Kinds;
  /** By what the addresses of a candidate are. */
  readonly #candidates = new Alike<object | number, Growing[]>();
  readonly #counts = new Map<Growing[], number>();
  readonly #at: Surroundings;
  #count = 0;

  constructor(kinds: Kinds, at: Surroundings) {
    this.#kinds = kinds;
    this.#at = at;
  }

  /** Takes in a candidate with these addresses; none: there is no candidate. */
  put(all: readonly Heard[], { from, until }: Pick<Joining, 'from' | 'until'>): void {
    if (all.length === 0) return;
    const { before, byLookups } = this.#at;
    const heardFrom = ({ one: { address = '' } }: Heard) =>
      before.heard.includes(address)
        ? BEFORE
        : Math.min(
            ...byLookups.map((lookup) =>
              lookup.addresses.includes(address) ? lookup.from : Number.POSITIVE_INFINITY,
            ),
          );
    const kinds = all.map((heard) => ({ heard, kind: this.#kinds.of(heard, heardFrom(heard)) }));
    const sorted = kinds.sort((a, b) => a.kind.number - b.kind.number);
    const servers = this.#candidates.of([from, until, ...sorted.map(({ kind }) => kind)], () =>
      [...new Map(sorted.map(({ kind, heard }) => [kind, heard])).values()].map((heard) => ({
        number: this.#next(),
        from,
        until,
        family: familyIn(heard.one),
        heardFrom: heardFrom(heard),
        stages: heard.stages,
        keys: heard.keys,
        members: [],
      })),
    );
    this.#counts.set(servers, (this.#counts.get(servers) ?? 0) + 1);
    const distinct = [...new Set(sorted.map(({ kind }) => kind))];
    for (const { heard, kind } of sorted) servers[distinct.indexOf(kind)]?.members.push(heard.one);
  }

  get servers(): Servers {
    const all = [...this.#counts.keys()].flat();
    return {
      begun: this.#at.before.begun,
      lastJoining: Math.max(0, ...all.map(({ from }) => from)),
      turnMs: this.#at.turnMs,
      all,
      candidates: [...this.#counts].map(([servers, count]) => ({
        slots: servers.map((server) => ({ server, count: server.members.length / count })),
        count,
      })),
    };
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }
}

/** IPv4 for who has no address. */
function familyIn({ address }: AddressOfZone): Family {
  return address === undefined ? 4 : familyOf(address);
}

function addressesOf(server: number, way: AddressWay | undefined): readonly AddressOfZone[] {
  if (way === undefined) return [];
  if (way.kind === 'limited') return [{ server, address: undefined, limited: way.end }];
  return way.set.map((address) => ({ server, address }));
}

function isUp([step]: Stages, server: number): boolean {
  return step?.servers[server]?.visits === step?.visits;
}

/** The response of an address to the question of a step. */
export function responseAt(
  { proof }: Arrival,
  step: Step,
  { server: index, address }: AddressOfZone,
  tools: VisitTools,
): Response {
  const { behaviour } = tools;
  const server = step.servers[index];
  if (server === undefined || address === undefined) return AT_A_LIMIT;
  const visit = visitAt(server, address);
  if (visit.kind === 'not-asked') return AT_A_LIMIT;
  const { meaning, exchanged } = visit;
  const state = stateOf(step, server);
  const whole = leadsBack(step, visit, behaviour)
    ? behaviour.aliases.leadingBack
    : reactionToWhole(behaviour, meaning, exchanged);
  const reaction =
    step.minimised === undefined
      ? validated(
          whole === 'doubted' ? 'end' : whole,
          proof?.isSigned ? proof.reply(state, address) : undefined,
          behaviour,
        )
      : validatedMinimised(reactionToMinimised(behaviour, meaning, exchanged), visit, { step, proof }, tools);
  const late = silentOverTcp(exchanged, behaviour);
  if (late !== undefined) return late;
  if (meaning.kind === 'unreachable') return unreachable(reaction, behaviour);
  return {
    ...timesOf(visit, behaviour),
    reaction,
    closed: false,
    error: meaning.kind === 'error',
    fixed: false,
    rather: fallbackIn(exchanged, behaviour.fallbacks) === 'rather-elsewhere' ? 'elsewhere' : 'here',
    doubted: whole === 'doubted',
    proves: reaction === 'next-label' ? provenNames(visit, { step, proof }, tools) : 0,
  };
}

/** Whether an alias leads to the name itself, to one that the walk has asked for before, or by a record that is taken, too. */
function leadsBack(step: Step, visit: Extract<Visit, { kind: 'asked' }>, behaviour: Behaviour): boolean {
  if (isLoop(visit)) return true;
  const walk = walkAfter(visit);
  const beside = walk?.kind === 'step' ? targetBeside(step, visit, walk.step, behaviour) : undefined;
  return beside?.reaction === 'follow' && beside.target === step.question.name;
}

function isLoop(visit: Extract<Visit, { kind: 'asked' }>): boolean {
  return visit.meaning.kind === 'alias-loop' || visit.onward.kind === 'alias-loop';
}

/** Of an address that sends truncated replies and is silent, or refuses, over TCP. */
function silentOverTcp(exchanged: Exchanged, { tcp, fallbacks }: Behaviour): Response | undefined {
  if (!isSilentOverTcp(exchanged)) return undefined;
  const rather = fallbacks.truncated === 'rather-elsewhere' ? 'elsewhere' : 'here';
  const error = { ...respondedAt(0, 'next-server'), error: true, fixed: true, rather } as const;
  const last = exchanged.tries.at(-1)?.outcome;
  if (last?.kind !== 'timeout') return error;
  return {
    ...error,
    heardMs: tcp.waitMs,
    takesMs: tcp.waitMs,
    reaction: last.connected ? tcp.silent : tcp.dropped,
  };
}

/** Of an address that a limit kept from being asked. */
const AT_A_LIMIT: Response = respondedAt(0, 'end');

function respondedAt(at: number | undefined, reaction: Response['reaction']): Response {
  const none = {
    closed: false,
    error: false,
    rather: 'here',
    doubted: false,
    fixed: false,
    proves: 0,
  } as const;
  return { heardMs: at, takesMs: at ?? 0, reaction, ...none };
}

function unreachable(reaction: Response['reaction'], { time }: Behaviour): Response {
  return { ...respondedAt(undefined, reaction), closed: time.closedPort === 'noticed' };
}

/** The reaction to a reply to the whole name whose reaction without validation is `reaction`. */
function validated(
  reaction: FirstReaction,
  outcome: ReturnType<ZoneProof['reply']>,
  { validation }: Behaviour,
): FirstReaction | BogusReaction {
  if ((reaction !== 'follow' && reaction !== 'end') || validation === undefined) return reaction;
  const flaw = flawOf(outcome);
  return flaw === undefined ? reaction : validation[flaw];
}

/** The flaw of a reply to the whole name that does not verify. */
function flawOf(outcome: ReturnType<ZoneProof['reply']>): 'unsigned' | 'unlearnt' | 'broken' | undefined {
  switch (outcome?.kind) {
    case undefined:
    case 'good':
    case 'limited':
      return undefined;
    case 'bogus':
      return isUnsigned(outcome.failure) ? 'unsigned' : 'broken';
    case 'unprovable':
      return 'broken';
    case 'stopped':
      return 'unlearnt';
    case 'unused':
      return 'unsigned';
  }
}

/** The same for a reply to a minimised name. */
function validatedMinimised(
  reaction: 'follow' | MinimisedReaction,
  visit: Extract<Visit, { kind: 'asked' }>,
  { step, proof }: StepProof,
  { behaviour, work }: VisitTools,
): 'follow' | MinimisedReaction | DenialReaction {
  const { meaning, exchanged } = visit;
  if (proof === undefined || behaviour.validation === undefined) return reaction;
  const { minimised, provenNxdomain, unsigned, broken } = behaviour.validation;
  const isDenied = meaning.kind === 'nxdomain';
  const isParent = parentOfWhole(step) === step.question.name;
  const ifNot = isDenied ? minimised.nxdomain : isParent ? minimised.parent : minimised.others;
  const matters = ifNot !== 'taken' || reaction === 'end' || (isDenied && provenNxdomain === 'ends');
  if (!matters || !isUsable(meaning.kind) || meaning.kind === 'referral') return reaction;
  const leadsOn = reaction === 'next-server' || reaction === 'never-again';
  if (reaction === 'end-of-all' || (leadsOn && ifNot !== 'end-of-all')) return reaction;
  const spend = (steps: number) => void work.spend(steps);
  const verdict = proof.minimised(exchanged, { zone: step.delegation.zone, spend });
  if (verdict === 'unknown') return reaction;
  if (verdict === 'secure') return isDenied && provenNxdomain === 'ends' ? 'end' : reaction;
  // Taken for the whole name, it is validated as a reply to that.
  if (reaction === 'end') return verdict === 'no-signature' ? unsigned : broken;
  return ifNot === 'taken' ? reaction : ifNot;
}

/** A step, and what is proven there. */
interface StepProof extends Pick<Arrival, 'proof'> {
  readonly step: Step;
}

/** How many of the minimised names after this one its NSEC records prove to have no records. */
function provenNames(
  { exchanged }: Extract<Visit, { kind: 'asked' }>,
  { step, proof }: StepProof,
  { behaviour: { validation }, work }: VisitTools,
): number {
  const { outcome } = exchanged;
  if (validation?.minimised.proven !== 'not-asked' || proof === undefined || outcome.kind !== 'reply')
    return 0;
  const nsecs = nsecsIn(outcome.authority);
  const { zone } = step.delegation;
  const next = stagesFrom(step).slice(1);
  const asked = next.findIndex(
    ({ minimised, question: { name, type } }) =>
      minimised === undefined || !isFound(nsecNoData(nsecs, zone, name, type)),
  );
  const count = asked === -1 ? next.length : asked;
  const spend = (steps: number) => void work.spend(steps);
  return count > 0 && proof.minimised(exchanged, { zone, spend }) === 'secure' ? count : 0;
}

function parentOfWhole({ minimised }: Step): Name | undefined {
  return minimised?.wholeName.kind === 'step' ? parentOf(minimised.wholeName.step.question.name) : undefined;
}

function isUnsigned(failure: End): boolean {
  return failure.kind === 'bogus' && failure.reason === 'no-signature';
}

/** The response of an address to the question for the zone's keys. */
export function responseForKeys(
  [step]: Stages,
  heard: AddressOutcomes<unknown>,
  { server: index, address }: AddressOfZone,
  behaviour: Behaviour,
  proof: ZoneProof,
): Response {
  const server = step?.servers[index];
  if (step === undefined || server === undefined || address === undefined) return AT_A_LIMIT;
  const outcome = heard[stateOf(step, server)].get(address);
  const { validation } = behaviour;
  if (outcome === undefined || outcome.kind === 'limited' || validation === undefined) return AT_A_LIMIT;
  const at = rounded(outcome.elapsedMs);
  if (outcome.kind === 'good') return respondedAt(at, 'next-label');
  if (outcome.kind === 'stopped') return respondedAt(at, 'next-server');
  const { failure } = outcome;
  switch (failure.kind) {
    case 'timeout':
      return respondedAt(undefined, 'next-server');
    case 'unreachable':
      return unreachable('next-server', behaviour);
    case 'bogus':
      return respondedAt(at, reactionToBogusKeys(outcome, failure.reason, { validation, proof }));
    case 'lame':
      return respondedAt(at, failure.reason === 'empty' ? validation.noKeys.empty : 'next-server');
    default:
      return { ...respondedAt(at, 'next-server'), error: failure.kind === 'error' };
  }
}

function reactionToBogusKeys(
  outcome: TimedOutcome<unknown>,
  reason: BogusReason,
  { validation, proof }: { readonly validation: ValidationBehaviour; readonly proof: ZoneProof },
): 'next-label' | BogusReaction {
  const { brokenKeys, noKeys, unsigned, broken } = validation;
  const answer = outcome.kind === 'bogus' ? proof.answerOf(outcome) : [];
  switch (reason) {
    case 'no-keys':
      return answer.length > 0 ? noKeys.others : noKeys.denied;
    case 'no-signature':
      return unsigned;
    case 'no-matching-ds':
      return broken;
    default: {
      const isSingle = answer.filter(({ type }) => type === 'DNSKEY').length === 1;
      return isSingle && brokenKeys === 'taken-if-single' ? 'next-label' : broken;
    }
  }
}

/** The times of a reply: a query that is changed takes a round trip more, and over TCP the connection does, too. */
function timesOf(
  visit: Extract<Visit, { kind: 'asked' }>,
  { fallbacks }: Behaviour,
): Pick<Response, 'heardMs' | 'takesMs'> {
  const heard = heardMs(visit);
  const { exchanged } = visit;
  const isChanged = fallbackIn(exchanged, fallbacks) !== 'next-server';
  const trips = isChanged ? exchanged.tries.length + (exchanged.transport === 'tcp' ? 1 : 0) : 1;
  return { heardMs: heard, takesMs: rounded((heard ?? 0) * trips) };
}

/** To the tenth of a second from 100 ms on, so that few differ: nobody notices less. */
export function heardMs({ exchanged }: Extract<Visit, { kind: 'asked' }>): number | undefined {
  const { outcome, tries } = exchanged;
  switch (outcome.kind) {
    case 'timeout':
      return undefined;
    case 'malformed':
      // The exchange waited on for a better one: nobody knows when this came.
      return 0;
    case 'unreachable':
      return rounded(tries.at(-1)?.elapsedMs ?? 0);
    case 'reply':
      return rounded(outcome.rttMs);
  }
}

function rounded(ms: number): number {
  return ms < FINE_MS ? Math.round(ms / FINE_STEP_MS) * FINE_STEP_MS : Math.round(ms / FINE_MS) * FINE_MS;
}

const FINE_MS = 100;
const FINE_STEP_MS = 10;
