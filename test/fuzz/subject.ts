import fc from 'fast-check';

/** One part of the program, and what must hold for it whatever it is given. */
export interface Subject {
  /** By which it is chosen on the command line. */
  readonly name: string;
  /** How many values a round tries. */
  readonly runs: number;
  /** Resolves with what was found; undefined if all held. */
  readonly search: (how: How) => Promise<Find | undefined>;
  /** Lets go of what it needed. */
  readonly close: () => Promise<void>;
}

/** How to search: the same seed and number of runs try the same values in the same order. */
interface How {
  readonly seed: number;
  readonly runs: number;
  /** Leads to one value among those of the seed, as a find gives it. */
  readonly path?: string;
}

/** A value for which something does not hold, made as small as can be. */
export interface Find {
  readonly seed: number;
  readonly path: string;
  readonly value: string;
  readonly error: unknown;
}

/** A subject whose values are `values`; `holds` throws, or rejects, where something does not hold. */
export function subject<T>(
  name: string,
  runs: number,
  values: fc.Arbitrary<T>,
  holds: (value: T) => void | Promise<void>,
  close: () => Promise<void> = async () => {},
): Subject {
  const property = fc.asyncProperty(values, async (value) => await holds(value));
  const search = async ({ seed, runs, path }: How): Promise<Find | undefined> => {
    const from = { seed, numRuns: runs, ...(path === undefined ? {} : { path }) };
    const { failed, counterexamplePath } = await fc.check(property, { ...from, endOnFailure: true });
    if (!failed) return undefined;
    const again = { seed, path: counterexamplePath ?? '', interruptAfterTimeLimit: MOST_SHRINKING_MS };
    const { counterexample, errorInstance, ...least } = await fc.check(property, again);
    const value = fc.stringify(counterexample?.[0]);
    return { seed, path: least.counterexamplePath ?? again.path, value, error: errorInstance };
  };
  return { name, runs, search, close };
}

/** How long a value is made smaller. */
const MOST_SHRINKING_MS = 30_000;

/** Throws if something that must hold does not. */
export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

/** What a function gives; throws if this process worked longer on it than so many milliseconds. */
export function withinCpu<T>(most: number, run: () => T): T {
  const before = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(before);
  const spent = Math.round((user + system) / 1_000);
  must(spent <= most, `took ${spent} ms`);
  return result;
}

/** Throws if a text holds what moves a terminal's cursor, or changes the direction of writing. */
export function mustBePrintable(text: string): void {
  const raw = UNPRINTABLE.exec(text);
  must(raw === null, `prints ${JSON.stringify(raw?.[0])} in ${JSON.stringify(text.slice(0, 200))}`);
}

/** Control and format characters, surrogates and what is not assigned, other than line ends; line separators. */
const UNPRINTABLE = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/u;
