import { fractionText } from '../../evaluate/fraction.ts';
import type { Name } from '../../wire/name.ts';
import { serversIn } from './box-servers.ts';
import type { Arrow, Box } from './diagram.ts';
import type { Drawn } from './fold.ts';

/**
 * A text that is equal for drawings of lookups that went the same way through the same servers with
 * equal probabilities. Such drawings differ only in the name and type asked for and in what was found.
 */
export function shapeOf({ boxes, arrows }: Drawn, name: Name): string {
  const places = new Map(boxes.map(({ key }, at) => [key, at]));
  const shareOf = (arrow: Arrow) => (arrow.kind === 'path' ? fractionText(arrow.probability) : '');
  const general = (line: string) => line.replaceAll(name, '*').replace(/\bAAAA\b/g, 'A');
  return JSON.stringify([
    boxes.map((box) => [box.kind, box.bearing, isFound(box) ? '' : general(box.lines.join(' '))]),
    arrows.map((arrow) => [places.get(arrow.from), places.get(arrow.to), shareOf(arrow)]),
  ]);
}

/** Merges drawings of one shape into one that shows the differences. */
export function together([first, ...others]: readonly [Drawn, ...Drawn[]]): Drawn {
  const boxes = first.boxes.map((box, at) => {
    const alike = [box, ...others.flatMap((other) => other.boxes[at] ?? [])];
    return { ...box, lines: distinct(alike.map(({ lines }) => lines)), ...serversIn(alike) };
  });
  return { boxes, arrows: first.arrows };
}

/** The most variants that are shown. */
const VARIANTS = 4;

function distinct(variants: readonly (readonly string[])[]): readonly string[] {
  const all = [...new Map(variants.map((lines) => [lines.join('\n'), lines])).values()];
  const more = all.length - VARIANTS;
  return [...all.slice(0, VARIANTS).flat(), ...(more > 0 ? [`and ${more} more`] : [])];
}

function isFound({ kind, bearing }: Box): boolean {
  return kind === 'end' && bearing === 'ends-well';
}
