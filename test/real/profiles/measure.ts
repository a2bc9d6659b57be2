/*
 * Measures a resolver product and writes its profile: `sh test/real/run.sh measure NAME [FOLDER]`, as root. NAME is a row of
 * `software.ts`. What was looked up is kept in the folder, from where another run goes on; without one it is forgotten.
 */
import { appendFile, mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { batches } from './batches.ts';
import { CATALOGUE, type Situation } from './catalogue.ts';
import { decide } from './decide.ts';
import { type LookedUp, lookUp } from './look-ups.ts';
import { fileOf, profileBefore, writeProfile } from './profile-file.ts';
import { SOFTWARE_NAMES, type SoftwareName, versionOf } from './software.ts';

/** Cold look-ups in each situation. */
const TIMES = 40;
const GAP_MS = 25;
const SPARSE_GAP_MS = 400;
const MOST_TRIES = 3;
/** At once: each is two sockets in each of the copies. */
const MOST_ADDRESSES = 60;

const [wanted = '', folder = await mkdtemp(join(tmpdir(), 'svc-measured-'))] = process.argv.slice(2);
const name = SOFTWARE_NAMES.find((one) => one === wanted);
if (name === undefined) throw new Error(`software.ts has no row "${wanted}"`);
await mkdir(folder, { recursive: true });
const file = join(folder, `${name}.jsonl`);

const known = await lookedUpBefore(file);
for (const batch of batches(
  CATALOGUE.filter((one) => !known.has(one.name)),
  () => MOST_ADDRESSES,
)) {
  for (const [situation, lookedUp] of await watched(name, batch)) {
    known.set(situation, lookedUp);
    const lines = lookedUp.map((one) => `${JSON.stringify({ situation, ...one })}\n`);
    await appendFile(file, lines.join(''));
  }
}

const { profile, counted, undecided } = decide(profileBefore(name), (situation) => {
  const lookedUp = known.get(situation);
  if (lookedUp === undefined) throw new Error(`the catalogue has no situation "${situation}"`);
  return lookedUp;
});
await writeProfile(name, { profile, counted, undecided, version: await versionOf(name) });
console.log(`${fileOf(name)} is written`);
for (const of of undecided) {
  const counts = counted.filter((one) => one.of === of).map((one) => JSON.stringify(one.counts));
  console.log(`undecided: ${of}: ${counts.join(', ')}`);
}
process.exitCode = undecided.length > 0 ? 1 : 0;

/** Looks a few situations up, again if the machine was too busy; its calmest time counts. */
async function watched(
  product: SoftwareName,
  situations: readonly Situation[],
): Promise<ReadonlyMap<string, readonly LookedUp[]>> {
  const [first] = situations;
  const effort = {
    profiles: [product],
    times: TIMES,
    gapMs: first?.sparse ? SPARSE_GAP_MS : GAP_MS,
  } as const;
  for (let tried = 1; ; tried += 1) {
    const worlds = situations.map(({ world }) => world);
    const { calm, lookedUp } = await lookUp(worlds, effort, async (held, surroundings) => ({
      calm: surroundings.calm(),
      lookedUp: new Map(held.map((one, i) => [situations[i]?.name ?? '', one.lookedUp])),
    }));
    if (calm === 'calm' || tried === MOST_TRIES) return lookedUp;
    console.log(`${first?.name} and others again: the machine was too busy`);
  }
}

async function lookedUpBefore(path: string): Promise<Map<string, readonly LookedUp[]>> {
  const text = await readFile(path, { encoding: 'utf8', flag: 'a+' });
  const known = new Map<string, readonly LookedUp[]>();
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const { situation, ...lookedUp } = JSON.parse(line);
    known.set(situation, [...(known.get(situation) ?? []), lookedUp]);
  }
  return known;
}
