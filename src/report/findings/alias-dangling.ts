import type { End } from '../../evaluate/end.ts';
import type { Place, Visit } from '../../evaluate/place.ts';
import type { Name } from '../../wire/name.ts';
import type { Check, Draft } from './draft.ts';
import { endProof } from './end-proof.ts';
import type { Evidence } from './evidence.ts';
import { plain } from './words.ts';

/**
 * CNAME_DANGLING: an alias points to a name that does not exist, by all servers that say anything
 * final. Where they differ, that is what is wrong (EXISTENCE_DIFFERS).
 */
export const aliasDangling: Check = (evidence) =>
  [...evidence.mainPlaces].flatMap((place) =>
    [...place.visits.values()].flatMap((visit) => dangling(evidence, place, visit)),
  );

function dangling(evidence: Evidence, { question, delegation }: Place, visit: Visit): readonly Draft[] {
  if (visit.kind !== 'heard' || visit.response.kind !== 'alias' || visit.onward.kind !== 'walk') return [];
  const { target } = visit.response;
  const { pathView } = evidence.evaluation;
  const ends = [...pathView.distribution(visit.onward.walk).portions.values()].map(({ end }) => end);
  const denials = ends.filter((end) => end.kind === 'nxdomain' && end.question.name === target);
  if (denials.length === 0 || ends.some((end) => isElsewhere(end, target))) return [];
  const { zone } = delegation;
  const message = `The alias ${plain(question.name)} in ${plain(zone)} points to ${plain(target)}, which does not exist: correct or remove it, before somebody else takes that name.`;
  const proof = [visit.exchanged, ...denials.flatMap((end) => endProof(evidence, end))];
  return [{ zone, message, proof }];
}

/** Whether some path says that the target exists. */
function isElsewhere(end: End, target: Name): boolean {
  if (end.kind === 'nxdomain') return end.question.name !== target;
  return end.kind === 'answer' || end.kind === 'nodata' || end.kind === 'alias-loop';
}
