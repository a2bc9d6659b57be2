import { Option } from 'commander';
import { formatDurationMs, parseDurationMs } from '../../base/duration.ts';
import { LIMITS, type Limit, type LimitName } from '../../base/limits.ts';
import { usageError } from '../process/errors.ts';

/** An option that sets a limit: its flag, help and check come from the table. `derived`: what its default depends on. */
export function limitOption(name: SettableLimit, derived?: string): Option {
  const limit = LIMITS[name];
  return optionWithin(limit, name, limit.flag, derived);
}

/** The limits that the command line can set. */
type SettableLimit = {
  [K in LimitName]: (typeof LIMITS)[K] extends { readonly flag: string } ? K : never;
}[LimitName];

/** Limits as commander gives them, under their names in the table. */
export type LimitFlags = { readonly [K in SettableLimit]?: number };

/** An option with a value within a limit, `--retries` or `-p, --port`. Durations come as milliseconds. */
export function optionWithin(
  { least, most, meaning, default: usual }: Limit,
  name: string,
  spelling: string,
  derived?: string,
): Option {
  const placeholder = name.endsWith('Ms') ? 'duration' : 'number';
  const [read, write] =
    placeholder === 'duration' ? ([parseDurationMs, briefDuration] as const) : ([readCount, String] as const);
  const range = `${write(least)} to ${write(most)}`;
  const help = `${meaning} (${range}; default ${derived ?? write(usual)})`;
  return new NamedOption(`${spelling} <${placeholder}>`, help, name).argParser((text: string) => {
    const value = read(text);
    if (value !== undefined && value >= least && value <= most) return value;
    const example = placeholder === 'duration' ? `a duration such as ${write(usual)}` : 'a whole number';
    throw usageError(`${longSpelling(spelling)} ${text}: must be ${example}, ${range}`);
  });
}

/** "--port" of "-p, --port". */
export function longSpelling(spelling: string): string {
  return spelling.split(', ').at(-1) ?? spelling;
}

/** An option whose value commander gives under another name than that of its flag. */
export class NamedOption extends Option {
  readonly #attribute: string;

  constructor(flags: string, help: string, attribute: string) {
    super(flags, help);
    this.#attribute = attribute;
  }

  override attributeName(): string {
    return this.#attribute;
  }
}

function readCount(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** A duration without the zeros that Go renders: "1m", not "1m0s". */
export function briefDuration(ms: number): string {
  return formatDurationMs(ms)
    .replace(/([hm])0s$/, '$1')
    .replace(/h0m$/, 'h');
}

/** What a placeholder stands for. */
const NOUNS: Readonly<Record<string, string>> = { '<folder>': 'folder', '<dir>': 'directory' };

/** An option that names a file, `--save <file>`, a folder, `--keep <folder>`, or a directory; it can be given once. */
export function fileOption(flags: string, meaning: string): Option {
  const spelling = flags.split(/[ ,]+/)[0] ?? flags;
  const noun = NOUNS[flags.split(' ').at(-1) ?? ''] ?? 'file';
  return new Option(flags, meaning).argParser((path: string, before: string | undefined) => {
    if (path === '') throw usageError(`${spelling} "": the name of a ${noun} is missing`);
    if (before !== undefined) throw usageError(`${spelling} takes one ${noun}, not ${before} and ${path}`);
    return path;
  });
}
