import type { Test } from 'tap';
import { all } from '../all.ts';
import { countsText, type Effort, type Seen, sample } from '../resolvers/sample.ts';
import { exceptions } from './exceptions.ts';
import { type SignedSetting, signedSettingFor } from './setting.ts';
import { type Validator, validators } from './validators.ts';
import { type Readings, readings } from './views.ts';
import type { Asked, Shares, World } from './world/world.ts';

/** What is to be compared. */
export interface Comparison {
  readonly worlds: readonly World[];
  readonly effort: Effort;
  /** Whether the readings are those worked out by hand; otherwise only resolvers are held against them. */
  readonly byHand: boolean;
}

/** Signs the worlds, reads what svc-model(7), VALIDATING says about them, and holds resolvers against it. */
export async function checkSigned(t: Test, { worlds, effort, byHand }: Comparison): Promise<void> {
  const setting = await signedSettingFor(t, worlds);
  const read: Asked[] = [];
  await t.test(byHand ? 'both readings are as worked out by hand' : 'readings', async (t) => {
    for (const { about, asked } of worlds) {
      for (const one of asked) {
        const said = await readings(one, setting);
        if (byHand) checkReadings(t, about, one, said);
        read.push({ ...one, ...said });
      }
    }
  });
  await t.test('resolvers that validate give what the readings say', async (t) => {
    await checkValidators(t, read, effort, setting);
  });
}

function checkReadings(t: Test, about: string, asked: Asked, { validating, firstTry }: Readings): void {
  const what = `${about}: ${questionText(asked)}`;
  t.same(validating, asked.validating, `${what}, retries`);
  t.same(firstTry, asked.firstTry, `${what}, does not retry`);
}

async function checkValidators(
  t: Test,
  asked: readonly Asked[],
  effort: Effort,
  setting: SignedSetting,
): Promise<void> {
  const sessions = asked.map((one) => [one]);
  // Each is told of as soon as it is done: the rest may take hours.
  const checked = validators.map(async (validator, i) => {
    const { software } = validator;
    const seen = await sample(software, sessions, effort, { ...setting, network: `127.53.${30 + i}` });
    for (const [j, one] of asked.entries()) checkValidator(t, validator, one, seen[j]?.[0] ?? new Map());
  });
  await all(checked);
}

/**
 * Nothing may be seen that the readings of this resolver give no probability, and what both readings call certain has to be
 * seen. How often something is seen is not compared: resolvers have favourites among servers.
 */
function checkValidator(t: Test, { software, readings }: Validator, asked: Asked, seen: Seen): void {
  const excused = exceptions.filter((one) => one.resolver === software.name && one.name === asked.name);
  for (const { outcome, reason } of excused) {
    t.comment(`${asked.name}: ${outcome} excused: ${software.name} ${reason}`);
  }
  const possible = readings.flatMap((reading) => userOutcomes(asked[reading]));
  const allowed = new Set([...possible, ...excused.map((one) => one.outcome)]);
  const impossible = [...seen.keys()].filter((outcome) => !allowed.has(outcome));
  t.same(
    impossible,
    [],
    `${software.name}, ${questionText(asked)}: only what is possible (${countsText(seen)})`,
  );
  const [certain, ...others] = new Set([...userOutcomes(asked.validating), ...userOutcomes(asked.firstTry)]);
  if (certain === undefined || others.length > 0 || excused.some(({ always }) => always)) return;
  t.ok(seen.has(certain), `${software.name}, ${questionText(asked)}: what is certain appears`);
}

/** A user does not see why a look-up fails. */
function userOutcomes(shares: Shares): readonly string[] {
  return Object.keys(shares).map((what) => what.replace(/^servfail: .*/, 'servfail'));
}

function questionText({ name, type }: Asked): string {
  return `${name} ${type}`;
}
