/** A number with its noun: "1 server", "13 servers". */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${thousands(number)} ${number === 1 ? one : many}`;
}

/** A whole number in groups of three digits: "442,512". */
export function thousands(number: number | bigint): string {
  return `${number}`.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Numbers with more digits are given as powers of ten. */
const READABLE_DIGITS = 15;

/** A whole number in decimal, however long: "442,512", "about 3.1e47". */
export function large(decimal: string): string {
  if (decimal.length <= READABLE_DIGITS) return thousands(BigInt(decimal));
  return `about ${decimal[0]}.${decimal[1]}e${decimal.length - 1}`;
}

/** A time for people: "0.4 ms", "12 ms", "1.3 s". */
export function time(ms: number): string {
  if (ms >= 999.5) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 9.95 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

/** The range of some times: "1.2-13 ms"; empty for none. */
export function span(times: readonly number[]): string {
  if (times.length === 0) return '';
  const [least, most] = [time(Math.min(...times)), time(Math.max(...times))];
  if (least === most) return most;
  const [number, unit] = least.split(' ');
  return most.endsWith(` ${unit}`) ? `${number}-${most}` : `${least}-${most}`;
}

/** Octets for people: "812 B", "6.3 kB". */
export function octets(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
