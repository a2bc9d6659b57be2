import { object } from '../shape/object.ts';
import { annotated, described } from '../shape/schema.ts';
import type { Of, Shape } from '../shape/shape.ts';
import { matching, NUMBER } from '../shape/values.ts';

/** Milliseconds, whole or not. */
export const MILLISECONDS: Shape<number> = NUMBER;

/** An exact number, as text. */
export const FRACTION = described(
  matching(/^\d+(?:\/[1-9]\d*)?$/, 'a fraction', { examples: ['1/8'] }),
  'The exact value.',
);

const PROBABILITY = annotated(NUMBER, { maximum: 1 });

/** An exact probability: as the nearest double, and as text ("1/8"). */
export const EXACT_FIELDS = { probability: PROBABILITY, fraction: FRACTION };

/** An exact probability. */
export type Exact = Of<typeof EXACT>;

const EXACT = object(EXACT_FIELDS);

/** How often something happens on average, which can be more than once. */
export const PASSES_FIELDS = { probability: NUMBER, fraction: FRACTION };

/** A part of a step, as number and as text; those of a step sum to 1. */
export const SHARE_FIELDS = { share: PROBABILITY, fraction: FRACTION };

const SHARE = object(SHARE_FIELDS);

/** A name server's share of a step. */
export type Share = Of<typeof SHARE>;
