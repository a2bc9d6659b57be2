import type { Identifiers } from '../document/identifiers.ts';
import type { Finding } from '../document/result.ts';
import type { Evaluation } from '../evaluate/evaluate.ts';
import type { Recording } from '../explore/recording.ts';
import { CATALOGUE, type Entry } from './catalogue.ts';
import type { Evidence } from './evidence.ts';
import { gather } from './gather.ts';
import { type CodedDraft, merged } from './merge.ts';

export type { FindingCode } from './catalogue.ts';

/**
 * The findings of the catalogue that a recording proves: a pure function of the recorded exchanges and
 * their evaluation, so a saved traversal gives the same ones again. What was not examined proves nothing.
 */
export function findings(recording: Recording, evaluation: Evaluation, ids: Identifiers): readonly Finding[] {
  const evidence = gather(recording, evaluation);
  const drafts = Object.entries(CATALOGUE).flatMap(([code, entry]) => draftsOf(code, entry, evidence));
  return merged(drafts, ids);
}

function draftsOf(code: string, { check, ...entry }: Entry, evidence: Evidence): readonly CodedDraft[] {
  return check(evidence).map((draft) => ({ ...entry, ...draft, code }));
}
