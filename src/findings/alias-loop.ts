import type { Step, Visit } from '../evaluate/step.ts';
import type { Exchanged } from '../explore/recording.ts';
import { plain } from '../reading/names.ts';
import type { Name } from '../wire/name.ts';
import type { Check, Draft } from './draft.ts';
import type { Evidence } from './evidence.ts';

/** CNAME_LOOP: an alias leads back to where the walk has been, within one reply or by way of other zones. */
export const aliasLoop: Check = (evidence) => {
  const onTheWay = new Map<Name, readonly Exchanged[]>();
  return evidence.steps.flatMap((step) =>
    [...loopsAt(step)].map(([target, closing]): Draft => {
      const rest = onTheWay.get(target) ?? aliasesFrom(evidence, target);
      onTheWay.set(target, rest);
      return looping(step, target, [...closing, ...rest]);
    }),
  );
};

/** The names that aliases at a step lead back to, each with the exchanges that close the loop. */
function loopsAt({ visits }: Step): ReadonlyMap<Name, readonly Exchanged[]> {
  const loops = new Map<Name, Exchanged[]>();
  for (const visit of visits.values()) {
    const target = targetOf(visit);
    if (target === undefined || visit.kind !== 'heard') continue;
    const known = loops.get(target);
    if (known === undefined) loops.set(target, [visit.exchanged]);
    else known.push(visit.exchanged);
  }
  return loops;
}

function targetOf(visit: Visit): Name | undefined {
  if (visit.kind !== 'heard') return undefined;
  if (visit.response.kind === 'alias-loop') return visit.response.target;
  return visit.onward.kind === 'alias-loop' ? visit.onward.target : undefined;
}

function looping({ delegation, question }: Step, target: Name, proof: readonly Exchanged[]): Draft {
  const { zone } = delegation;
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
