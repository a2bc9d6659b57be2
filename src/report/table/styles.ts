import type { Bearing } from '../../reading/bearing.ts';
import type { Style } from './table.ts';

/** How texts are styled by what they mean to paths. */
export const STYLES: Readonly<Record<Bearing, Style>> = {
  'leads-on': 'plain',
  'ends-well': 'good',
  differs: 'unknown',
  denies: 'unknown',
  fails: 'bad',
  unknown: 'unknown',
};
