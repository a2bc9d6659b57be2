/*
 * The visit of a zone by a resolver: a state machine. In each state it picks an address, waits for its reply, and reacts: it
 * goes on in another state, or leaves the zone. All visits of a zone go forward together, a try at a time, as a list of
 * states with the chance that a resolver is in each, and at what moment.
 */

import { getOrMake } from '../../base/memo.ts';
import { workOf } from '../../base/work.ts';
import type { Behaviour } from '../../explore/profiles/profile.ts';
import type { End } from '../end.ts';
import { type Fraction, multiply, ONE, share } from '../fraction.ts';
import { type Arrival, type Stages, stagesFrom } from './arrivals.ts';
import { type Departure, endedIn, type Onward } from './departures.ts';
import type { AddressOfZone } from './draw.ts';
import { countedReplies, patienceOf } from './patience.ts';
import { heardEarly, openAt } from './picks.ts';
import type { ZoneProof } from './proof.ts';
import {
  keysEnd,
  nothingFound,
  type Response,
  type Server,
  type Servers,
  serversOf,
  takenAt,
  type VisitTools,
} from './servers.ts';
import {
  type Condition,
  FRESH,
  type Known,
  MOST_REPLIES,
  type Pick,
  type State,
  States,
  type Taken,
  type Task,
  withLookups,
} from './states.ts';
import {
  addAll,
  digitsOfWaits,
  inTurn,
  later,
  type Spent,
  timeSpent,
  type Waits,
  weighted,
} from './waits.ts';

/** The ways in which a resolver leaves the servers of a zone. Void where that is more work than there may be. */
export function visitZone(arrival: Arrival, tools: VisitTools): readonly Departure[] {
  const stages = stagesFrom(arrival.step);
  return knownAt(arrival, tools).flatMap(({ weight: learnt, arrival: knowing }) =>
    serversOf(knowing, stages, tools).flatMap(({ weight, servers }) => {
      const leaving = { arrival: knowing, stages, tools };
      const chance = multiply(learnt, weight);
      const sure = sureExit(knowing, servers, tools.behaviour);
      if (sure !== undefined) return departures(sure.exit, new Map([[sure.spent, chance]]), leaving);
      const visit = new Visit(stages, knowing, servers, tools);
      return visit.exits(chance).flatMap(({ exit, after }) => departures(exit, after, leaving));
    }),
  );
}

/** Where all servers are alike, and every reply is in time and of use, there is one way: most zones are so. */
function sureExit(
  { later }: Arrival,
  { all: [server, ...others] }: Servers,
  { time, validation }: Behaviour,
): { readonly exit: Exit; readonly spent: Spent } | undefined {
  if (server === undefined || others.length > 0) return undefined;
  const [patience] = time.toFirstTry ?? time.toNextTry;
  const isInTime = ({ heardMs = Number.POSITIVE_INFINITY }: Response) => heardMs <= patience;
  let spent = 0;
  let asked = 0;
  if (server.keys !== undefined && validation !== undefined) {
    if (!isInTime(server.keys) || server.keys.reaction !== 'next-label') return undefined;
    spent += timeSpent(server.keys.heardMs ?? 0);
  }
  for (let stage = 0; ; ) {
    const response = server.stages[stage];
    if (response === undefined || !isInTime(response)) return undefined;
    spent = inTurn(spent, timeSpent(response.takesMs));
    if (time.ofLookUp !== undefined && spent > timeSpent(time.ofLookUp)) return undefined;
    const { reaction, proves } = response;
    asked += 1;
    if (reaction === 'end' || reaction === 'follow') {
      const heard = { all: [{ server, count: Math.min(asked, server.members.length) }] };
      return { exit: { kind: 'taken', stage, server, reaction, heard }, spent };
    }
    if (reaction !== 'next-label') return undefined;
    stage += 1 + proves;
    if (later !== undefined) return { exit: { kind: 'asks-later', stage }, spent };
  }
}

/** The arrival with each knowledge that a resolver may have there, and how likely that is. */
function knownAt(
  arrival: Arrival,
  tools: VisitTools,
): readonly { readonly weight: Fraction; readonly arrival: Arrival }[] {
  const all = tools.behaviour.validation && arrival.proof?.drawn(tools.work);
  return all === undefined
    ? [{ weight: ONE, arrival }]
    : all.map(({ weight, proof }) => ({ weight, arrival: { ...arrival, proof } }));
}

/**
 * How a resolver leaves: it takes a reply, to a stage or to the question for keys, or finds nothing, or a limit stops it, or it
 * asks its next question elsewhere.
 */
type Exit =
  | Taken
  | { readonly kind: 'asks-later'; readonly stage: number }
  | { readonly kind: 'keys-taken'; readonly server: Server }
  | { readonly kind: 'nothing'; readonly task: Task }
  | { readonly kind: 'cut'; readonly end: End };

/** What a reaction comes to. */
type Next =
  | { readonly kind: 'goes-on'; readonly state: State }
  | { readonly kind: 'leaves'; readonly exit: Exit };

interface Leaving {
  readonly arrival: Arrival;
  readonly stages: Stages;
  readonly tools: VisitTools;
}

function departures(exit: Exit, after: Waits, { arrival, stages, tools }: Leaving): readonly Departure[] {
  const last = stages.at(-1) ?? arrival.step;
  switch (exit.kind) {
    case 'cut':
      return leaving(endedIn(exit.end), after);
    case 'asks-later': {
      const all = tools.arrivals.later(arrival, exit.stage);
      const each = weighted(after, share(all.length));
      return all.flatMap((next) => leaving({ kind: 'zone', arrival: next }, each));
    }
    case 'nothing': {
      const { task } = exit;
      const step = task.kind === 'keys' ? last : (stages[task.stage] ?? last);
      return leaving(nothingFound(arrival, step, task.kind === 'keys' ? 'keys' : 'reply', tools), after);
    }
    case 'keys-taken':
      return toEach(exit.server, after, (one) => endedIn(keysEnd(arrival, last, one)));
    case 'taken': {
      const step = stages[exit.stage] ?? last;
      return heardBy(exit).flatMap(({ one, heard, weight }) =>
        leaving(takenAt(arrival, step, one, exit.reaction, tools, heard), weighted(after, weight)),
      );
    }
  }
}

function leaving(to: Onward, after: Waits): readonly Departure[] {
  return [...after].map(([spent, weight]) => ({ to, spent, weight }));
}

/** Those that are alike are equally likely. */
function toEach(
  { members }: Server,
  after: Waits,
  to: (member: Server['members'][number]) => Onward,
): readonly Departure[] {
  const each = weighted(after, share(members.length));
  return members.flatMap((member) => leaving(to(member), each));
}

/** Who gave the reply that was taken, and which addresses had replied then: those that are alike are equally likely. */
function heardBy({ server, heard }: Taken): readonly {
  readonly one: AddressOfZone;
  readonly heard: readonly AddressOfZone[];
  readonly weight: Fraction;
}[] {
  const each = share(server.members.length);
  return server.members.flatMap((one) => {
    const others = heard.all.map(({ server: { members }, count }) => {
      const left = members.filter((member) => member !== one);
      return choices(left, left.length < members.length ? count - 1 : count);
    });
    const ways = others.reduce((product, { length }) => product * length, 1);
    // Of many ways none matters much.
    if (ways > MOST_WAYS) return [{ one, heard: [one], weight: each }];
    const all = others.reduce<readonly (readonly AddressOfZone[])[]>(
      (sofar, some) => sofar.flatMap((before) => some.map((more) => [...before, ...more])),
      [[one]],
    );
    return all.map((addresses) => ({ one, heard: addresses, weight: multiply(each, share(ways)) }));
  });
}

const MOST_WAYS = 24;

/** Each choice of so many. */
function choices<T>([first, ...others]: readonly T[], count: number): readonly (readonly T[])[] {
  if (count <= 0) return [[]];
  if (first === undefined) return [];
  return [...choices(others, count - 1).map((some) => [first, ...some]), ...choices(others, count)];
}

/** More than any resolver bears. */
const MOST_FAILURES = 7;
const MOST_SILENCES = 7;

class Visit {
  readonly #stages: Stages;
  /** The number of the stage of the whole name; beyond the last one if a limit keeps it from being asked. */
  readonly #whole: number;
  readonly #proof: ZoneProof | undefined;
  /** Whether the first question here is the only one. */
  readonly #isLeft: boolean;
  readonly #servers: Servers;
  readonly #behaviour: Behaviour;
  readonly #work: VisitTools['work'];
  /** Those of whose replies it matters how many there were. */
  readonly #counted: ReadonlySet<Server>;
  readonly #states = new States();
  readonly #nothing = new Map<Task, Exit>();
  readonly #asksLater = new Map<number, Exit>();
  readonly #keysTaken = new Map<Server, Exit>();

  constructor(stages: Stages, { proof, later }: Arrival, servers: Servers, { behaviour, work }: VisitTools) {
    this.#stages = stages;
    this.#whole = stages.at(-1)?.minimised === undefined ? stages.length - 1 : stages.length;
    this.#proof = proof;
    this.#isLeft = later !== undefined;
    this.#servers = servers;
    this.#behaviour = behaviour;
    this.#work = work;
    this.#counted = countedReplies(servers.all, behaviour);
  }

  /** All exits, each with the moments at which they are taken. */
  exits(weight: Fraction): readonly { readonly exit: Exit; readonly after: Waits }[] {
    const exits = new Map<Exit, Map<Spent, Fraction>>();
    const tasks = new Map<Task, Map<State, Map<Spent, Fraction>>>();
    const begin = this.#beginning();
    tasks.set(begin.task, new Map([[begin, new Map([[0, weight]])]]));
    // A task is begun when nobody comes to it any more, so that states meet there however many tries led to them.
    for (let task = firstOf(tasks); task !== undefined; task = firstOf(tasks)) {
      let states = tasks.get(task) ?? new Map<State, Waits>();
      tasks.delete(task);
      while (states.size > 0) {
        const next = new Map<State, Map<Spent, Fraction>>();
        for (const [state, waits] of states) {
          const work = workOf('search', 1) + workOf('momentDigit', digitsOfWaits(waits));
          if (this.#work.spend(work) === 'exceeded') return [];
          for (const { at, waits: reached } of this.#ask(state, waits)) {
            if (at.kind === 'leaves') addAll(getOrMake(exits, at.exit, newWaits), reached);
            else {
              const { state: to } = at;
              const there = to.task === task ? next : getOrMake(tasks, to.task, newStates);
              addAll(getOrMake(there, to, newWaits), reached);
            }
          }
        }
        states = next;
      }
    }
    return [...exits].map(([exit, after]) => ({ exit, after }));
  }

  #beginning(): State {
    const { validation } = this.#behaviour;
    const isWanted = this.#proof?.keys !== undefined && validation !== undefined && !this.#areKeysSure();
    const first = this.#states.stage(0);
    const task = isWanted && validation.keys === 'first' ? this.#states.keys(first) : first;
    return this.#states.beginning(
      this.#servers.candidates,
      Math.min(this.#servers.begun, this.#servers.lastJoining),
      task,
      isWanted && task.kind === 'stage' ? 'wanted' : 'settled',
    );
  }

  /** Whether the question for keys changes nothing: all addresses are alike, and reply to it at once. */
  #areKeysSure(): boolean {
    const [first, second] = this.#servers.all;
    const { heardMs = Number.POSITIVE_INFINITY, reaction } = first?.keys ?? {};
    return second === undefined && reaction === 'next-label' && timeSpent(heardMs) === 0;
  }

  /** Picks each address that a resolver may ask in a state; where there is none, it goes on without. */
  #ask(state: State, waits: Waits): readonly { readonly at: Next; readonly waits: Waits }[] {
    const picks = openAt(state, this.#servers, this.#behaviour);
    if (picks.length === 0) return [{ at: this.#withoutServer(state), waits }];
    return picks.flatMap((pick) => this.#try(state, pick, weighted(waits, pick.weight)));
  }

  /** Asks an address, waits, and reacts to the reply or to silence. */
  #try(before: State, pick: Pick, waits: Waits): readonly { readonly at: Next; readonly waits: Waits }[] {
    const { server } = pick.slot;
    const response = before.task.kind === 'keys' ? server.keys : server.stages[before.task.stage];
    if (response === undefined) throw new Error('a server replies to everything that is asked');
    const patience = patienceOf(this.#behaviour, before, pick.slot);
    const { heardMs, takesMs, closed } = response;
    const isSilent = !response.fixed && (heardMs === undefined || heardMs > patience.each);
    const takes = closed ? 0 : isSilent ? patience.inAll : takesMs;
    const spent = timeSpent(takes);
    const early =
      server.from === 0 && this.#servers.all.some(({ from }) => from > 0 && from <= before.turnsBefore)
        ? 0
        : before.early;
    const state = {
      ...before,
      early,
      turns: closed ? before.turns : this.#turnsAfter(before, takes),
    };
    const at = isSilent ? this.#silent(state, pick) : this.#react(state, pick, response);
    const { ofLookUp } = this.#behaviour.time;
    const most = ofLookUp === undefined ? Number.POSITIVE_INFINITY : timeSpent(ofLookUp);
    const { within, over } = later(waits, spent, most);
    return [
      ...(within.size > 0 ? [{ at, waits: within }] : []),
      ...(over.size > 0 ? [{ at: this.#leaveWithNothing(before.task), waits: over }] : []),
    ];
  }

  /** How many turns servers have had after a try that takes so long. */
  #turnsAfter({ turns }: State, ms: number): number {
    const { lastJoining, turnMs } = this.#servers;
    if (this.#behaviour.picks.lookedUpJoin === 'once-asked') return 0;
    return Math.min(lastJoining, turns + Math.max(1, Math.round(ms / turnMs)));
  }

  #silent(state: State, pick: Pick): Next {
    const { tries, time } = this.#behaviour;
    const { condition } = pick.slot;
    const silences = condition.silences + 1;
    const isInTurn = tries.kind === 'in-turn';
    const isLast = isInTurn || silences >= time.toNextTry.length;
    const now: Known = {
      ...condition,
      silences,
      unanswered: true,
      ...(isInTurn && { replies: 0 }),
      ...(isLast && { here: 'silent', heard: true }),
    };
    const next = { ...state, silences: state.silences + 1 };
    const gaveUp = !isInTurn && next.silences === tries.mostMinimised;
    if (gaveUp && this.#isMinimised(state.task))
      return this.#begin(this.#moved(next, pick, now), this.#states.stage(this.#whole));
    return this.#goOn(this.#moved(next, pick, now));
  }

  #react(before: State, pick: Pick, response: Response): Next {
    const { picks } = this.#behaviour;
    const { task } = before;
    const state = response.doubted ? { ...before, doubts: true } : before;
    const { reaction, proves } = response;
    const known: Known = {
      ...this.#replied(pick),
      heard: true,
      ...(response.doubted && { standing: 'last-resort' }),
    };
    const heard = (further: Partial<Known> = {}): State => this.#moved(state, pick, { ...known, ...further });
    if (response.rather === 'elsewhere' && !state.changed)
      return this.#goOn({ ...heard({ standing: 'last-here' }), changed: true });
    if (response.doubted && !before.doubts && !this.#isMinimised(task)) return this.#goOn(heard());
    if (task.kind === 'keys' && reaction === 'next-label') return this.#withKeys(heard(), task);
    const stage = task.kind === 'stage' ? task.stage : this.#whole;
    if (reaction === 'end' && task.kind === 'stage' && !this.#isMinimised(task) && this.#asksAgain(before))
      return this.#goOn({ ...heard(), silences: this.#mostSilences });
    switch (reaction) {
      case 'next-server':
      case 'never-again': {
        const counts = response.fixed || !(response.error && picks.afterError === 'unheard');
        return this.#failed(state, pick, {
          heard: counts || pick.slot.condition.heard,
          // As slow as one that was silent over UDP.
          ...(response.fixed && { unanswered: true }),
          ...(reaction === 'never-again' && { standing: 'avoided' }),
        });
      }
      case 'next-label':
        return this.#onward(heard(), stage + 1 + proves);
      case 'whole-name':
        return this.#onward(heard({ erred: true }), this.#whole);
      case 'next-label-elsewhere':
        return this.#onward(heard({ standing: 'avoided' }), stage + 1);
      case 'whole-name-elsewhere':
        return this.#onward(heard({ standing: 'avoided' }), this.#whole);
      case 'whole-name-rather-elsewhere':
        return this.#onward(heard({ standing: 'last-resort' }), this.#whole);
      case 'end-of-all':
        return this.#leaveWithNothing(task);
      case 'end':
      case 'follow': {
        const { server } = pick.slot;
        if (task.kind === 'keys')
          return leaves(getOrMake(this.#keysTaken, server, (): Exit => ({ kind: 'keys-taken', server })));
        const after = heard();
        const isRemembered = reaction === 'follow' && picks.again === 'unheard-first';
        const all = this.#states.heardIn(isRemembered ? after.candidates : []);
        const taken = this.#states.taken({ stage: task.stage, server, reaction, heard: all });
        return state.keys === 'wanted' ? this.#onceProven(after, taken) : leaves(taken);
      }
    }
  }

  /** Whether a reply counts as one to a minimised name, as others were silent before. */
  #asksAgain({ silences }: State): boolean {
    const { tries } = this.#behaviour;
    const isTaken = tries.kind === 'in-turn' || tries.afterSilence === 'taken';
    return !isTaken && silences > 0 && silences < this.#mostSilences;
  }

  /** After so many silences the whole name is asked for as such. */
  get #mostSilences(): number {
    const { tries } = this.#behaviour;
    return (tries.kind === 'by-patience' ? tries.mostMinimised : undefined) ?? MOST_SILENCES;
  }

  #failed(state: State, pick: Pick, further: Partial<Known>): Next {
    const { tries } = this.#behaviour;
    const isInTurn = tries.kind === 'in-turn';
    const failing = state.failing + (isInTurn ? 1 : 0);
    if (isInTurn && failing === tries.mostFailing) return this.#leaveWithNothing(state.task);
    const replied = this.#replied(pick);
    const failures = Math.min(MOST_FAILURES, replied.failures + 1);
    const isOver = isInTurn || failures === tries.perFailing;
    const now: Known = {
      ...replied,
      failures,
      erred: true,
      ...further,
      ...(isOver && { here: 'failed' }),
    };
    return this.#goOn(this.#moved({ ...state, failing }, pick, now));
  }

  /** After a reply that was taken: the keys, if it is their turn, or the next stage. */
  #onward(state: State, stage: number): Next {
    const isTurn = state.keys === 'wanted' && this.#behaviour.validation?.keys === 'after-first-reply';
    const next = this.#states.stage(stage);
    return isTurn
      ? this.#begin({ ...state, keys: 'settled' }, this.#states.keys(next))
      : this.#begin(state, next);
  }

  /** Leaves with what was taken once the keys are known that it takes. */
  #onceProven(state: State, taken: Taken): Next {
    // Who picks any server again knows who replied and who was silent; more would be many states.
    const known = ({ silences, heard }: Condition): Known =>
      silences === 0 ? { ...FRESH, heard } : { ...FRESH, silences: 1, unanswered: true };
    const candidates =
      this.#behaviour.picks.again === 'any' ? this.#states.mapped(state.candidates, known) : state.candidates;
    return this.#begin({ ...state, keys: 'settled', candidates }, this.#states.keys(taken));
  }

  #withKeys(state: State, { next }: Extract<Task, { kind: 'keys' }>): Next {
    return next.kind === 'stage' ? this.#begin({ ...state, keys: 'settled' }, next) : leaves(next);
  }

  /** Begins a task: servers that failed before may do there. */
  #begin(state: State, task: Task): Next {
    const cut = this.#stages.at(-1)?.minimised?.nextLabel;
    if (task.kind === 'stage' && task.stage === this.#stages.length && cut?.kind === 'cut')
      return leaves({ kind: 'cut', end: cut.end });
    if (task.kind === 'stage' && task.stage > 0 && this.#isLeft)
      return leaves(
        getOrMake(this.#asksLater, task.stage, (): Exit => ({ kind: 'asks-later', stage: task.stage })),
      );
    const { patience, toFirstTry } = this.#behaviour.time;
    const candidates = this.#states.mapped(
      state.candidates,
      (one, server): Known => ({
        ...withLookups(state.turns, server, one),
        here: 'open',
        standing: one.standing === 'last-here' ? 'usual' : one.standing,
        failures: 0,
        silences: patience === 'anew' ? 0 : one.silences,
      }),
    );
    return this.#goOn({
      ...state,
      task,
      failing: 0,
      silences: toFirstTry === undefined ? 0 : state.silences,
      early: heardEarly(state, this.#servers, this.#behaviour),
      turnsBefore: state.turns,
      current: undefined,
      candidates,
    });
  }

  /** Where no address is left: asks silent ones once more, or for the whole name, or leaves. */
  #withoutServer(state: State): Next {
    const { tries, minimisation } = this.#behaviour;
    const again = (one: Condition): Known =>
      tries.kind === 'in-turn' && one.here === 'silent' && one.silences <= tries.rounds
        ? { ...one, here: 'open' }
        : one;
    const candidates = this.#states.mapped(state.candidates, again);
    if (candidates.some((one, i) => one.candidate !== state.candidates[i]?.candidate))
      return this.#goOn({ ...state, current: undefined, candidates });
    if (!this.#isMinimised(state.task) || minimisation?.noServer !== 'whole-name')
      return this.#leaveWithNothing(state.task);
    return this.#begin(state, this.#states.stage(this.#whole));
  }

  #isMinimised(task: Task): boolean {
    return task.kind === 'stage' && task.stage < this.#whole;
  }

  #leaveWithNothing(task: Task): Next {
    return leaves(getOrMake(this.#nothing, task, (): Exit => ({ kind: 'nothing', task })));
  }

  /** The condition after a reply, which forgets all silences. */
  #replied({ slot: { server, condition } }: Pick): Known {
    const replies = this.#counted.has(server)
      ? Math.min(MOST_REPLIES, condition.replies + 1)
      : condition.replies;
    return { ...condition, unanswered: false, silences: 0, replies };
  }

  #moved(state: State, pick: Pick, condition: Known): State {
    const { candidates, candidate } = this.#states.moved(state, pick, condition);
    const current = this.#behaviour.picks.by === 'name' ? candidate : undefined;
    return { ...state, candidates, current };
  }

  #goOn(state: State): Next {
    return { kind: 'goes-on', state: this.#states.state(state) };
  }
}

function leaves(exit: Exit): Next {
  return { kind: 'leaves', exit };
}

function newWaits(): Map<Spent, Fraction> {
  return new Map();
}

function newStates(): Map<State, Map<Spent, Fraction>> {
  return new Map();
}

/** The task that comes before all others. */
function firstOf(tasks: ReadonlyMap<Task, unknown>): Task | undefined {
  let [first, least]: readonly [Task | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const task of tasks.keys()) {
    const place = placeOf(task);
    if (place >= least && first !== undefined) continue;
    [first, least] = [task, place];
  }
  return first;
}

/** Stages in their order, the question for keys before the stage that it delays. Infinite: after the reply is taken. */
function placeOf(task: Task): number {
  if (task.kind === 'stage') return 2 * task.stage + 1;
  return task.next.kind === 'stage' ? 2 * task.next.stage : Number.POSITIVE_INFINITY;
}
