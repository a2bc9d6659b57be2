import { answerData } from '../document/ends.ts';
import type { TraversalResult } from '../document/result.ts';
import { count } from '../document/words/quantities.ts';
import type { Arrow, Box, Diagram } from './diagram.ts';
import { shorteningForBoxes } from './graph/box-lines.ts';
import { folded } from './graph/fold.ts';
import { drawLookups } from './graph/lookups.ts';
import { sketchWalks } from './graph/walks.ts';
import { chainOf, provenWords, zoneSecurity } from './views/chain.ts';
import { comparisonOf } from './views/effects.ts';
import { mainBegins, resultIndex } from './views/result-index.ts';
import { groupHead, userGroups } from './views/users.ts';
import { notCheckedWords, summaryLine } from './views/wording.ts';

/**
 * The delegation graph of a result: the main walk with the probability of each branch, and the lookups
 * beside it. Equal siblings are folded; in a large graph so are the least probable parts.
 */
export function diagramOf(result: TraversalResult): Diagram {
  const index = resultIndex(result);
  const { effectOf } = comparisonOf(result.views.resolver.outcomes);
  const { name, type } = result.query;
  const shorten = shorteningForBoxes(result.views['first-tries'].outcomes.flatMap(answerData));
  const security = zoneSecurity(chainOf(result));
  const walks = { question: { name, type }, begins: mainBegins(index), effectOf, shorten, security };
  const { sketch, needs } = sketchWalks(walks, index);
  const main = folded(sketch, ROOM);
  const shown = new Set(main.boxes.map(({ key }) => key));
  const needing = [...needs].map(([box, names]) => ({ box, names })).filter(({ box }) => shown.has(box));
  const lookups = drawLookups(needing, index);
  const boxes = [...main.boxes, ...lookups.boxes];
  return finished({
    title: `${name} ${type}: ${result.verdict.text}`,
    notes: [
      ...userNotes(result),
      ...(lookups.boxes.length === 0 ? [] : [LOOKUPS_NOTE]),
      ...foldedNote(boxes),
    ],
    boxes,
    arrows: [...main.arrows, ...lookups.arrows],
    frames: lookups.frames,
  });
}

/** The most boxes for the main walk. */
const ROOM = { ends: 12, others: 40 };

/** What users get, a note for each group of them; then how well it is proven, and what was not checked. */
function userNotes(result: TraversalResult): readonly string[] {
  const [users, proof] = [userGroups(result), provenWords(result)];
  const notChecked = notCheckedWords(result.notChecked);
  return [
    ...users.map((group) => {
      const whose = users.length === 1 ? 'Users' : `Users behind ${groupHead(group)} resolvers`;
      return `${whose} get ${summaryLine(group.summary, 'terse')}.`;
    }),
    ...(proof === undefined ? [] : [`DNSSEC: ${proof}.`]),
    ...(notChecked === '' ? [] : [`Not checked: ${notChecked}.`]),
  ];
}

const LOOKUPS_NOTE =
  'Dashed: lookups of name servers without glue. Percentages in a frame are shares of its lookup.';

function foldedNote(boxes: readonly Box[]): readonly string[] {
  const folds = boxes.map((box) => box.folds ?? 0).reduce((a, b) => a + b, 0);
  return folds === 0
    ? []
    : [`Too large to show in full: ${count(folds, 'box', 'boxes')} left out, the least probable.`];
}

/** A diagram with long, descriptive keys, and arrows that do not know the effect of their target yet. */
type Unfinished = Omit<Diagram, 'arrows'> & { readonly arrows: readonly Arrow[] };

/** The diagram with short keys ("b1", "f1") and a effect for each arrow. */
function finished(diagram: Unfinished): Diagram {
  const boxKey = shortKeys(diagram.boxes, 'b');
  const frameKey = shortKeys(diagram.frames, 'f');
  const effects = new Map(diagram.boxes.map(({ key, effect }) => [key, effect]));
  return {
    ...diagram,
    boxes: diagram.boxes.map(({ frame, ...box }) => ({
      ...box,
      key: boxKey(box.key),
      ...(frame === undefined ? {} : { frame: frameKey(frame) }),
    })),
    frames: diagram.frames.map((frame) => ({ ...frame, key: frameKey(frame.key) })),
    arrows: diagram.arrows.map((arrow) => ({
      ...arrow,
      from: boxKey(arrow.from),
      to: boxKey(arrow.to),
      effect: effects.get(arrow.to) ?? 'leads-on',
    })),
  };
}

function shortKeys(things: readonly { readonly key: string }[], prefix: string): (key: string) => string {
  const keys = new Map(things.map(({ key }, at) => [key, `${prefix}${at + 1}`]));
  return (key) => {
    const short = keys.get(key);
    if (short === undefined) throw new Error(`nothing is drawn for ${key}`);
    return short;
  };
}
