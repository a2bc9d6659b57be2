/**
 * Reads a duration as Go's time.ParseDuration does and gives it in nanoseconds: an optional sign and
 * one or more decimal numbers, each with a unit ("1h30m", "1.5s", "-100ms"), or "0". Undefined for
 * anything else ("10", "1 s", "") and for what does not fit into 64 bits.
 */
export function parseDuration(text: string): bigint | undefined {
  const negative = text.startsWith('-');
  const unsigned = negative || text.startsWith('+') ? text.slice(1) : text;
  const magnitude = unsigned === '0' ? 0n : sumOfParts(unsigned);
  if (magnitude === undefined) return undefined;
  if (negative) return -magnitude;
  return magnitude < MOST ? magnitude : undefined;
}

/** Reads the same grammar and gives milliseconds, with a fraction where there is one. */
export function parseDurationMs(text: string): number | undefined {
  const nanoseconds = parseDuration(text);
  return nanoseconds === undefined ? undefined : Number(nanoseconds) / NANOSECONDS_PER_MS;
}

/** A duration in nanoseconds as Go's Duration.String renders it: "1h0m0s", "1m30s", "1.5s", "100ms", "0s". */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds < 0n) return `-${formatDuration(-nanoseconds)}`;
  if (nanoseconds === 0n) return '0s';
  if (nanoseconds < 1_000n) return `${nanoseconds}ns`;
  if (nanoseconds < 1_000_000n) return `${withFraction(nanoseconds, 3)}\u00b5s`;
  if (nanoseconds < 1_000_000_000n) return `${withFraction(nanoseconds, 6)}ms`;
  const minutes = nanoseconds / 60_000_000_000n;
  const seconds = `${withFraction(nanoseconds % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** A duration in milliseconds, rendered in the same way to the nanosecond. */
export function formatDurationMs(ms: number): string {
  return formatDuration(BigInt(Math.round(ms * NANOSECONDS_PER_MS)));
}

/** How many nanoseconds a unit has; both signs for micro (U+00B5 and U+03BC) count. */
const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n],
  ['\u03bcs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

/** The largest magnitude: a duration is a signed 64-bit count of nanoseconds. */
const MOST = 2n ** 63n;

const NANOSECONDS_PER_MS = 1_000_000;

/** A number, a fraction or both, and a unit: everything up to the next digit or point. */
const PART = /([0-9]*)(?:\.([0-9]*))?([^.0-9]+)/y;

function sumOfParts(text: string): bigint | undefined {
  if (text === '') return undefined;
  let sum = 0n;
  let at = 0;
  while (at < text.length) {
    PART.lastIndex = at;
    const part = PART.exec(text);
    const nanoseconds = part === null ? undefined : readPart(part[1] ?? '', part[2] ?? '', part[3] ?? '');
    if (nanoseconds === undefined) return undefined;
    sum += nanoseconds;
    if (sum > MOST) return undefined;
    at = PART.lastIndex;
  }
  return sum;
}

function readPart(whole: string, fraction: string, unit: string): bigint | undefined {
  const nanoseconds = UNITS.get(unit);
  if (nanoseconds === undefined || (whole === '' && fraction === '')) return undefined;
  const digits = whole.replace(/^0+/, '');
  // Nineteen digits hold every number up to the largest; more of them are not worth converting.
  if (digits.length > 19) return undefined;
  const value = BigInt(digits) * nanoseconds + fractionOf(fraction, nanoseconds);
  return value > MOST ? undefined : value;
}

/** A fraction of a unit, cut to nanoseconds in the floating-point steps that Go takes. */
function fractionOf(text: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of text) {
    // Further digits count no more.
    if (value > (MOST - 1n) / 10n) break;
    const next = value * 10n + BigInt(digit);
    if (next > MOST) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

function withFraction(value: bigint, places: number): string {
  const one = 10n ** BigInt(places);
  const fraction = (value % one).toString().padStart(places, '0').replace(/0+$/, '');
  return fraction === '' ? `${value / one}` : `${value / one}.${fraction}`;
}
