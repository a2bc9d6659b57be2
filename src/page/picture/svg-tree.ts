import { INK, PALETTE } from '../../report/graph/palette.ts';

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

/**
 * Reads the SVG that Graphviz writes, as elements for the page to make itself: it has no text that browsers
 * would read as markup. Colours of the palette become classes ("fill-area bearing-fails"), so that the page's own colours
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
  ...Object.entries(PALETTE).flatMap(([bearing, { fill, line }]) => [
    [fill, `area bearing-${bearing}`] as const,
    [line, `line bearing-${bearing}`] as const,
  ]),
]);

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return CHARACTERS[name] ?? whole;
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal));
  });
}
