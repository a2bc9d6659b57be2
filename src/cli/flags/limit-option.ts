import { Option } from 'commander';
import { formatDurationMs, parseDurationMs } from '../../duration.ts';
import { LIMITS, type LimitName } from '../../limits.ts';
import { usageError } from '../process/command-error.ts';

/**
 * An option that sets a limit, `--retries` or `-p, --port`: help and checking both come from the table of
 * limits. Durations come as milliseconds. `derived` says what the default depends on, if it does.
 */
export function limitOption(flags: string, limit: LimitName, derived?: string): Option {
  const { least, most, meaning, default: usual } = LIMITS[limit];
  const placeholder = limit.endsWith('Ms') ? 'duration' : 'number';
  const [read, write] =
    placeholder === 'duration' ? ([parseDurationMs, briefDuration] as const) : ([readCount, String] as const);
  const range = `${write(least)} to ${write(most)}`;
  const long = flags.split(', ').at(-1);
  return new Option(
    `${flags} <${placeholder}>`,
    `${meaning} (${range}; default ${derived ?? write(usual)})`,
  ).argParser((text: string) => {
    const value = read(text);
    if (value !== undefined && value >= least && value <= most) return value;
    const example = placeholder === 'duration' ? `a duration such as ${write(usual)}` : 'a whole number';
    throw usageError(`${long} ${text}: must be ${example}, ${range}`);
  });
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
