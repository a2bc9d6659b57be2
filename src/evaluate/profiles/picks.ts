/* The next server of a zone that a resolver product asks. */

import { getOrMake } from '../../base/memo.ts';
import type { Picks, Profile } from '../../explore/profiles/profile.ts';
import { patienceOf, speedOf } from './patience.ts';
import type { ServerClass } from './zone-servers.ts';
import {
  AVOIDED,
  ERRED,
  FAILED,
  HEARD,
  LAST_RESORT,
  ONE_SILENCE,
  type Pick,
  repliesOf,
  SILENT,
  UNANSWERED,
  type Visiting,
} from './zone-state.ts';

/** The addresses that a resolver may ask next; the weights sum to 1. Empty: it has none left. */
export function openAt(
  visiting: Visiting,
  classes: readonly ServerClass[],
  profile: Profile,
): readonly Pick[] {
  const asked = visiting.members.flatMap((conditions, of): readonly Open[] => {
    const found = classes[of];
    if (found === undefined) return [];
    return [...conditions]
      .filter(([condition]) => (condition & AVOIDED) === 0)
      .map(([condition, count]) => ({ of, condition, count, found }));
  });
  const others = asked.filter(({ condition }) => (condition & LAST_RESORT) === 0);
  const all = others.some(isOpen) ? others : asked;
  // Who sends replies in vain is waited for no longer than others.
  const near =
    profile.tries.kind === 'by-patience' ? withinBand(all, visiting, profile, profile.tries.band) : all;
  const open = near.filter(isOpen);
  if (profile.picks.by === 'name') return ofNames(open, all, visiting, profile);
  return weighed(preferred(open, visiting, classes, profile));
}

function isOpen({ condition }: Open): boolean {
  return (condition & (FAILED | SILENT)) === 0;
}

/** A name first, and all of its addresses before the next one. */
function ofNames(
  open: readonly Open[],
  all: readonly Open[],
  { stage, name }: Visiting,
  { picks }: Profile,
): readonly Pick[] {
  const names = new Map<string, Open[]>();
  for (const one of open) getOrMake(names, one.found.name, (): Open[] => []).push(one);
  const current = names.get(name);
  const isHeard = (one: string) =>
    all.every(({ found, condition }) => found.name !== one || (condition & HEARD) !== 0);
  const unheard = [...names].filter(([one]) => !isHeard(one));
  const heardBest = new Set(fastestOf(open, stage, picks).map(({ found }) => found.name));
  const next = unheard.length > 0 ? unheard : [...names].filter(([one]) => heardBest.has(one));
  const picked = current === undefined ? next.map(([, of]) => of) : [current];
  return picked.flatMap((of) => {
    const ranked = unheardFirst(of, stage, picks);
    const count = ranked.reduce((sum, one) => sum + one.count, 0);
    return ranked.map((one): Pick => {
      const weight = { numerator: BigInt(one.count), denominator: BigInt(count * picked.length) };
      return { of: one.of, condition: one.condition, weight };
    });
  });
}

interface Open {
  readonly of: number;
  readonly condition: number;
  readonly count: number;
  readonly found: ServerClass;
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
  visiting: Visiting,
  classes: readonly ServerClass[],
  profile: Profile,
): readonly Preferred[] {
  const { picks } = profile;
  const isAtHand = ({ found }: Open) => found.atHand || known.has(found.name);
  const known = picks.lookedUpJoin === 'once-asked' ? namesAsked(visiting, classes) : NONE;
  const atHand = open.filter(isAtHand);
  const lookedUp = open.filter((one) => !isAtHand(one));
  const ranked = (some: readonly Open[]) =>
    picks.again === 'any' ? some : unheardFirst(some, visiting.stage, picks);
  const joined = { open: ranked(open), parts: 1, byName: () => false };
  if (picks.gluedFirst === 'alike' || lookedUp.length === 0) return [joined];
  switch (picks.lookedUpJoin) {
    case 'next-try':
      if (!visiting.begins) return [joined];
      break;
    case 'next-question':
      if (visiting.stage > 0) return joinedInOrder(joined, isAtHand, visiting, classes);
      break;
    case 'once-asked':
      break;
  }
  const isAnySound = atHand.some(({ condition }) => condition < ONE_SILENCE && (condition & ERRED) === 0);
  if (atHand.length === 0 || (!isAnySound && picks.lookedUpJoin === 'once-asked'))
    return [{ open: ranked(lookedUp), parts: 1, byName: () => picks.lookedUpBy === 'name' }];
  const { of, in: every } = picks.gluedFirst;
  return [
    { open: ranked(atHand), parts: of, byName: () => false },
    ...(of < every ? [{ open, parts: every - of, byName: (one: Open) => !isAtHand(one) }] : []),
  ];
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The number of addresses at hand that a resolver has heard when those that it looked up join them, if it draws the order of
 * all addresses: those that were heard are the first ones at hand.
 */
export function heardEarly(
  { members }: Visiting,
  classes: readonly ServerClass[],
  { picks }: Profile,
): number {
  if (picks.fastest !== 'smoothed' || picks.lookedUpJoin !== 'next-question') return 0;
  return classes.every(({ atHand }) => atHand) ? 0 : heardOf(members, classes, true);
}

/** How many addresses were heard that are at hand, or that are not. */
function heardOf(members: Visiting['members'], classes: readonly ServerClass[], wanted: boolean): number {
  return classes.reduce((sum, { atHand }, i) => {
    if (atHand !== wanted) return sum;
    const heard = [...(members[i] ?? [])].filter(([condition]) => (condition & HEARD) !== 0);
    return sum + heard.reduce((all, [, count]) => all + count, 0);
  }, 0);
}

/**
 * The addresses that were looked up have places of their own in the order drawn, and more of them before the next one at hand
 * the more of those have been asked: that next one is not the first of all at hand, but the one after `early` of them.
 */
function joinedInOrder(
  joined: Preferred,
  isAtHand: (one: Open) => boolean,
  { early, members }: Visiting,
  classes: readonly ServerClass[],
): readonly Preferred[] {
  const isNew = joined.open.every(({ condition }) => (condition & HEARD) === 0);
  const parted = [joined.open.filter(isAtHand), joined.open.filter((one) => !isAtHand(one))] as const;
  if (early === 0 || !isNew || parted.some((part) => part.length === 0)) return [joined];
  const countOf = (wanted: boolean) =>
    classes.reduce((sum, { atHand, members: all }) => sum + (atHand === wanted ? all.length : 0), 0);
  const [glued, late] = [countOf(true), countOf(false)];
  if (glued + late > MOST_IN_ORDER) return [joined];
  const { before, after } = placesInOrder({ glued, late, early, heard: heardOf(members, classes, false) });
  return [
    { ...joined, open: parted[0], parts: after },
    { ...joined, open: parted[1], parts: before },
  ];
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

/** The names with an address that was asked: these were looked up. */
function namesAsked({ members }: Visiting, classes: readonly ServerClass[]): ReadonlySet<string> {
  const asked = classes.filter((_, i) =>
    [...(members[i] ?? [])].some(([condition]) => (condition & HEARD) !== 0),
  );
  return new Set(asked.filter(({ atHand }) => !atHand).map(({ name }) => name));
}

/** The addresses whose wait is at most `band` milliseconds above the shortest. */
function withinBand(
  all: readonly Open[],
  visiting: Visiting,
  profile: Profile,
  band: number,
): readonly Open[] {
  const patience = ({ condition, found }: Open) => patienceOf(profile, visiting, { condition, found }).each;
  const least = Math.min(...all.map(patience));
  return all.filter((one) => patience(one) <= least + band);
}

/** The addresses that were not asked yet; else the fastest. */
function unheardFirst(all: readonly Open[], stage: number, picks: Picks): readonly Open[] {
  const unheard = all.filter(({ condition }) => (condition & HEARD) === 0);
  if (unheard.length > 0) return unheard;
  const sound =
    picks.afterError === 'heard-last' ? all.filter(({ condition }) => (condition & ERRED) === 0) : all;
  const ranked = sound.length > 0 ? sound : all;
  return fastestOf(ranked, stage, picks);
}

/** The addresses that may be the fastest by their known times. A server that was silent last has none: it may be quick now. */
function fastestOf(all: readonly Open[], stage: number, { fastest }: Picks): readonly Open[] {
  const speeds = all.map(({ found, condition }) =>
    (condition & UNANSWERED) !== 0 ? Number.POSITIVE_INFINITY : speedOf(found, stage),
  );
  const least = Math.min(...speeds);
  if (least === Number.POSITIVE_INFINITY) return all;
  if (fastest === 'round-trip') return all.filter((_, i) => (speeds[i] ?? least) <= least + ALIKE_MS);
  const means = all.map(({ condition }, i) => {
    const speed = speeds[i] ?? least;
    if (speed === Number.POSITIVE_INFINITY) return speed;
    return Math.max(1, speed <= least + ALIKE_MS ? least : speed) * (1 - KEPT ** repliesOf(condition));
  });
  const leastMean = Math.min(...means);
  return all.filter((_, i) => (means[i] ?? leastMean) <= leastMean * ALIKE_MEANS);
}

/** Round-trip times that differ less change places. */
const ALIKE_MS = 25;
const ALIKE_MEANS = 1.1;

/** The share of a mean that stays with each reply. */
const KEPT = 0.7;

function weighed(all: readonly Preferred[]): readonly Pick[] {
  const whole = all.filter(({ open }) => open.length > 0);
  const parts = whole.reduce((sum, one) => sum + one.parts, 0);
  return whole.flatMap(({ open, parts: own, byName }) => {
    const names = new Map<string, number>();
    const nameOf = (one: Open, i: number) => (byName(one) ? one.found.name : `#${i}`);
    open.forEach((one, i) => {
      names.set(nameOf(one, i), (names.get(nameOf(one, i)) ?? 0) + one.count);
    });
    // An address at hand is as likely as a name that was looked up.
    const shares = [...names].reduce((sum, [name, count]) => sum + (name.startsWith('#') ? count : 1), 0);
    return open.map((one, i): Pick => {
      const name = nameOf(one, i);
      const ofName = name.startsWith('#') ? 1 : (names.get(name) ?? 1);
      const weight = {
        numerator: BigInt(own * one.count),
        denominator: BigInt(parts * shares * ofName),
      };
      return { of: one.of, condition: one.condition, weight };
    });
  });
}
