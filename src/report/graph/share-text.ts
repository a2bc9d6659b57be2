import type { Fraction } from '../../evaluate/fraction.ts';
import { percentage, shortFraction } from '../text/percent.ts';

/** A probability as arrows and ends show it: "12.5 % (1/8)", "100 %". */
export function shareText(probability: Fraction): string {
  const exact = shortFraction(probability);
  return exact === '' ? percentage(probability) : `${percentage(probability)} (${exact})`;
}
