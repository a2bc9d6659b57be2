import type { TraversalResult } from '../../document/result.ts';
import { answerData } from '../../document/summary.ts';
import { comparisonOf } from '../../reading/comparison.ts';
import { resultIndex } from '../../reading/result-index.ts';
import { summaryLine } from '../../reading/summary-line.ts';
import { validatedWords } from '../../reading/validated/validation-words.ts';
import { verdictOn } from '../../reading/verdict.ts';
import { mainBegins } from '../../reading/walk.ts';
import { warmWords } from '../../reading/warm-words.ts';
import { whatIfWords } from '../../reading/what-if-words.ts';
import { count } from '../../reading/words/quantities.ts';
import { shorteningForBoxes } from './box-lines.ts';
import type { Box, Diagram } from './diagram.ts';
import { finished } from './finished.ts';
import { folded } from './fold.ts';
import { drawLookups } from './lookup-boxes.ts';
import { sketchWalks } from './sketch-walks.ts';

/** The most boxes for the main walk. */
const ROOM = { ends: 12, others: 40 };

/**
 * The delegation graph of a result: the main walk with the probability of each branch, and the lookups
 * beside it. Equal siblings are folded; in a large graph so are the least probable parts.
 */
export function diagramOf(result: TraversalResult): Diagram {
  const index = resultIndex(result);
  const { name, type } = result.query;
  const { judge } = comparisonOf(result.outcomes);
  const shorten = shorteningForBoxes(result.outcomes.flatMap(answerData));
  const walks = { question: { name, type }, begins: mainBegins(index), judge, shorten };
  const { sketch, needs } = sketchWalks(walks, index);
  const main = folded(sketch, ROOM);
  const shown = new Set(main.boxes.map(({ key }) => key));
  const needing = [...needs].map(([box, names]) => ({ box, names })).filter(({ box }) => shown.has(box));
  const lookups = drawLookups(needing, index);
  const boxes = [...main.boxes, ...lookups.boxes];
  return finished({
    title: `${name} ${type}${imagined(result)}: ${verdictOn(result).words}`,
    notes: [
      resolverNote(result),
      ...validatingNote(result),
      ...(lookups.boxes.length === 0 ? [] : [LOOKUPS_NOTE]),
      ...foldedNote(boxes),
    ],
    boxes,
    arrows: [...main.arrows, ...lookups.arrows],
    frames: lookups.frames,
  });
}

/** What a picture shows may be no more than imagined. */
function imagined({ whatIf }: TraversalResult): string {
  return whatIf === undefined ? '' : ` if ${whatIfWords(whatIf)}`;
}

function resolverNote(result: TraversalResult): string {
  const cold = summaryLine(result.resolver.summary, 'terse');
  const warm = warmWords(result, 'terse');
  return warm === undefined
    ? `A resolver gets ${cold}.`
    : `A cold resolver gets ${cold}. Once warm: ${warm}.`;
}

function validatingNote(result: TraversalResult): readonly string[] {
  const { validating } = result;
  if (validating === undefined) return [];
  const who = warmWords(result, 'terse') === undefined ? 'One' : 'A cold one';
  const tryingOn = validatedWords(validating, 'terse');
  const firstTry = validatedWords(validating.firstTry, 'terse');
  const first = `${who} that validates: ${tryingOn}.`;
  return [tryingOn === firstTry ? first : `${first} If it does not retry: ${firstTry}.`];
}

const LOOKUPS_NOTE =
  'Dashed: lookups of name servers without glue. Percentages in a frame are shares of its lookup.';

function foldedNote(boxes: readonly Box[]): readonly string[] {
  const folds = boxes.map((box) => box.folds ?? 0).reduce((a, b) => a + b, 0);
  return folds === 0
    ? []
    : [`Too large to show in full: ${count(folds, 'box', 'boxes')} left out, the least probable.`];
}
