import type { Profile } from '../../../src/explore/profiles/profile.ts';
import { PROFILE_NAMES, PROFILES, type ProfileName } from '../../../src/explore/profiles/profiles.ts';
import { CATALOGUE } from './catalogue.ts';
import { decide } from './decide.ts';
import { type Calm, type LookedUp, lookUp } from './look-ups.ts';
import { versionOf } from './software.ts';

/** A profile that does not say what its product does today. */
export interface OutOfDate {
  readonly name: ProfileName;
  readonly measured: string;
  readonly installed: string;
  /** "whole.lame-self: end, now never-again". */
  readonly changes: readonly string[];
}

/** What has changed between versions of products: which replies are taken, and how servers are asked in another way. */
const CHANGING =
  /^(self referral|sideways referral|nothing, without AA|another name's record|YXDOMAIN|an address of three octets|SERVFAIL) to the whole name|^(FORMERR|BADVERS|NOTIMP|truncation).* to every question|^(names|glue|alias):/;

/** Measures a few data of each product, a few times, and compares them with its profile. */
export async function outOfDate(): Promise<{ readonly calm: Calm; readonly all: readonly OutOfDate[] }> {
  const situations = CATALOGUE.filter(({ name, sparse }) => !sparse && CHANGING.test(name));
  const worlds = situations.map(({ world }) => world);
  const effort = { profiles: MEASURED, times: TIMES } as const;
  const { calm, lookedUp } = await lookUp(worlds, effort, async (held, surroundings) => ({
    calm: surroundings.calm(),
    lookedUp: new Map(held.map((one, i) => [situations[i]?.name ?? '', one.lookedUp])),
  }));
  const all = MEASURED.map(async (name): Promise<OutOfDate> => {
    const own = (situation: string): readonly LookedUp[] =>
      (lookedUp.get(situation) ?? []).filter(({ profile }) => profile === name);
    const before = PROFILES[name];
    const { profile } = decide(before, own);
    return {
      name,
      measured: before.version,
      installed: await versionOf(name),
      changes: changes(before, profile),
    };
  });
  return { calm, all: await Promise.all(all) };
}

/** Those that the kit has measured. */
const MEASURED = PROFILE_NAMES.filter((name) => Object.keys(PROFILES[name].counts).length > 0);

/** Cold look-ups in each situation. */
const TIMES = 8;

/** The data that differ. */
function changes(before: Profile, now: Profile): readonly string[] {
  const after = new Map(leaves(now));
  return leaves(before).flatMap(([of, value]) =>
    after.get(of) === value ? [] : [`${of}: ${value}, now ${after.get(of) ?? 'nothing'}`],
  );
}

function leaves(data: object, above = ''): readonly (readonly [string, string])[] {
  return Object.entries(data).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null
      ? leaves(value, `${above}${key}.`)
      : [[`${above}${key}`, `${value}`] as const],
  );
}
