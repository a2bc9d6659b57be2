import { listed } from '../../reading/words/listed.ts';
import { type Name, ROOT } from '../../wire/name.ts';
import { fitting } from './box-lines.ts';
import { serversIn } from './box-servers.ts';
import type { Arrow, Box } from './diagram.ts';
import type { Drawn } from './fold.ts';
import type { WalkSketch } from './sketch-walks.ts';

/** How many zones on the way are named. */
const NAMED = 6;

/**
 * The drawing of a lookup with a single box for successive zones whose servers all passed the question
 * on. The main walk already shows most of them, and the others do not matter to the lookup.
 */
export function onTheWay(drawn: Drawn, needs: WalkSketch['needs']): Drawn {
  const rows = rowsIn(drawn, needs).filter(({ length }) => length > 1);
  const first = new Map(
    rows.flatMap(([head, ...rest]) => rest.map((box) => [box.key, head?.key ?? box.key])),
  );
  const place = (key: string) => first.get(key) ?? key;
  const rowOf = new Map(rows.map((row) => [row[0]?.key, row]));
  return {
    boxes: drawn.boxes
      .filter(({ key }) => !first.has(key))
      .map((box) => {
        const row = rowOf.get(box.key);
        if (row === undefined) return box;
        return { ...box, lines: wayLines(row.flatMap(({ zone }) => zone ?? [])), ...serversIn(row) };
      }),
    arrows: drawn.arrows
      .map((arrow): Arrow => ({ ...arrow, from: place(arrow.from), to: place(arrow.to) }))
      .filter(({ from, to }) => from !== to),
  };
}

function wayLines(zones: readonly Name[]): readonly string[] {
  const below = zones.filter((zone) => zone !== ROOT);
  return fitting([`through ${below.length === 0 ? 'the root' : listed(below, NAMED)}`]);
}

/** Runs of boxes that a single path leads through. */
function rowsIn({ boxes, arrows }: Drawn, needs: WalkSketch['needs']): readonly (readonly Box[])[] {
  const ways = arrows.filter(({ kind }) => kind === 'path');
  const from = (key: string) => ways.filter((arrow) => arrow.from === key);
  const to = (key: string) => ways.filter((arrow) => arrow.to === key);
  const isPassage = (box: Box) =>
    box.zone !== undefined && box.bearing === 'leads-on' && !needs.has(box.key) && from(box.key).length === 1;
  const passages = new Map(boxes.filter(isPassage).map((box) => [box.key, box]));
  const after = (box: Box) => {
    const next = passages.get(from(box.key)[0]?.to ?? '');
    return next !== undefined && to(next.key).length === 1 ? next : undefined;
  };
  const followers = new Set([...passages.values()].map((box) => after(box)));
  return [...passages.values()]
    .filter((box) => !followers.has(box))
    .map((head) => {
      const row = [head];
      for (let next = after(head); next !== undefined; next = after(next)) row.push(next);
      return row;
    });
}
