import type { OutcomeRow } from '../../document/ends.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { End } from '../../evaluate/end.ts';
import { compare, type Fraction } from '../../evaluate/fraction.ts';
import { weightOf } from '../../reading/agreement.ts';
import { type Bearing, bearingOf } from '../../reading/doing.ts';
import { endWords } from '../../reading/end-words.ts';
import { grouped } from '../../reading/grouped.ts';
import type { Advice } from './advice.ts';
import { explainEnd } from './explain-end.ts';
import { type Scene, sceneOf } from './scene.ts';

/** An end explained, wherever paths of one view end so. */
export interface Explanation extends Advice {
  readonly view: 'path' | 'resolver';
  readonly end: End;
  readonly bearing: Bearing;
  readonly probability: Fraction;
}

/**
 * What each end of a result means and what to do about it: those of the path view, the most probable
 * first, then what only resolvers end in.
 */
export function explanations(result: TraversalResult): readonly Explanation[] {
  const scene = sceneOf(result);
  const resolverOnly = result.resolver.outcomes.filter(({ kind }) => kind === 'servfail');
  return [...explained(result.outcomes, 'path', scene), ...explained(resolverOnly, 'resolver', scene)];
}

function explained(
  outcomes: readonly OutcomeRow[],
  view: Explanation['view'],
  scene: Scene,
): readonly Explanation[] {
  return grouped(outcomes, likeness)
    .map((alike) => {
      const [end] = alike;
      const servers = grouped(
        alike.flatMap(({ server }) => server ?? []),
        ({ name, address }) => `${name} ${address}`,
      ).map(([first]) => first);
      const bearing = scene.differs(end) ? ('differs' as const) : bearingOf(end);
      return { view, end, bearing, probability: weightOf(alike), ...explainEnd({ end, servers }, scene) };
    })
    .sort((a, b) => compare(b.probability, a.probability));
}

/** Equal for ends that one explanation fits. */
function likeness(end: End): string {
  return [end.kind, endWords(end), end.zone, end.question.name].join('\n');
}
