/* Whom a resolver at the servers of a zone asks next. */

import { getOrMake } from '../../base/memo.ts';
import type { Behaviour, Picks } from '../../explore/profiles/profile.ts';
import { patienceOf, speedOf } from './patience.ts';
import type { Servers } from './servers.ts';
import type { Candidate, Condition, Pick, Slot, State } from './states.ts';

/** Addresses that are alike, of candidates that are alike. */
interface Open extends Slot {
  readonly candidate: Candidate;
  /** How many candidates. */
  readonly candidates: number;
  readonly slot: Slot;
}

/** The addresses that a resolver may ask next; the weights sum to 1. Empty: it has none left. */
export function openAt(state: State, servers: Servers, behaviour: Behaviour): readonly Pick[] {
  const asked: Open[] = [];
  for (const { candidate, count: candidates } of state.candidates)
    for (const slot of candidate.slots) {
      const { server, condition, count } = slot;
      if (condition.standing !== 'avoided')
        asked.push({ server, condition, count, candidate, candidates, slot });
    }
  const { tries, picks } = behaviour;
  const usual = asked.filter(({ condition }) => condition.standing === 'usual');
  const isNear = ({ server, condition, candidate }: Open) =>
    picks.lookedUpJoin !== 'once-asked' || server.from === 0 || condition.heard || isAsked(candidate);
  const isOtherWanted = asked.some(({ condition }) => condition.standing === 'last-here');
  const all = usual.some((one) => isOpen(one) && (isOtherWanted || isNear(one))) ? usual : asked;
  const open = all.filter(isOpen);
  const near = tries.kind === 'by-patience' ? withinBand(open, state, behaviour, tries.band) : open;
  if (picks.by === 'name') return ofNames(near, all, state, picks);
  return weighed(preferred(near, state, servers, behaviour));
}

/** Those of IPv6, if IPv4 counts as slower: who was not heard takes no time. */
function ofFamilies(open: readonly Open[], { task }: State, { families, picks }: Behaviour): readonly Open[] {
  if (families.kind !== 'ipv6-first') return open;
  const sixes = open.filter(({ server, condition }) => {
    if (server.family !== 6) return false;
    if (!condition.heard || picks.again === 'any') return true;
    const speed = speedOf(server, task);
    return (picks.fastest === 'smoothed' ? speed * (1 - KEPT ** condition.replies) : speed) <= families.ms;
  });
  return sixes.length > 0 ? sixes : open;
}

/** Whether some address of a name was asked. */
function isAsked({ slots }: Candidate): boolean {
  return slots.some(({ condition }) => condition.heard);
}

function isOpen({ condition }: Open): boolean {
  return condition.here === 'open';
}

function addressesIn(some: readonly Open[]): number {
  return some.reduce((sum, { count, candidates }) => sum + count * candidates, 0);
}

function byCandidate(some: readonly Open[]): ReadonlyMap<Candidate, readonly Open[]> {
  const all = new Map<Candidate, Open[]>();
  for (const one of some) getOrMake(all, one.candidate, (): Open[] => []).push(one);
  return all;
}

/** A name first, and all of its addresses before the next one. */
function ofNames(
  open: readonly Open[],
  all: readonly Open[],
  { task, current }: State,
  picks: Picks,
): readonly Pick[] {
  const names = byCandidate(open);
  const going = current && names.get(current);
  const picked = going === undefined ? nextNames(names, open, all, task, picks) : [{ of: going, count: 1 }];
  const count = picked.reduce((sum, one) => sum + one.count, 0);
  return picked.flatMap((name) => {
    const ranked = picks.again === 'any' ? name.of : unheardFirst(name.of, task, picks);
    const addresses = ranked.reduce((sum, one) => sum + one.count, 0);
    return ranked.map(({ candidate, slot }): Pick => {
      const weight = {
        numerator: BigInt(name.count * slot.count),
        denominator: BigInt(count * addresses),
      };
      return { candidate, slot, weight };
    });
  });
}

function nextNames(
  names: ReadonlyMap<Candidate, readonly Open[]>,
  open: readonly Open[],
  all: readonly Open[],
  task: State['task'],
  picks: Picks,
): readonly { readonly of: readonly Open[]; readonly count: number }[] {
  const counted = (some: readonly (readonly Open[])[]) =>
    some.map((of) => ({ of, count: of[0]?.candidates ?? 0 }));
  if (picks.again === 'any') return counted([...names.values()]);
  const isHeard = (name: Candidate) =>
    all.every(({ candidate, condition }) => candidate !== name || condition.heard);
  const unheard = [...names].filter(([name]) => !isHeard(name));
  if (unheard.length > 0) return counted(unheard.map(([, of]) => of));
  const best = new Set(fastestOf(open, task, picks).map(({ candidate }) => candidate));
  return counted([...names].filter(([name]) => best.has(name)).map(([, of]) => of));
}

/** The share of picks, in parts, that go to each of these. */
interface Preferred {
  readonly open: readonly Open[];
  readonly parts: number;
  /** Whether a name is picked first, and then one of its addresses. */
  readonly byName: (one: Open) => boolean;
}

function preferred(
  open: readonly Open[],
  state: State,
  servers: Servers,
  behaviour: Behaviour,
): readonly Preferred[] {
  const { picks } = behaviour;
  const turns = turnsBefore(state, picks);
  const isAtHand = ({ server: { from }, candidate: { slots } }: Open) =>
    from <= turns || (picks.lookedUpJoin === 'once-asked' && slots.some(({ condition }) => condition.heard));
  const current = open.filter(({ server }) => turns < server.until);
  const atHand = current.filter(isAtHand);
  // Whoever is known to come waits for the first of them.
  const later = current.filter((one) => !isAtHand(one));
  const next = Math.min(...later.map(({ server }) => server.from));
  const lookedUp = later.filter(({ server }) => server.from === next);
  const ranked = (some: readonly Open[]) => {
    const preferred = ofFamilies(some, state, behaviour);
    return picks.again === 'any' ? preferred : unheardFirst(preferred, state.task, picks);
  };
  const joined = { open: ranked(current), parts: 1, byName: () => false };
  if (picks.gluedFirst === 'alike') return [joined];
  if (turns > 0 && atHand.length > 0)
    return joinedInOrder({ ...joined, open: ranked(atHand) }, state, servers);
  if (lookedUp.length === 0) return [joined];
  const isAnySound = atHand.some(({ condition }) => condition.silences === 0 && !condition.erred);
  if (atHand.length === 0 || (!isAnySound && picks.lookedUpJoin === 'once-asked'))
    return [{ open: ranked(lookedUp), parts: 1, byName: () => true }];
  const { of, in: every } = picks.gluedFirst;
  return [
    { open: ranked(atHand), parts: of, byName: () => false },
    ...(of < every ? [{ open: current, parts: every - of, byName: (one: Open) => !isAtHand(one) }] : []),
  ];
}

/** The turns before the question in hand, after which addresses are known; 0 where that makes no difference. */
function turnsBefore({ turns, turnsBefore }: State, { lookedUpJoin }: Picks): number {
  switch (lookedUpJoin) {
    case 'once-asked':
      return 0;
    case 'next-question':
      return turnsBefore;
    case 'next-try':
      return turns;
  }
}

/**
 * The number of addresses at hand that a resolver has heard when those that it looked up join them, if it draws the order of
 * all addresses: those that were heard are the first ones at hand.
 */
export function heardEarly(state: State, { all }: Servers, { picks }: Behaviour): number {
  const { early, turns, turnsBefore } = state;
  const isLate = ({ from }: Slot['server']) => from > 0;
  const areNew = all.some((one) => isLate(one) && one.from <= turns);
  const wereThere = all.some((one) => isLate(one) && one.from <= turnsBefore);
  if (picks.fastest !== 'smoothed' || wereThere || !areNew) return early;
  return heardOf(state, (one) => !isLate(one));
}

/** How many addresses of some were heard. */
function heardOf({ candidates }: State, isOne: (server: Slot['server']) => boolean): number {
  return candidates.reduce((sum, { candidate, count }) => {
    const heard = candidate.slots.filter(({ server, condition }) => isOne(server) && condition.heard);
    return sum + heard.reduce((of, slot) => of + slot.count, 0) * count;
  }, 0);
}

/**
 * The addresses that were looked up have places of their own in the order drawn, and more of them before the next one at hand
 * the more of those have been asked: that next one is not the first of all at hand, but the one after `early` of them.
 */
function joinedInOrder(joined: Preferred, state: State, { all }: Servers): readonly Preferred[] {
  const { early } = state;
  const isNew = joined.open.every(({ condition }) => !condition.heard);
  const isLate = ({ from }: Slot['server']) => from > 0;
  const parted = [false, true].map((late) => joined.open.filter(({ server }) => isLate(server) === late));
  if (early === 0 || !isNew || parted.some((part) => part.length === 0)) return [joined];
  const countOf = (late: boolean) =>
    all.reduce(
      (sum, server) =>
        sum + (isLate(server) === late && server.from <= state.turnsBefore ? server.members.length : 0),
      0,
    );
  const [glued, late] = [countOf(false), countOf(true)];
  if (glued + late > MOST_IN_ORDER) return [joined];
  const { before, after } = placesInOrder({ glued, late, early, heard: heardOf(state, isLate) });
  return parted.map((open, i) => ({ ...joined, open, parts: i === 0 ? after : before }));
}

/** So that the number of orders fits into a double; of more servers none gets much. */
const MOST_IN_ORDER = 24;

/**
 * Of the orders of `glued` and `late` addresses in which `heard` of the late ones come before the one at hand after the first
 * `early`: in how many one late address more does, and in how many it does not.
 */
function placesInOrder({
  glued,
  late,
  early,
  heard,
}: Readonly<Record<'glued' | 'late' | 'early' | 'heard', number>>): {
  readonly before: number;
  readonly after: number;
} {
  const ordersWith = (count: number) =>
    choices(early + count, count) * choices(glued - early - 1 + late - count, late - count);
  let before = 0;
  for (let count = heard + 1; count <= late; count += 1) before += ordersWith(count);
  return { before, after: ordersWith(heard) };
}

/** Binomial coefficients. */
function choices(of: number, some: number): number {
  let count = 1;
  for (let i = 1; i <= some; i += 1) count = (count * (of - some + i)) / i;
  return count;
}

/** The addresses whose wait is at most `band` milliseconds above the shortest. */
function withinBand(all: readonly Open[], state: State, behaviour: Behaviour, band: number): readonly Open[] {
  const waits = all.map((one) => patienceOf(behaviour, state, one).each);
  const least = Math.min(...waits);
  return all.filter((_, i) => (waits[i] ?? least) <= least + band);
}

/** The addresses that were not asked yet; else the fastest. */
function unheardFirst(all: readonly Open[], task: State['task'], picks: Picks): readonly Open[] {
  const unheard = all.filter(({ condition }) => !condition.heard);
  if (unheard.length > 0) return unheard;
  const sound = picks.afterError === 'heard-last' ? all.filter(({ condition }) => !condition.erred) : all;
  return fastestOf(sound.length > 0 ? sound : all, task, picks);
}

/** The addresses that may be the fastest by their known times. A server that was silent last has none: it may be quick now. */
function fastestOf(all: readonly Open[], task: State['task'], { fastest }: Picks): readonly Open[] {
  const speeds = all.map(({ server, condition }) =>
    condition.unanswered ? Number.POSITIVE_INFINITY : speedOf(server, task),
  );
  const least = Math.min(...speeds);
  if (least === Number.POSITIVE_INFINITY) return all;
  if (fastest === 'round-trip') return all.filter((_, i) => (speeds[i] ?? least) <= least + ALIKE_MS);
  const means = all.map(({ condition }, i) => meanOf(speeds[i] ?? least, least, condition));
  const leastMean = Math.min(...means);
  return all.filter((_, i) => (means[i] ?? leastMean) <= leastMean * ALIKE_MEANS);
}

/** The mean of its round-trip times that begins at nothing. */
function meanOf(speed: number, least: number, { replies }: Condition): number {
  if (speed === Number.POSITIVE_INFINITY) return speed;
  return Math.max(1, speed <= least + ALIKE_MS ? least : speed) * (1 - KEPT ** replies);
}

/** Round-trip times that differ less change places. */
const ALIKE_MS = 25;
const ALIKE_MEANS = 1.1;

/** The share of a mean that stays with each reply. */
const KEPT = 0.7;

function weighed(all: readonly Preferred[]): readonly Pick[] {
  const some = all.filter(({ open }) => open.length > 0);
  const parts = some.reduce((sum, one) => sum + one.parts, 0);
  return some.flatMap(({ open, parts: own, byName }) => {
    const named = byCandidate(open.filter(byName));
    // An address at hand is as likely as a name that was looked up.
    const names = [...named.values()].reduce((sum, [one]) => sum + (one?.candidates ?? 0), 0);
    const shares = names + addressesIn(open.filter((one) => !byName(one)));
    return open.map((one): Pick => {
      const { candidate, slot } = one;
      const addresses = byName(one)
        ? (named.get(candidate) ?? []).reduce((sum, { count }) => sum + count, 0)
        : 1;
      const weight = {
        numerator: BigInt(own * one.candidates * one.count),
        denominator: BigInt(parts * shares * addresses),
      };
      return { candidate, slot, weight };
    });
  });
}
