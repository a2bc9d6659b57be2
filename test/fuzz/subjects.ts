import type { Subject } from './subject.ts';
import { codec } from './subjects/codec.ts';
import { silence, traversal } from './subjects/traversal.ts';

/** Everything that is searched, in this order. */
export const SUBJECTS: readonly Subject[] = [codec, traversal, silence];
