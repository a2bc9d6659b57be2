import type { Bearing } from '../../reading/bearing.ts';

/** Colours of boxes: distinct with any colour vision, dark on light, and never the only sign. */
export const PALETTE: Readonly<Record<Bearing, { readonly fill: string; readonly line: string }>> = {
  'leads-on': { fill: '#ffffff', line: '#5b6770' },
  'ends-well': { fill: '#d9f0e3', line: '#1b7340' },
  differs: { fill: '#dce8fb', line: '#1f4fa3' },
  denies: { fill: '#dfe1e4', line: '#33383d' },
  fails: { fill: '#fbdcd5', line: '#b3261e' },
  unknown: { fill: '#fff1c9', line: '#7a5c00' },
};

/** The colour of text on all of them. */
export const INK = '#1c1f22';

/** The fonts of all texts, the best first. */
export const FONT_FAMILY = 'Helvetica,Arial,sans-serif';
