/**
 * Searches for what breaks the program: `npm run fuzz`, described in CONTRIBUTING.md. Prints a line for
 * each subject, and for whatever was found the value and the command that tries it again.
 */
import { inspect, parseArgs } from 'node:util';
import type { Find, Subject } from './subject.ts';
import { classification } from './subjects/classifier.ts';
import { codec } from './subjects/codec.ts';
import { http } from './subjects/http.ts';
import { judging } from './subjects/judging.ts';
import { options } from './subjects/options.ts';
import { saved } from './subjects/saved.ts';
import { signatures } from './subjects/signatures.ts';
import { readTexts } from './subjects/texts.ts';
import { silence, traversal } from './subjects/traversal.ts';

/** What a run of the fuzzer is to do. */
interface Wanted {
  /** The subjects; none: all. */
  readonly names: readonly string[];
  readonly seed: number;
  /** Values to try of each subject in a round; absent: what the subject says. */
  readonly runs?: number;
  /** Rounds go on, each with the next seed, for so long; absent: one round. */
  readonly minutes?: number;
  readonly path?: string;
}

/** So that every run of the gate tries the same. */
const USUAL_SEED = 20_261_122;

const SEEDS = 0x7fff_ffff;

/** Reads `NAME... --seed N --runs N --minutes N --path P`. Throws an error that says what is wrong. */
function wantedBy(args: readonly string[], random: () => number): Wanted {
  const text = { type: 'string' } as const;
  const options = { seed: text, runs: text, minutes: text, path: text };
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const { seed, runs, minutes, path } = values;
  const unstated = minutes === undefined ? USUAL_SEED : Math.floor(random() * SEEDS);
  return {
    names: positionals,
    seed: seed === undefined ? unstated : numberIn('seed', seed),
    ...(runs === undefined ? {} : { runs: numberIn('runs', runs) }),
    ...(minutes === undefined ? {} : { minutes: numberIn('minutes', minutes) }),
    ...(path === undefined ? {} : { path }),
  };
}

function numberIn(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new Error(`--${option} ${text}: not a number`);
  return value;
}

const MINUTE_MS = 60_000;

/** A value may be a megabyte of text. */
const MOST_SHOWN = 6_000;

const wanted = wantedBy(process.argv.slice(2), Math.random);

/** Everything that is searched, in this order. */
const SUBJECTS: readonly Subject[] = [
  codec,
  classification,
  signatures,
  judging,
  readTexts,
  traversal,
  silence,
  saved,
  http,
  options,
];

const chosen = SUBJECTS.filter(({ name }) => wanted.names.length === 0 || wanted.names.includes(name));
if (chosen.length === 0) throw new Error(`the subjects are ${SUBJECTS.map(({ name }) => name).join(', ')}`);
const tried = new Map<string, number>();
const finds = await rounds(wanted);
for (const [name, count] of tried) console.log(`${name}: ${count} tried`);
for (const subject of SUBJECTS) await subject.close();
process.exitCode = finds === 0 ? 0 : 1;

/** Resolves with the number of rounds that found something. */
async function rounds({ seed, minutes }: Wanted): Promise<number> {
  const until = performance.now() + (minutes ?? 0) * MINUTE_MS;
  console.log(`seed ${seed}`);
  let found = 0;
  for (let next = seed; next === seed || (performance.now() < until && found === 0); next += 1)
    found += await round(next);
  return found;
}

async function round(seed: number): Promise<number> {
  let found = 0;
  for (const subject of chosen) {
    const runs = wanted.runs ?? subject.runs;
    const start = performance.now();
    const find = await subject.search({
      seed,
      runs,
      ...(wanted.path === undefined ? {} : { path: wanted.path }),
    });
    tried.set(subject.name, (tried.get(subject.name) ?? 0) + runs);
    if (find !== undefined) {
      found += 1;
      tell(subject, find);
    } else if (wanted.minutes === undefined) {
      console.log(`${subject.name}: held in ${((performance.now() - start) / 1_000).toFixed(1)} s`);
    }
  }
  return found;
}

function tell({ name }: Subject, { seed, path, value, error }: Find): void {
  const again = `npm run fuzz -- ${name} --seed ${seed} --path ${path}`;
  const shown = value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)} ...` : value;
  console.log(`\n${name}: FOUND\n${inspect(error)}\nfor ${shown}\nagain: ${again}\n`);
}
