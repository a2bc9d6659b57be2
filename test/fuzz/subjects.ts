import type { Subject } from './subject.ts';
import { codec } from './subjects/codec.ts';

/** Everything that is searched, in this order. */
export const SUBJECTS: readonly Subject[] = [codec];
