/* Words for numbers, times, sizes and shares in sentences. */

import { compare, type Fraction, fractionText } from '../../evaluate/fraction.ts';

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

const FEWEST_DECIMALS = 2;
const MOST_DECIMALS = 8;

/**
 * Probabilities as percentages that do not lie: "100 %" is exactly 1 and "0 %" exactly 0. Values that
 * would round to either become ">99.99 %" or "<0.01 %", and different values of the list look different
 * (with up to eight decimals).
 */
export function percentages(probabilities: readonly Fraction[]): readonly string[] {
  const distinct = new Set(probabilities.map(fractionText)).size;
  for (let decimals = FEWEST_DECIMALS; ; decimals += 1) {
    const texts = probabilities.map((probability) => percentage(probability, decimals));
    if (decimals === MOST_DECIMALS || new Set(texts).size === distinct) return texts;
  }
}

/** One probability by itself. */
export function percentage(probability: Fraction, decimals = FEWEST_DECIMALS): string {
  const { numerator, denominator } = probability;
  const unit = 10n ** BigInt(decimals);
  const rounded = (200n * unit * numerator + denominator) / (2n * denominator);
  const all = 100n * unit;
  if (rounded === 0n && numerator > 0n) return `<${decimal(1n, decimals)} %`;
  if (rounded === all && compare(probability, WHOLE) < 0) return `>${decimal(all - 1n, decimals)} %`;
  return `${decimal(rounded, decimals)} %`;
}

const WHOLE: Fraction = { numerator: 1n, denominator: 1n };

/** Longer fractions tell people nothing. */
const SHORT = 9;

/** The exact value where it is short, otherwise empty; a whole number needs none beside its percentage. */
export function shortFraction(probability: Fraction): string {
  const text = fractionText(probability);
  return text.length > SHORT || !text.includes('/') ? '' : text;
}

/** A probability in a sentence: "12.5 % (1/8)", "100 %"; the exact value only where it is short. */
export function percent(probability: Fraction): string {
  const exact = shortFraction(probability);
  return exact === '' ? percentage(probability) : `${percentage(probability)} (${exact})`;
}

/** `value` in units of the last decimal. */
function decimal(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, -decimals);
  const part = digits.slice(-decimals).replace(/0+$/, '');
  return part === '' ? whole : `${whole}.${part}`;
}
