import type { Name } from '../dns/name.ts';
import { percent } from '../document/words/quantities.ts';
import type { Fraction } from '../evaluate/fraction.ts';
import type { Effect } from './views/effects.ts';

/** The delegation graph of a result as boxes and arrows, independent of any graph language. */
export interface Diagram {
  readonly title: string;
  /** Notes on the diagram, one sentence each. */
  readonly notes: readonly string[];
  /** Each follows one that leads to it. */
  readonly boxes: readonly Box[];
  readonly arrows: readonly FinishedArrow[];
  readonly frames: readonly Frame[];
}

/** What a box of a diagram stands for. */
export type BoxKind =
  /** A name and type asked for: the first one, the target of an alias, or what a lookup asks for. */
  | 'question'
  /** A delegation, with its servers in it where all of them did the same. */
  | 'zone'
  /** Servers of a delegation that did the same. */
  | 'servers'
  | 'end'
  /** Lookups drawn as one box. */
  | 'lookup'
  /** What was left out because the diagram would be too large. */
  | 'folded';

/** One node of a diagram. */
export interface Box {
  /** Unique in its diagram; short in a finished one. */
  readonly key: string;
  readonly kind: BoxKind;
  readonly effect: Effect;
  readonly lines: readonly string[];
  /** The zone of a `zone` box whose servers all did the same. */
  readonly zone?: Name;
  /** The share of all paths that come here; in a frame, of all lookups that the frame shows. */
  readonly probability: Fraction;
  /** The number of boxes that it replaces, if there was no room for them. */
  readonly folds?: number;
  /** Key of the frame around it. */
  readonly frame?: string;
}

/** The paths from one box to another, or the lookup that finds a server's address. */
export type Arrow =
  | { readonly kind: 'path'; readonly from: string; readonly to: string; readonly probability: Fraction }
  | { readonly kind: 'lookup'; readonly from: string; readonly to: string };

/** An arrow with the effect of the box that it leads to. */
export type FinishedArrow = Arrow & { readonly effect: Effect };

/** A frame around the boxes of one lookup. */
export interface Frame {
  readonly key: string;
  readonly title: string;
}

/** The full text of a box; that of an end begins with its probability. */
export function boxText({ kind, lines, probability }: Box): readonly string[] {
  return kind === 'end' ? [percent(probability), ...lines] : lines;
}

/** Colours of boxes: distinct with any colour vision, dark on light, and never the only sign. */
export const PALETTE: Readonly<Record<Effect, { readonly fill: string; readonly line: string }>> = {
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
