import { INK, PALETTE } from '../../report/diagram.ts';

/**
 * Reads the SVG that Graphviz writes, as elements for the page to make itself: it has no text that browsers
 * would read as markup. Colours of the palette become classes ("fill-area effect-fails"), so that the page's own colours
 * apply.
 */
export function svgTree(svg: string): SvgElement {
  const root: Open = { name: 'svg', attributes: {}, children: [] };
  const open: (Open | undefined)[] = [root];
  for (const [whole, close, name = '', attributes = '', empty] of svg.matchAll(PIECES)) {
    const above = open.at(-1);
    if (close !== undefined) open.pop();
    else if (name !== '') {
      const element = above && elementOf(name, attributes);
      if (element !== undefined) above?.children.push(element);
      if (empty !== '/') open.push(element);
    } else if (isText(whole) && above !== undefined) above.children.push(unescaped(whole));
  }
  return root.children.find(isElement) ?? root;
}

/** An element of a picture, with nothing in it that could do more than be seen. */
export interface SvgElement {
  readonly name: SvgName;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (SvgElement | string)[];
}

/** The elements that Graphviz draws with. All others are left out, with what is in them. */
const NAMES = ['svg', 'g', 'title', 'path', 'polygon', 'polyline', 'ellipse', 'text'] as const;

type SvgName = (typeof NAMES)[number];

/** Attributes that say where something is and what its line is like. Colours become classes. */
const ATTRIBUTES: ReadonlySet<string> = new Set([
  'viewBox',
  'class',
  'transform',
  'points',
  'd',
  'cx',
  'cy',
  'rx',
  'ry',
  'x',
  'y',
  'text-anchor',
  'font-size',
  'stroke-width',
  'stroke-dasharray',
]);

interface Open extends SvgElement {
  readonly children: (SvgElement | string)[];
}

/** Comments, declarations, closing tags, opening tags and texts. Graphviz escapes quotes and angles in all texts. */
const PIECES = /<!--[\s\S]*?-->|<[!?][^>]*>|<(\/)[^>]*>|<([\w:]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|[^<]+/g;

const ATTRIBUTE = /([\w:-]+)="([^"]*)"/g;

function isElement(child: SvgElement | string): child is SvgElement {
  return typeof child !== 'string';
}

function isText(piece: string): boolean {
  return !piece.startsWith('<') && piece.trim() !== '';
}

function elementOf(name: string, text: string): Open | undefined {
  const known = NAMES.find((one) => one === name);
  if (known === undefined) return undefined;
  const given = [...text.matchAll(ATTRIBUTE)].map(
    ([, key = '', value = '']) => [key, unescaped(value)] as const,
  );
  const classes = given.flatMap(([key, value]) => classesOf(key, value));
  const kept = given.filter(([key]) => ATTRIBUTES.has(key) && key !== 'class');
  const attributes = classes.length === 0 ? kept : [...kept, ['class', classes.join(' ')] as const];
  return { name: known, attributes: Object.fromEntries(attributes), children: [] };
}

function classesOf(key: string, value: string): readonly string[] {
  if (key === 'class') return [value];
  if (key !== 'fill' && key !== 'stroke') return [];
  const tone = TONES.get(value.toLowerCase());
  return tone === undefined ? [] : [`${key}-${tone}`];
}

/** The classes for each colour of a drawing. */
const TONES: ReadonlyMap<string, string> = new Map([
  ['none', 'none'],
  ['white', 'paper'],
  // Graphviz's own, for frames.
  ['black', 'ink'],
  [INK, 'ink'],
  ...Object.entries(PALETTE).flatMap(([effect, { fill, line }]) => [
    [fill, `area effect-${effect}`] as const,
    [line, `line effect-${effect}`] as const,
  ]),
]);

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return CHARACTERS[name] ?? whole;
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal));
  });
}

/** The part of a picture that is shown, in its own units. */
export interface ViewBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A place in a view: 0 is its left or upper edge, 1 the other. */
export interface Spot {
  readonly across: number;
  readonly down: number;
}

/** The middle of a view. */
const MIDDLE: Spot = { across: 0.5, down: 0.5 };

/** The whole picture, from the attribute of its SVG. */
export function wholeOf(attribute: string): ViewBox {
  const [x = 0, y = 0, width = 1, height = 1] = attribute.split(/\s+/).map(Number);
  return { x, y, width, height };
}

/** The value of the `viewBox` attribute. */
export function viewBoxText({ x, y, width, height }: ViewBox): string {
  return [x, y, width, height].map((one) => one.toFixed(2)).join(' ');
}

/** Frames that are less wide are those of phones, in pixels. */
const PHONE = 600;

/** Pixels that a unit has to take for letters to be read without strain: theirs are 11 high. */
const READABLE = 0.85;

/** The first view: the whole picture, or on a phone as much of the middle of its top as can be read. */
export function firstView(whole: ViewBox, frame: FrameSize): ViewBox {
  if (frame.width >= PHONE || scaleIn(frame, whole) >= READABLE) return whole;
  const [width, height] = [frame.width / READABLE, frame.height / READABLE];
  return within({ x: whole.x + (whole.width - width) / 2, y: whole.y, width, height }, whole);
}

/** How much closer than the whole one can come, and how much further away. */
const [CLOSEST, FURTHEST] = [12, 1];

/** Comes closer by a factor, or goes away if that is less than 1; what is at `place` stays there. */
export function zoomed(view: ViewBox, factor: number, whole: ViewBox, place: Spot = MIDDLE): ViewBox {
  const least = whole.width / CLOSEST;
  const width = Math.min(whole.width / FURTHEST, Math.max(least, view.width / factor));
  const height = (view.height * width) / view.width;
  const x = view.x + (view.width - width) * place.across;
  const y = view.y + (view.height - height) * place.down;
  return within({ x, y, width, height }, whole);
}

/** Moves by parts of what is shown: 1 is a whole view to the right, or down. */
export function moved(view: ViewBox, across: number, down: number, whole: ViewBox): ViewBox {
  return within({ ...view, x: view.x + across * view.width, y: view.y + down * view.height }, whole);
}

/** The middle of what is shown stays within the picture. */
function within(view: ViewBox, whole: ViewBox): ViewBox {
  const clamp = (start: number, size: number, least: number, all: number) =>
    Math.min(least + all - size / 2, Math.max(least - size / 2, start));
  return {
    ...view,
    x: clamp(view.x, view.width, whole.x, whole.width),
    y: clamp(view.y, view.height, whole.y, whole.height),
  };
}

/** The size of a frame on the screen, in pixels. */
interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** How many pixels one unit of a view takes in a frame that it fits into. */
export function scaleIn({ width, height }: FrameSize, view: ViewBox): number {
  return Math.min(width / view.width, height / view.height);
}

/** Which place of a view is at a point of the frame that it fits into, in the middle of it. */
export function spotAt(
  point: { readonly x: number; readonly y: number },
  frame: FrameSize,
  view: ViewBox,
): Spot {
  const scale = scaleIn(frame, view);
  return {
    across: (point.x - frame.width / 2) / (view.width * scale) + MIDDLE.across,
    down: (point.y - frame.height / 2) / (view.height * scale) + MIDDLE.down,
  };
}
