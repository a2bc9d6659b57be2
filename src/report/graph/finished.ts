import type { Arrow, Diagram } from './diagram.ts';

/** A diagram with long, descriptive keys, and arrows that do not know the bearing of their target yet. */
type Unfinished = Omit<Diagram, 'arrows'> & { readonly arrows: readonly Arrow[] };

/** The diagram with short keys ("b1", "f1") and a bearing for each arrow. */
export function finished(diagram: Unfinished): Diagram {
  const boxKey = shortKeys(diagram.boxes, 'b');
  const frameKey = shortKeys(diagram.frames, 'f');
  const bearings = new Map(diagram.boxes.map(({ key, bearing }) => [key, bearing]));
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
      bearing: bearings.get(arrow.to) ?? 'leads-on',
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
