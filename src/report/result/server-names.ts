import type { Evaluation } from '../../evaluate/evaluate.ts';
import type { Name } from '../../wire/name.ts';

/** The name server names under which paths meet each address, sorted. */
export function serverNames(evaluation: Evaluation): ReadonlyMap<string, readonly Name[]> {
  const names = new Map<string, Set<Name>>();
  for (const step of evaluation.passes.keys()) {
    for (const pick of evaluation.pathView.picks(step)) {
      if (pick.kind !== 'address') continue;
      const known = names.get(pick.address);
      if (known === undefined) names.set(pick.address, new Set([pick.server.name]));
      else known.add(pick.server.name);
    }
  }
  return new Map([...names].map(([address, known]) => [address, [...known].sort()]));
}
