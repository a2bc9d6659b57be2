import { parseArgs } from 'node:util';

/** What a run of the fuzzer is to do. */
export interface Wanted {
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
export function wantedBy(args: readonly string[], random: () => number): Wanted {
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
