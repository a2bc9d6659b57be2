import type { End } from '../evaluate/end.ts';
import type { Step, Walk } from '../evaluate/step.ts';
import type { Exchanged } from '../explore/recording.ts';
import { plain } from '../reading/names.ts';
import type { Name } from '../wire/name.ts';
import type { Check, Draft } from './draft.ts';
import { endProof } from './end-proof.ts';
import type { Evidence } from './evidence.ts';

/**
 * CNAME_DANGLING: an alias points to a name that does not exist, by all servers that say anything
 * final. Where they differ, that is what is wrong (EXISTENCE_DIFFERS).
 */
export const aliasDangling: Check = (evidence) =>
  [...evidence.mainSteps].flatMap((step) =>
    [...aliasesAt(step)].flatMap(([walk, alias]) => dangling(evidence, step, walk, alias)),
  );

/** An alias, and the exchanges that gave it. */
interface Alias {
  readonly target: Name;
  readonly given: Exchanged[];
}

/** The aliases that a step's servers give, by the walk to their targets. */
function aliasesAt({ visits }: Step): ReadonlyMap<Walk, Alias> {
  const aliases = new Map<Walk, Alias>();
  for (const visit of visits.values()) {
    if (visit.kind !== 'heard' || visit.response.kind !== 'alias' || visit.onward.kind !== 'walk') continue;
    const known = aliases.get(visit.onward.walk);
    if (known !== undefined) known.given.push(visit.exchanged);
    else aliases.set(visit.onward.walk, { target: visit.response.target, given: [visit.exchanged] });
  }
  return aliases;
}

function dangling(evidence: Evidence, step: Step, walk: Walk, { target, given }: Alias): readonly Draft[] {
  const { portions } = evidence.evaluation.pathView.distribution(walk);
  const ends = [...portions.values()].map(({ end }) => end);
  const denials = ends.filter((end) => end.kind === 'nxdomain' && end.question.name === target);
  if (denials.length === 0 || ends.some((end) => isElsewhere(end, target))) return [];
  const { zone } = step.delegation;
  const message = `The alias ${plain(step.question.name)} in ${plain(zone)} points to ${plain(target)}, which does not exist: correct or remove it, before somebody else takes that name.`;
  return [{ zone, message, proof: [...given, ...denials.flatMap((end) => endProof(evidence, end))] }];
}

/** Whether some path says that the target exists. */
function isElsewhere(end: End, target: Name): boolean {
  if (end.kind === 'nxdomain') return end.question.name !== target;
  return end.kind === 'answer' || end.kind === 'nodata' || end.kind === 'alias-loop';
}
