import type { Subject } from './subject.ts';
import { classification } from './subjects/classifier.ts';
import { codec } from './subjects/codec.ts';
import { http } from './subjects/http.ts';
import { judging } from './subjects/judging.ts';
import { options } from './subjects/options.ts';
import { saved } from './subjects/saved.ts';
import { signatures } from './subjects/signatures.ts';
import { readTexts } from './subjects/texts.ts';
import { silence, traversal } from './subjects/traversal.ts';

/** Everything that is searched, in this order. */
export const SUBJECTS: readonly Subject[] = [
  codec,
  classification,
  signatures,
  judging,
  readTexts,
  traversal,
  silence,
  saved,
  http,
  options,
];
