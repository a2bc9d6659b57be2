/** A number with its noun: "1 server", "13 servers". */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

/** A whole number in groups of three digits: "442,512". */
export function grouped(number: number | bigint): string {
  return `${number}`.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Numbers with more digits are told as powers of ten. */
const READABLE_DIGITS = 15;

/** A whole number in decimal, however long: "442,512", "about 3.1e47". */
export function large(decimal: string): string {
  if (decimal.length <= READABLE_DIGITS) return grouped(BigInt(decimal));
  return `about ${decimal[0]}.${decimal[1]}e${decimal.length - 1}`;
}

/** A time for people: "0.4 ms", "12 ms", "1.3 s". */
export function time(ms: number): string {
  if (ms >= 999.5) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 9.95 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

/** The span of some times: "1.2-13 ms"; nothing for none. */
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

/** A list for people, cut after some: "a, b and 3 more". */
export function listed(items: readonly string[], most: number): string {
  if (items.length <= most) return items.join(', ');
  return `${items.slice(0, most).join(', ')} and ${items.length - most} more`;
}

/** A text in lines of at most so many characters, broken at blanks. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  const longest = Math.max(1, width);
  const words = text.trim().split(/\s+/);
  for (const word of words.flatMap((whole) => chunks(whole, longest))) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** A word in pieces that fit. */
function chunks(word: string, width: number): readonly string[] {
  const pieces = Math.max(1, Math.ceil(word.length / width));
  return Array.from({ length: pieces }, (_, at) => word.slice(at * width, (at + 1) * width));
}
