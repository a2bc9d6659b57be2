import { fractionText } from '../../evaluate/fraction.ts';
import type { Arrow, Box } from './diagram.ts';
import type { Drawn } from './fold.ts';

/**
 * The lookups of one name's A and AAAA records in one drawing, where they went the same way through
 * the same servers and found addresses, or none, with equal probabilities; else undefined.
 */
export function paired(a: Drawn, aaaa: Drawn): Drawn | undefined {
  if (shape(a) !== shape(aaaa)) return undefined;
  const boxes = a.boxes.map((box, at) => withLinesOf(box, aaaa.boxes[at] ?? box));
  return { boxes, arrows: a.arrows };
}

/** Equal for drawings that differ in nothing but the type asked for and the addresses found. */
function shape({ boxes, arrows }: Drawn): string {
  const places = new Map(boxes.map(({ key }, at) => [key, at]));
  const shareOf = (arrow: Arrow) => (arrow.kind === 'path' ? fractionText(arrow.probability) : '');
  return JSON.stringify([
    boxes.map((box) => [box.kind, box.bearing, isFound(box) ? '' : box.lines.map(withoutType)]),
    arrows.map((arrow) => [places.get(arrow.from), places.get(arrow.to), shareOf(arrow)]),
  ]);
}

function isFound({ kind, bearing }: Box): boolean {
  return kind === 'end' && bearing === 'ends-well';
}

function withoutType(line: string): string {
  return line.replace(/\bAAAA\b/g, 'A');
}

function withLinesOf(box: Box, other: Box): Box {
  const same = box.lines.join('\n') === other.lines.join('\n');
  return same ? box : { ...box, lines: [...box.lines, ...other.lines] };
}
