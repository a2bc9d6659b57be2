/**
 * An independent reading of svc-model(7), PROFILES for one zone: each order in which a resolver may try the addresses of its
 * servers is played by itself, from the first packet to the end, for each minimised question in turn.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Profile, ReplyKind } from '../../../src/explore/profiles/profile.ts';
import { PROFILES } from '../../../src/explore/profiles/profiles.ts';

/** A name server with addresses at hand, or one whose look-up gives these. */
export interface ZoneServer {
  readonly name: string;
  readonly glue: boolean;
  readonly addresses: readonly string[];
}

/** What an address says to a question, and after how many milliseconds. */
export interface Said {
  readonly kind: ReplyKind;
  readonly ms: number;
}

/** What is asked at the zone, one after another: each minimised question, and the whole name last. */
export interface ZoneWorld {
  readonly servers: readonly ZoneServer[];
  readonly stages: readonly (readonly [question: string, said: Readonly<Record<string, Said>>])[];
}

/** An end as "kind question address", and when; with its weight. */
export interface Played {
  readonly end: string;
  readonly ms: number;
  readonly p: number;
}

/** Where a resolver ends that is asked for the whole name and has spent `elapsed` ms before, and with what probability. */
export function play(world: ZoneWorld, profile: Profile, elapsed = 0): readonly Played[] {
  return new Player(world, profile, Number.POSITIVE_INFINITY).play({ elapsed, stage: 0, heard: [] });
}

/** The same of one that asks its first question alone there: "goes on" with the number of the next one is an end, too. */
export function playFirst(world: ZoneWorld, profile: Profile): readonly Played[] {
  return new Player(world, profile, 1).play({ elapsed: 0, stage: 0, heard: [] });
}

/** The same of one that asks a question other than the first there, and has heard those addresses before. */
export function playFrom(world: ZoneWorld, profile: Profile, start: Start): readonly Played[] {
  return new Player(world, profile, Number.POSITIVE_INFINITY).play(start);
}

interface Start {
  readonly elapsed: number;
  readonly stage: number;
  readonly heard: readonly string[];
}

/** A minimised question is asked if a reply to the one before leads to it in a profile that asks the same. */
export function stagesAsked({ stages }: ZoneWorld, { minimisation: { style } }: Profile): number {
  const alike = Object.values<Profile>(PROFILES).filter((one) =>
    isDeepStrictEqual(one.minimisation.style, style),
  );
  const last = stages.findIndex(([, said]) =>
    alike.every(({ minimisation: { reactions } }) =>
      Object.values(said).every(({ kind }) => !reactions[kind].startsWith('next-label')),
    ),
  );
  return last === -1 ? stages.length : last + 1;
}

/** What a resolver remembers of an address. */
interface Memory {
  readonly address: string;
  readonly server: number;
  readonly glue: boolean;
  readonly heard: boolean;
  readonly erred: boolean;
  readonly avoided: boolean;
  readonly isLastResort: boolean;
  /** What it was at this stage. */
  readonly now: 'open' | 'failed' | 'silent';
  readonly silences: number;
  /** Replies in vain at this stage. */
  readonly failures: number;
  /** Since it was silent last, up to 3. */
  readonly replies: number;
  /** Whether it was silent last. */
  readonly unanswered: boolean;
}

/** Where a resolver is: every address has its own memory. */
interface Position {
  /** Milliseconds since the lookup began. */
  readonly elapsed: number;
  /** The stage that it began with here. */
  readonly first: number;
  readonly stage: number;
  readonly failing: number;
  readonly silences: number;
  readonly doubts: boolean;
  /** Whether any reply was waited for: names without glue are known then, but not as soon as a port proves to be closed. */
  readonly waited: boolean;
  /** Whether all that were asked since the names without glue are known have none. */
  readonly inOrder: boolean;
  readonly server: number | undefined;
  readonly all: readonly Memory[];
}

class Player {
  readonly #world: ZoneWorld;
  readonly #profile: Profile;
  readonly #last: number;
  /** How many of the first minimised questions are asked. */
  readonly #asked: number;
  /** How many stages there are at these servers. */
  readonly #most: number;
  readonly #known = new Map<string, readonly Played[]>();

  constructor(world: ZoneWorld, profile: Profile, most: number) {
    this.#most = most;
    this.#world = world;
    this.#profile = profile;
    this.#last = world.stages.length - 1;
    this.#asked = stagesAsked(world, profile);
  }

  play({ elapsed, stage, heard }: Start): readonly Played[] {
    const fresh = {
      erred: false,
      avoided: false,
      isLastResort: false,
      now: 'open',
      silences: 0,
      failures: 0,
      unanswered: false,
    } as const;
    const all = this.#world.servers.flatMap(({ addresses, glue }, server) =>
      addresses.map((address): Memory => {
        const isHeard = heard.includes(address);
        return { address, server, glue, ...fresh, heard: isHeard, replies: isHeard ? 1 : 0 };
      }),
    );
    const names = [...new Set(all.map(({ server }) => server))];
    const { by, lookedUpJoin } = this.#profile.picks;
    const isFirstAlone = by === 'address' && lookedUpJoin === 'next-question' && !all.some((one) => one.glue);
    // The name whose look-up ends first is at hand before the others.
    const begun = isFirstAlone
      ? (names.length > 0 ? names : [0]).map((name) =>
          all.map((one) => ({ ...one, glue: one.server === name })),
        )
      : [all];
    return merged(
      begun.flatMap((memories) =>
        this.#from({
          first: stage,
          stage,
          failing: 0,
          silences: 0,
          doubts: false,
          waited: false,
          inOrder: false,
          elapsed,
          server: undefined,
          all: memories,
        }).map((end) => ({ ...end, p: end.p / begun.length })),
      ),
    );
  }

  #from(at: Position): readonly Played[] {
    const key = JSON.stringify(at);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const picks = this.#picks(at);
    const played =
      picks.length === 0
        ? this.#nothingLeft(at)
        : merged(picks.flatMap(({ one, p }) => this.#ask(at, one).map((end) => ({ ...end, p: end.p * p }))));
    this.#known.set(key, played);
    return played;
  }

  #ask(at: Position, one: Memory): readonly Played[] {
    const { tries, time, picks, whole, minimisation } = this.#profile;
    const [question = '', says = {}] = this.#world.stages[at.stage] ?? [];
    const said = says[one.address] ?? { kind: 'timeout', ms: 0 };
    const { kind } = said;
    const ms = msOf(said);
    const reactions = at.stage === this.#last ? whole : minimisation.reactions;
    const wait = this.#wait(at, one);
    const isClosed = kind === 'unreachable' && time.closedPort === 'noticed';
    const isSilent = kind === 'timeout' || kind === 'unreachable' || ms > wait;
    const takes = isClosed ? 0 : isSilent ? (tries.kind === 'by-patience' ? tries.packets * wait : wait) : ms;
    const elapsed = at.elapsed + Math.round(takes / 100) * 100;
    if (time.ofLookUp !== undefined && elapsed > time.ofLookUp)
      return later([{ end: `servfail ${question} -`, ms: 0, p: 1 }], takes);
    const here = {
      ...at,
      elapsed,
      waited: at.waited || !isClosed,
      inOrder: at.inOrder && !one.glue,
      server: picks.by === 'name' ? one.server : undefined,
    };
    if (kind === 'timeout' || kind === 'unreachable' || ms > wait) {
      const silences = one.silences + 1;
      const goesOn = tries.kind === 'by-patience' && silences < time.toNextTry.length;
      const replies = tries.kind === 'by-patience' ? one.replies : 0;
      const silent = { ...one, silences, replies, unanswered: true };
      const memory: Memory = goesOn ? silent : { ...silent, heard: true, now: 'silent' };
      const kept = tries.kind === 'by-patience' && !goesOn ? { ...memory, heard: one.heard } : memory;
      const next = { ...changed(here, one, kept), silences: at.silences + 1 };
      const enough =
        at.stage < this.#last && tries.kind === 'by-patience' && next.silences === tries.mostMinimised;
      const further = enough ? this.#atStage(next, this.#last) : this.#from(next);
      return later(further, isClosed ? 0 : tries.kind === 'by-patience' ? tries.packets * wait : wait);
    }
    const reaction = reactions[kind];
    const isDoubted = whole[kind] === 'doubted';
    const isDenial = kind.startsWith('lame') || (kind === 'answer-malformed' && isDoubted);
    const replied: Memory = {
      ...one,
      silences: 0,
      unanswered: false,
      heard: true,
      replies: Math.min(3, one.replies + 1),
      isLastResort: one.isLastResort || isDoubted,
    };
    if (reaction === 'doubted' && !at.doubts)
      return later(this.#from({ ...changed(here, one, replied), doubts: true }), ms);
    const there = isDoubted ? { ...here, doubts: true } : here;
    switch (reaction) {
      case 'next-server':
      case 'never-again': {
        const isError = ERRORS.includes(kind);
        const memory: Memory = {
          ...replied,
          heard: one.heard || !(isError && picks.afterError === 'unheard'),
          erred: true,
          failures: one.failures + 1,
          now: tries.kind === 'by-patience' && one.failures + 1 < tries.perFailing ? 'open' : 'failed',
          avoided: one.avoided || reaction === 'never-again',
        };
        const failing = at.failing + 1;
        if (tries.kind === 'in-turn' && failing === tries.mostFailing)
          return later([{ end: `servfail ${question} -`, ms: 0, p: 1 }], ms);
        return later(this.#from({ ...changed(there, one, memory), failing }), ms);
      }
      case 'next-label':
        return later(this.#atStage(changed(there, one, replied), at.stage + 1), ms);
      case 'next-label-elsewhere':
        return later(this.#atStage(changed(there, one, { ...replied, avoided: true }), at.stage + 1), ms);
      case 'whole-name':
        return later(this.#atStage(changed(there, one, { ...replied, erred: true }), this.#last), ms);
      case 'whole-name-elsewhere':
        return later(this.#atStage(changed(there, one, { ...replied, avoided: true }), this.#last), ms);
      case 'end-of-all':
        return later([{ end: `servfail ${question} -`, ms: 0, p: 1 }], ms);
      case 'doubted':
      case 'end':
        if (at.stage === this.#last && this.#asksAgain(at))
          return later(this.#from({ ...changed(there, one, replied), silences: this.#mostSilences }), ms);
        return later([{ end: `${isDenial ? 'denied' : kind} ${question} ${one.address}`, ms: 0, p: 1 }], ms);
    }
  }

  #asksAgain({ silences }: Position): boolean {
    const { tries } = this.#profile;
    if (tries.kind !== 'by-patience' || tries.afterSilence !== 'asked-again') return false;
    return silences > 0 && silences < this.#mostSilences;
  }

  get #mostSilences(): number {
    const { tries } = this.#profile;
    return (tries.kind === 'by-patience' ? tries.mostMinimised : undefined) ?? 7;
  }

  #nothingLeft(at: Position): readonly Played[] {
    const { tries, minimisation } = this.#profile;
    const again = at.all.map((one): Memory => {
      const isOnceMore = tries.kind === 'in-turn' && one.now === 'silent' && one.silences <= tries.rounds;
      return isOnceMore && !one.avoided ? { ...one, now: 'open' } : one;
    });
    if (again.some(({ now }, i) => now !== at.all[i]?.now))
      return this.#from({ ...at, server: undefined, all: again });
    if (at.stage < this.#last && minimisation.noServer === 'whole-name') return this.#atStage(at, this.#last);
    return [{ end: `servfail ${this.#world.stages[at.stage]?.[0]} -`, ms: 0, p: 1 }];
  }

  #atStage(at: Position, stage: number): readonly Played[] {
    if (stage >= this.#most) return [{ end: `goes on ${stage}`, ms: 0, p: 1 }];
    const { patience, toFirstTry } = this.#profile.time;
    const all = at.all.map((one): Memory => {
      return {
        ...one,
        now: 'open',
        failures: 0,
        silences: patience === 'anew' ? 0 : one.silences,
      };
    });
    const silences = toFirstTry === undefined ? 0 : at.silences;
    const inOrder = at.stage === 0 || at.inOrder;
    return this.#from({ ...at, stage, failing: 0, silences, inOrder, server: undefined, all });
  }

  #wait(at: Position, one: Memory): number {
    const { toNextTry, toFirstTry, toHeard } = this.#profile.time;
    const ms = this.#ms(at, one);
    if (toHeard?.kind === 'round-trips' && one.heard && one.silences === 0)
      return Math.max(toHeard.times * ms, ms + toHeard.more);
    if (toHeard?.kind === 'smoothed' && one.replies > 0) {
      const { mean, variation } = smoothed(Math.max(10, ms), one.replies);
      return (mean + 4 * variation) * 2 ** one.silences;
    }
    if (one.silences === 0 && toFirstTry !== undefined)
      return toFirstTry[Math.min(at.silences, toFirstTry.length - 1)] ?? 0;
    return toNextTry[Math.min(one.silences, toNextTry.length - 1)] ?? 0;
  }

  #speed(at: Position, one: Memory): number {
    return one.unanswered ? Number.POSITIVE_INFINITY : this.#ms(at, one);
  }

  /** All that may be the fastest of some. */
  #best(at: Position, some: readonly Memory[]): readonly Memory[] {
    const best = Math.min(...some.map((one) => this.#speed(at, one)));
    const alike = some.filter((one) => this.#speed(at, one) <= best + 25);
    if (best === Number.POSITIVE_INFINITY) return some;
    if (this.#profile.picks.fastest === 'round-trip') return alike;
    const mean = (one: Memory) => {
      const speed = alike.includes(one) ? best : this.#speed(at, one);
      return Math.max(1, speed) * ([0, 0.3, 0.51, 0.657][one.replies] ?? 0);
    };
    const known = some.filter(({ unanswered }) => !unanswered);
    return known.filter((one) => known.every((other) => mean(one) <= 1.1 * mean(other)));
  }

  /** Of the last stage at which it may have replied without ending the lookup; else of this one. */
  #ms(at: Position, { address }: Memory): number {
    const { reactions } = this.#profile.minimisation;
    const before = this.#world.stages.slice(at.first, at.stage).map(([, said]) => said[address]);
    const heard = before.filter(
      (said, i) => said && at.first + i < this.#asked && reactions[said.kind] !== 'end',
    );
    const now = this.#world.stages[at.stage]?.[1][address];
    for (const said of [...heard.reverse(), now])
      if (said !== undefined && said.kind !== 'timeout' && said.kind !== 'unreachable') return msOf(said);
    return Number.POSITIVE_INFINITY;
  }

  #picks(at: Position): readonly { readonly one: Memory; readonly p: number }[] {
    const { picks, tries } = this.#profile;
    const looked = new Set(at.all.filter(({ heard, glue }) => heard && !glue).map(({ server }) => server));
    const asked = at.all.filter(({ avoided }) => !avoided);
    const ordinary = asked.filter(({ isLastResort }) => !isLastResort);
    const isNear = ({ glue, server }: Memory) =>
      glue || (picks.lookedUpJoin === 'once-asked' && looked.has(server));
    const isThere = (one: Memory) =>
      one.now === 'open' && (picks.lookedUpJoin !== 'once-asked' || isNear(one));
    let open = (ordinary.some(isThere) ? ordinary : asked).filter(({ now }) => now === 'open');
    if (tries.kind === 'by-patience') {
      const patience = (one: Memory) => this.#wait(at, one);
      const least = Math.min(...open.map(patience));
      open = open.filter((one) => patience(one) <= least + tries.band);
    }
    if (open.length === 0) return [];
    if (picks.by === 'name') return this.#ofName(at, open);
    const near = open.filter(isNear);
    const far = open.filter((one) => !isNear(one));
    const hasJoined =
      (picks.lookedUpJoin === 'next-try' && at.waited) ||
      (picks.lookedUpJoin !== 'once-asked' && at.stage > 0);
    if (far.length > 0 && hasJoined && at.inOrder && picks.fastest === 'smoothed')
      return firstInOrder(at.all, this.#ranked(at, open));
    if (far.length === 0 || hasJoined || picks.gluedFirst === 'alike') return evenly(this.#ranked(at, open));
    const isSound = near.some(({ erred, silences }) => !erred && silences === 0);
    if (near.length === 0 || (picks.lookedUpJoin === 'once-asked' && !isSound)) {
      return byName(this.#ranked(at, far), () => false);
    }
    const share = picks.gluedFirst.of / picks.gluedFirst.in;
    const usual = evenly(this.#ranked(at, near)).map(({ one, p }) => ({ one, p: p * share }));
    if (share === 1) return usual;
    return [...usual, ...byName(open, isNear).map(({ one, p }) => ({ one, p: p * (1 - share) }))];
  }

  #ofName(at: Position, open: readonly Memory[]): readonly { readonly one: Memory; readonly p: number }[] {
    const servers = [...new Set(open.map(({ server }) => server))];
    const isHeard = (server: number) =>
      at.all.every((one) => one.server !== server || one.heard || one.avoided);
    const unheard = servers.filter((server) => !isHeard(server));
    const best = this.#best(at, open);
    const fastest = servers.filter((server) => best.some((one) => one.server === server));
    const current = at.server !== undefined && servers.includes(at.server) ? [at.server] : undefined;
    const next = current ?? (unheard.length > 0 ? unheard : fastest);
    return next.flatMap((server) => {
      const own = evenly(
        this.#ranked(
          at,
          open.filter((one) => one.server === server),
        ),
      );
      return own.map(({ one, p }) => ({ one, p: p / next.length }));
    });
  }

  #ranked(at: Position, some: readonly Memory[]): readonly Memory[] {
    const { again, afterError } = this.#profile.picks;
    if (again === 'any') return some;
    const unheard = some.filter(({ heard }) => !heard);
    if (unheard.length > 0) return unheard;
    const sound = afterError === 'heard-last' ? some.filter(({ erred }) => !erred) : some;
    const left = sound.length > 0 ? sound : some;
    return this.#best(at, left);
  }
}

/** After so many replies (RFC 6298 2.3), from a variation of 94 ms on. */
function smoothed(ms: number, replies: number): { readonly mean: number; readonly variation: number } {
  if (replies === 0) return { mean: 0, variation: 94 };
  const { mean, variation } = smoothed(ms, replies - 1);
  return {
    mean: (7 * mean + ms) / 8,
    variation: (3 * variation + Math.abs(ms - mean)) / 4,
  };
}

/** Nobody knows when a message came that cannot be decoded: it counts as quick. */
function msOf({ kind, ms }: Said): number {
  return kind === 'malformed' ? 0 : ms;
}

const ERRORS: readonly ReplyKind[] = ['FORMERR', 'SERVFAIL', 'NOTIMP', 'REFUSED', 'YXDOMAIN', 'other-rcode'];

function changed(at: Position, one: Memory, to: Memory): Position {
  return { ...at, all: at.all.map((other) => (other === one ? to : other)) };
}

function evenly(some: readonly Memory[]): readonly { readonly one: Memory; readonly p: number }[] {
  return some.map((one) => ({ one, p: 1 / some.length }));
}

/**
 * Each order of all addresses is as likely as another. Those with glue that were heard came first among these; those without
 * that were heard came before all others since.
 */
function firstInOrder(
  all: readonly Memory[],
  open: readonly Memory[],
): readonly { readonly one: Memory; readonly p: number }[] {
  const isUnheard = ({ heard }: Memory) => !heard;
  if (!open.every(isUnheard)) return evenly(open);
  const orders = permutations(all).filter((order) =>
    order.every((one, i) =>
      order
        .slice(0, i)
        .every((before) => !(one.heard && isUnheard(before) && (before.glue === one.glue || !one.glue))),
    ),
  );
  return open.map((one) => {
    const first = orders.filter((order) => order.find((other) => open.includes(other)) === one);
    return { one, p: first.length / orders.length };
  });
}

function permutations<T>(all: readonly T[]): readonly (readonly T[])[] {
  if (all.length === 0) return [[]];
  return all.flatMap((one, i) =>
    permutations(all.filter((_, k) => k !== i)).map((others) => [one, ...others]),
  );
}

/** Each name as likely as each address that is near. */
function byName(
  some: readonly Memory[],
  isNear: (one: Memory) => boolean,
): readonly { readonly one: Memory; readonly p: number }[] {
  const near = some.filter(isNear);
  const far = some.filter((one) => !isNear(one));
  const names = [...new Set(far.map(({ server }) => server))];
  const count = near.length + names.length;
  return [
    ...near.map((one) => ({ one, p: 1 / count })),
    ...names.flatMap((name) =>
      evenly(far.filter(({ server }) => server === name)).map(({ one, p }) => ({ one, p: p / count })),
    ),
  ];
}

function later(played: readonly Played[], ms: number): readonly Played[] {
  const rounded = Math.round(ms / 100) * 100;
  return played.map((one) => ({ ...one, ms: one.ms + rounded }));
}

function merged(all: readonly Played[]): readonly Played[] {
  const known = new Map<string, Played>();
  for (const { end, ms, p } of all) {
    const key = `${ms} ${end}`;
    known.set(key, { end, ms, p: p + (known.get(key)?.p ?? 0) });
  }
  return [...known.values()];
}
