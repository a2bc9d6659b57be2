import type { Evaluation } from '../evaluate/evaluate.ts';
import type { Recording } from '../explore/recording.ts';
import type { Identifiers } from './identifiers.ts';
import type { Finding } from './result.ts';

/** The findings of the catalogue that a recording proves. */
export function findings(
  _recording: Recording,
  _evaluation: Evaluation,
  _ids: Identifiers,
): readonly Finding[] {
  return [];
}
