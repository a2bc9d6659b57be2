import type { Place } from '../../evaluate/place.ts';
import type { Exchanged } from '../../explore/recording.ts';
import type { Name } from '../../wire/name.ts';
import type { Check, Draft } from './draft.ts';
import type { Evidence } from './evidence.ts';
import { plain } from './words.ts';

/** CNAME_LOOP: an alias leads back to where the walk has been, within one reply or by way of other zones. */
export const aliasLoop: Check = (evidence) =>
  evidence.places.flatMap((place) => [
    ...[...place.visits.values()].flatMap((visit): Draft[] => {
      if (visit.kind !== 'heard') return [];
      const { exchanged, response, onward } = visit;
      if (response.kind === 'alias-loop') return [looping(place, response.target, [exchanged])];
      if (onward.kind !== 'alias-loop') return [];
      const rest = aliasesFrom(evidence, onward.target);
      return [looping(place, onward.target, [exchanged, ...rest])];
    }),
  ]);

function looping(
  { delegation: { zone }, question }: Place,
  target: Name,
  proof: readonly Exchanged[],
): Draft {
  const message = `The alias ${plain(question.name)} in ${plain(zone)} leads back to ${plain(target)}, so it never comes to an answer: point it to a name that has data.`;
  return { zone, message, proof };
}

/** The exchanges that gave the aliases from a name on, each name once. */
function aliasesFrom({ byName }: Evidence, start: Name): readonly Exchanged[] {
  const names = new Set<Name>([start]);
  const proof: Exchanged[] = [];
  // A set grows while it is gone through: that is the work list.
  for (const name of names) {
    for (const { exchanged, response } of byName.get(name) ?? []) {
      if (response.kind !== 'alias') continue;
      proof.push(exchanged);
      names.add(response.target);
    }
  }
  return proof;
}
