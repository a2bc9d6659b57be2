/* The tries of a resolver product at the servers of a zone, until it leaves them for another zone or an end. */

import { getOrMake } from '../../base/memo.ts';
import { type Work, workOf } from '../../base/work.ts';
import type { Profile } from '../../explore/profiles/profile.ts';
import type { End } from '../end.ts';
import { type Fraction, multiply } from '../fraction.ts';
import { countedReplies, patienceOf } from './patience.ts';
import { heardEarly, openAt } from './picks.ts';
import {
  AT_ONCE,
  after,
  digitsOfWaits,
  inTurn,
  sequence,
  timeSpent,
  together,
  type Waits,
  weighted,
} from './waits.ts';
import type { ZoneProof } from './zone-proof.ts';
import {
  type Arrival,
  type Behaviour,
  endedIn,
  keysEnd,
  type Onward,
  type ServerClass,
  type Stages,
  serverClasses,
  stagesFrom,
  takenAt,
  type VisitTools,
} from './zone-servers.ts';
import {
  AVOIDED,
  ERRED,
  FAILED,
  HEARD,
  LAST_RESORT,
  ONE_FAILURE,
  ONE_SILENCE,
  type Pick,
  SILENT,
  UNANSWERED,
  type Visiting,
  withoutReplies,
  withReply,
} from './zone-state.ts';

/** A way to leave the servers of a zone: after how long, with what probability. */
interface Departure {
  readonly to: Onward;
  readonly after: Waits;
}

/**
 * The ways in which a resolver leaves the servers of a zone: it asks one address after another, for
 * each minimised name and then for the whole one, and remembers whom it has heard. Void where that is more work than there
 * may be.
 */
export function visitZone({ step, proof }: Arrival, tools: VisitTools): readonly Departure[] {
  const stages = stagesFrom(step);
  return serverClasses(stages, proof, tools).flatMap(({ weight, classes }) =>
    new ZoneVisit(stages, proof, classes, tools).departures(weight),
  );
}

/** More than any resolver bears, and fewer than there is room for. */
const MOST_FAILURES = 7;

/** Tries after one another: the search for what they lead to calls itself for each, and more would not fit on the stack. */
const MOST_DEEP = 500;

/** The end of a visit: an address of a class is taken, or none. */
interface Leaf {
  readonly stage: number;
  /** The `alike` of its classes; undefined: SERVFAIL. */
  readonly of: string | undefined;
  readonly reaction: Behaviour['reaction'] | undefined;
  /** A limit keeps the next question from being asked. */
  readonly cut?: End;
  readonly after: Waits;
}

type Leaves = ReadonlyMap<string, Leaf>;

/** The ends that a pick leads to, and how likely the pick is. */
interface Weighted {
  readonly weight: Fraction;
  readonly leaves: Leaves;
}

class ZoneVisit {
  readonly #stages: Stages;
  /** The number of the stage of the whole name; beyond the last one if a limit keeps it from being asked. */
  readonly #whole: number;
  /** The number of the stage of the zone's keys. */
  readonly #keys: number;
  readonly #proof: ZoneProof | undefined;
  readonly #classes: readonly ServerClass[];
  readonly #profile: Profile;
  readonly #work: Work;
  /** Of each class, whether its replies are counted. */
  readonly #counted: readonly boolean[];
  readonly #known = new Map<string, Leaves>();
  #deep = 0;

  constructor(
    stages: Stages,
    proof: ZoneProof | undefined,
    classes: readonly ServerClass[],
    { profile, work }: VisitTools,
  ) {
    this.#stages = stages;
    this.#keys = stages.length + 1;
    this.#proof = proof;
    this.#whole = stages.at(-1)?.minimised === undefined ? stages.length - 1 : stages.length;
    this.#classes = classes;
    this.#profile = profile;
    this.#work = work;
    this.#counted = countedReplies(classes, profile);
  }

  departures(weight: Fraction): readonly Departure[] {
    const members = this.#classes.map((one) => new Map([[0, one.members.length]]));
    const keys = this.#proof?.keys === undefined || this.#areKeysSure() ? 'known' : 'wanted';
    const begin: Visiting = {
      stage: 0,
      begins: true,
      failing: 0,
      silences: 0,
      early: 0,
      elapsed: 0,
      name: '',
      keys,
      members,
    };
    const isFirst = keys === 'wanted' && this.#profile.validation.keys === 'first';
    const leaves = this.#from(isFirst ? { ...begin, stage: this.#keys, keys: { before: 0 } } : begin);
    return [...leaves.values()].flatMap((leaf) => this.#leave(leaf, weight));
  }

  /** Whether the question for keys changes nothing: all addresses are alike, and reply to it at once. */
  #areKeysSure(): boolean {
    const [first, second] = this.#classes;
    const { heardMs = Number.POSITIVE_INFINITY, reaction } = first?.keys ?? {};
    return second === undefined && reaction === 'next-label' && timeSpent(heardMs) === 0;
  }

  #leave({ stage, of, reaction, cut, after: waits }: Leaf, weight: Fraction): readonly Departure[] {
    if (cut !== undefined) return [{ to: endedIn(cut), after: weighted(waits, weight) }];
    const isAtKeys = stage === this.#keys;
    const step = this.#stages[isAtKeys ? this.#stages.length - 1 : stage];
    if (step === undefined) throw new Error('a stage that there is not');
    const proof = this.#proof;
    if (of === undefined || reaction === undefined) {
      const { servfail } = step.ends;
      const end =
        isAtKeys || step.minimised === undefined
          ? (proof?.servfail(isAtKeys ? 'keys' : 'reply', servfail) ?? servfail)
          : servfail;
      return [{ to: endedIn(end), after: weighted(waits, weight) }];
    }
    // Those that behave alike are equally likely.
    const all = this.#classes.filter(({ alike }) => alike === of).flatMap(({ members }) => members);
    const each = weighted(waits, multiply(weight, { numerator: 1n, denominator: BigInt(all.length) }));
    const arrival = { step, proof };
    return all.map((one) => ({
      to: isAtKeys ? endedIn(keysEnd(arrival, one)) : takenAt(arrival, one, reaction),
      after: each,
    }));
  }

  #from(visiting: Visiting): Leaves {
    const key = this.#keyOf(visiting);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#deep += 1;
    const made = this.#deep > MOST_DEEP ? this.#tooMuch() : this.#ask(visiting);
    this.#deep -= 1;
    this.#known.set(key, made);
    return made;
  }

  /** The same for visits that differ only in which of several names that are alike are in which condition. */
  #keyOf(visiting: Visiting): string {
    const { stage, begins, failing, silences, early, elapsed, name, keys, members } = visiting;
    const byName = new Map<string, string[]>();
    this.#classes.forEach((one, i) => {
      const conditions = keyOfConditions(members[i] ?? new Map());
      getOrMake(byName, one.name, () => []).push(`${one.alike}=${conditions}${one.name === name ? '*' : ''}`);
    });
    const names = [...byName.values()].map((parts) => parts.sort().join('|')).sort();
    return `${stage} ${begins} ${failing} ${silences} ${early} ${elapsed} ${name === ''} ${keyOfKeys(keys)} ${names.join(' / ')}`;
  }

  #ask(visiting: Visiting): Leaves {
    if (this.#work.spend(workOf('search', 1)) === 'exceeded') return new Map();
    const picks = openAt(visiting, this.#classes, this.#profile);
    if (picks.length === 0) return this.#afterAll(visiting);
    const tried: Weighted[] = [];
    for (const pick of picks) {
      const leaves = this.#try(visiting, pick);
      if (this.#work.spend(workOf('momentDigit', digitsOfLeaves(leaves))) === 'exceeded') return new Map();
      tried.push({ weight: pick.weight, leaves });
    }
    return merged(tried);
  }

  #tooMuch(): Leaves {
    this.#work.spend(Number.POSITIVE_INFINITY);
    return new Map();
  }

  #try(visiting: Visiting, pick: Pick): Leaves {
    const found = this.#classes[pick.of];
    const behaviour = visiting.stage === this.#keys ? found?.keys : found?.stages[visiting.stage];
    if (found === undefined || behaviour === undefined) throw new Error('a class that there is not');
    const waits = patienceOf(this.#profile, visiting, { condition: pick.condition, found });
    const { heardMs, reaction } = behaviour;
    const isSilent = heardMs === undefined || heardMs > waits.each;
    const at = this.#after(visiting, behaviour.closed ? 0 : isSilent ? waits.inAll : heardMs, found);
    if (this.#isOver(at)) return later(servfailAt(at.stage), isSilent ? waits.inAll : heardMs);
    if (behaviour.closed) return this.#silent(at, pick);
    if (isSilent) return later(this.#silent(at, pick), waits.inAll);
    const heard = behaviour.error && this.#profile.picks.afterError === 'unheard' ? 0 : HEARD;
    if (reaction === 'next-server') return later(this.#failed(at, pick, heard), heardMs);
    if (reaction === 'never-again') return later(this.#failed(at, pick, heard | AVOIDED), heardMs);
    return later(this.#taken(at, pick, found, behaviour), heardMs);
  }

  #silent(visiting: Visiting, pick: Pick): Leaves {
    const { tries, time } = this.#profile;
    const silences = visiting.silences + 1;
    const longer =
      ((tries.kind === 'in-turn' ? withoutReplies(pick.condition) : pick.condition) + ONE_SILENCE) |
      UNANSWERED;
    const isLast = Math.floor(longer / ONE_SILENCE) >= time.toNextTry.length;
    const condition = tries.kind === 'in-turn' || isLast ? longer | HEARD | SILENT : longer;
    const next = { ...moved(visiting, pick, condition), silences };
    const isMinimised = visiting.stage < this.#whole;
    if (isMinimised && tries.kind === 'by-patience' && silences === tries.mostMinimised)
      return this.#atStage(next, this.#whole);
    return this.#from(next);
  }

  #failed(visiting: Visiting, pick: Pick, further: number): Leaves {
    const { tries } = this.#profile;
    const failing = visiting.failing + (tries.kind === 'in-turn' ? 1 : 0);
    if (tries.kind === 'in-turn' && failing === tries.mostFailing) return servfailAt(visiting.stage);
    const condition = this.#heardNow(pick) + ONE_FAILURE;
    const failures = Math.floor(condition / ONE_FAILURE) % (MOST_FAILURES + 1);
    const isOver = tries.kind === 'in-turn' || failures === tries.perFailing;
    const to = condition | ERRED | further | (isOver ? FAILED : 0);
    return this.#from({ ...moved(visiting, pick, to), failing });
  }

  #taken(visiting: Visiting, pick: Pick, { alike }: ServerClass, behaviour: Behaviour): Leaves {
    const { stage, keys } = visiting;
    const { reaction, proves = 0 } = behaviour;
    const heard = (further = 0) => moved(visiting, pick, this.#heardNow(pick) | HEARD | further);
    if (stage === this.#keys && reaction === 'next-label') return this.#withKeys(heard());
    switch (reaction) {
      case 'next-label':
        return this.#onward(heard(), stage + 1 + proves);
      case 'whole-name':
        return this.#onward(heard(ERRED), this.#whole);
      case 'next-label-elsewhere':
        return this.#onward(heard(AVOIDED), stage + 1);
      case 'whole-name-elsewhere':
        return this.#onward(heard(AVOIDED), this.#whole);
      case 'whole-name-rather-elsewhere':
        return this.#onward(heard(LAST_RESORT), this.#whole);
      case 'end-of-all':
        return servfailAt(stage);
      case 'end':
      case 'follow':
      case 'next-server':
      case 'never-again': {
        const leaf: Leaf = { stage, of: alike, reaction, after: AT_ONCE };
        return keys === 'wanted' ? this.#onceProven(heard(), leaf) : only(leaf);
      }
    }
  }

  /** After a reply that was taken: the keys, if it is their turn, or the next stage. */
  #onward(visiting: Visiting, stage: number): Leaves {
    const isTurn = visiting.keys === 'wanted' && this.#profile.validation.keys === 'after-first-reply';
    return isTurn
      ? this.#atStage({ ...visiting, keys: { before: stage } }, this.#keys)
      : this.#atStage(visiting, stage);
  }

  /** The end of a visit, once the keys are known that it takes. */
  #onceProven(visiting: Visiting, leaf: Leaf): Leaves {
    const { again } = this.#profile.picks;
    // Who picks any server again knows who replied and who was silent; more would be many states.
    const known = (one: number) => (one < ONE_SILENCE ? one & HEARD : ONE_SILENCE | UNANSWERED);
    const members =
      again === 'any' ? visiting.members.map((conditions) => mapped(conditions, known)) : visiting.members;
    const asked = this.#atStage({ ...visiting, keys: 'asked-last', members }, this.#keys);
    return new Map(
      [...asked.values()].map((one) => {
        const reached = isKeyed(one) ? { ...leaf, after: one.after } : one;
        return [keyOfLeaf(reached), reached];
      }),
    );
  }

  #withKeys(visiting: Visiting): Leaves {
    const { keys, stage } = visiting;
    if (typeof keys === 'object') return this.#atStage({ ...visiting, keys: 'known' }, keys.before);
    return only({ stage, of: undefined, reaction: 'next-label', after: AT_ONCE });
  }

  /** Begins a stage: servers that failed before may do there. */
  #atStage(visiting: Visiting, stage: number): Leaves {
    const cut = this.#stages.at(-1)?.minimised?.nextLabel;
    if (stage === this.#stages.length && cut?.kind === 'cut')
      return only({ stage: 0, of: undefined, reaction: undefined, cut: cut.end, after: AT_ONCE });
    const { patience, toFirstTry } = this.#profile.time;
    const kept = (condition: number) => {
      const rest = condition & ~(FAILED | SILENT | (ONE_FAILURE * MOST_FAILURES));
      return patience === 'anew' ? rest % ONE_SILENCE : rest;
    };
    const members = visiting.members.map((conditions) => mapped(conditions, kept));
    const silences = toFirstTry === undefined ? 0 : visiting.silences;
    const early = visiting.stage === 0 ? heardEarly(visiting, this.#classes, this.#profile) : visiting.early;
    return this.#from({ ...visiting, stage, begins: false, failing: 0, silences, early, name: '', members });
  }

  #after(visiting: Visiting, ms: number, { name, atHand }: ServerClass): Visiting {
    const { time, picks } = this.#profile;
    // Where nothing depends on it, visits that differ only in that are the same.
    const elapsed = time.ofLookUp === undefined ? 0 : inTurn(visiting.elapsed, timeSpent(ms));
    const early = visiting.stage > 0 && atHand ? 0 : visiting.early;
    return { ...visiting, early, elapsed, name: picks.by === 'name' ? name : '' };
  }

  /** Whether a look-up may not take so long, were there nothing before this zone. */
  #isOver({ elapsed }: Visiting): boolean {
    const { ofLookUp } = this.#profile.time;
    return ofLookUp !== undefined && elapsed > timeSpent(ofLookUp);
  }

  /** The condition after a reply, which forgets all silences. */
  #heardNow({ condition, of }: Pick): number {
    const heard = condition % UNANSWERED;
    return this.#counted[of] ? withReply(heard) : heard;
  }

  /** Goes on where no address is left: asks silent ones once more, or for the whole name, or ends. */
  #afterAll(visiting: Visiting): Leaves {
    const { tries, minimisation } = this.#profile;
    const { stage, members } = visiting;
    const isAgain = (condition: number) =>
      tries.kind === 'in-turn' && (condition & SILENT) !== 0 && condition < ONE_SILENCE * (tries.rounds + 1);
    const again = members.map((conditions) =>
      mapped(conditions, (one) => (isAgain(one) ? one & ~SILENT : one)),
    );
    if (
      again.some((conditions, i) => keyOfConditions(conditions) !== keyOfConditions(members[i] ?? new Map()))
    )
      return this.#from({ ...visiting, name: '', members: again });
    if (stage >= this.#whole || minimisation.noServer === 'end-of-all') return servfailAt(stage);
    return this.#atStage(visiting, this.#whole);
  }
}

function servfailAt(stage: number): Leaves {
  return only({ stage, of: undefined, reaction: undefined, after: AT_ONCE });
}

function only(leaf: Leaf): Leaves {
  return new Map([[keyOfLeaf(leaf), leaf]]);
}

function keyOfLeaf({ stage, of, reaction, cut }: Leaf): string {
  return cut === undefined ? `${stage} ${reaction} ${of}` : 'cut';
}

/** Whether an end stands for known keys alone. */
function isKeyed({ of, reaction }: Leaf): boolean {
  return of === undefined && reaction === 'next-label';
}

function keyOfKeys(keys: Visiting['keys']): string {
  return typeof keys === 'string' ? keys : `before ${keys.before}`;
}

function moved(visiting: Visiting, { of, condition }: Pick, to: number): Visiting {
  const members = visiting.members.map((conditions, i) => {
    if (i !== of) return conditions;
    const changed = new Map(conditions);
    const left = (changed.get(condition) ?? 0) - 1;
    if (left > 0) changed.set(condition, left);
    else changed.delete(condition);
    return changed.set(to, (changed.get(to) ?? 0) + 1);
  });
  return { ...visiting, begins: false, members };
}

function mapped(
  conditions: ReadonlyMap<number, number>,
  to: (condition: number) => number,
): ReadonlyMap<number, number> {
  const changed = new Map<number, number>();
  for (const [condition, count] of conditions)
    changed.set(to(condition), (changed.get(to(condition)) ?? 0) + count);
  return changed;
}

function keyOfConditions(conditions: ReadonlyMap<number, number>): string {
  return [...conditions]
    .sort(([a], [b]) => a - b)
    .map(([condition, count]) => `${condition}:${count}`)
    .join(',');
}

function later(leaves: Leaves, ms: number): Leaves {
  const spent = after(timeSpent(ms));
  if (timeSpent(ms) === 0) return leaves;
  return new Map([...leaves].map(([key, leaf]) => [key, { ...leaf, after: sequence(spent, leaf.after) }]));
}

function digitsOfLeaves(leaves: Leaves): number {
  let digits = 0;
  for (const leaf of leaves.values()) digits += digitsOfWaits(leaf.after);
  return digits;
}

function merged(all: readonly Weighted[]): Leaves {
  const [only] = all;
  if (only !== undefined && all.length === 1 && only.weight.numerator === only.weight.denominator)
    return only.leaves;
  const parts = new Map<string, { leaf: Leaf; waits: Waits[] }>();
  for (const { weight, leaves } of all)
    for (const [key, leaf] of leaves) {
      const known = parts.get(key) ?? { leaf, waits: [] };
      known.waits.push(weighted(leaf.after, weight));
      parts.set(key, known);
    }
  return new Map([...parts].map(([key, { leaf, waits }]) => [key, { ...leaf, after: together(waits) }]));
}
