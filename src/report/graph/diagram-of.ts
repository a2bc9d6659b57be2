import type { TraversalResult } from '../../document/result.ts';
import type { End } from '../../evaluate/end.ts';
import { ONE } from '../../evaluate/fraction.ts';
import { differences } from '../../reading/agreement.ts';
import { type Bearing, bearingOf } from '../../reading/doing.ts';
import { count } from '../../reading/quantities.ts';
import { graphOf } from '../../reading/result-index.ts';
import { summaryLine } from '../../reading/summary-line.ts';
import { verdictOn } from '../../reading/verdict.ts';
import type { Box, Diagram } from './diagram.ts';
import { finished } from './finished.ts';
import type { Begin } from './flow.ts';
import { folded } from './fold.ts';
import { drawLookups } from './lookup-boxes.ts';
import { sketchWalks } from './walk.ts';

/** So many boxes show the main walk, where it has more. */
const ROOM = { ends: 12, others: 40 };

/**
 * The delegation graph of a result: the main walk with the probability of each part of its paths, and
 * the lookups beside it. Equal siblings are folded; so is what is least probable, where it is a lot.
 */
export function diagramOf(result: TraversalResult): Diagram {
  const graph = graphOf(result);
  const { name, type } = result.query;
  const differs = differences(result.outcomes);
  const judge = (end: End): Bearing => (differs(end) ? 'differs' : bearingOf(end));
  const walks = { question: { name, type }, begins: beginsOf(result), judge };
  const { sketch, needs } = sketchWalks(walks, graph);
  const main = folded(sketch, ROOM);
  const shown = new Set(main.boxes.map(({ key }) => key));
  const needing = [...needs].map(([box, names]) => ({ box, names })).filter(({ box }) => shown.has(box));
  const lookups = drawLookups(needing, graph);
  const boxes = [...main.boxes, ...lookups.boxes];
  return finished({
    title: `${name} ${type}: ${verdictOn(result).words}`,
    notes: [
      resolverNote(result),
      ...(lookups.boxes.length === 0 ? [] : [LOOKUPS_NOTE]),
      ...foldedNote(boxes),
    ],
    boxes,
    arrows: [...main.arrows, ...lookups.arrows],
    frames: lookups.frames,
  });
}

/** The first step of the main walk; the end of it where a limit allowed no step at all. */
function beginsOf({ steps: [first], ends }: TraversalResult): readonly Begin[] {
  if (first !== undefined) return [{ leadsTo: { step: first.id }, weight: ONE }];
  return ends.map(({ id }) => ({ leadsTo: { end: id }, weight: ONE }));
}

function resolverNote({ resolver }: TraversalResult): string {
  return `A resolver gets ${summaryLine(resolver.summary, 'terse')}.`;
}

const LOOKUPS_NOTE =
  'Dashed: lookups of name servers without glue. Percentages in a frame are of its lookup.';

function foldedNote(boxes: readonly Box[]): readonly string[] {
  const folds = boxes.map((box) => box.folds ?? 0).reduce((a, b) => a + b, 0);
  return folds === 0
    ? []
    : [`Too large to show as a whole: ${count(folds, 'box', 'boxes')} left out, the least probable.`];
}
