import { type ComponentChild, h } from 'preact';
import type { SvgElement } from '../model/svg.ts';

/** A picture, made element by element: no text in it is read as markup. */
export function svgView(tree: SvgElement, { viewBox, ...manner }: SvgManner): ComponentChild {
  const { children } = tree;
  return h('svg', { viewBox, class: 'picture-svg', focusable: 'false' }, children.map(element(manner)));
}

/** The look and behaviour of a node. */
export interface NodeManner {
  /** Classes that it has besides. */
  readonly classes: string;
  /** Whether there is anything to choose in it. */
  readonly hasServers: boolean;
}

interface SvgManner {
  readonly viewBox: string;
  /** `key`: the name of the node in the dot. */
  readonly node: (key: string) => NodeManner;
  readonly choose: (key: string) => void;
  /** A node is pointed at or has the focus. */
  readonly point: (key: string) => void;
  /** The scale of letters, relative to the drawing. */
  readonly letters: number;
}

type Manner = Omit<SvgManner, 'viewBox'>;

function element(manner: Manner): (child: SvgElement | string) => ComponentChild {
  return (child) => {
    if (typeof child === 'string') return child;
    // Browsers would show it as a tooltip that tells nothing: "b1".
    if (child.name === 'title') return null;
    const children = child.children.map(element(manner));
    if (child.name === 'text') return h('text', textLook(child, manner), children);
    if (child.attributes.class !== 'node') return h(child.name, child.attributes, children);
    return node(child, children, manner);
  };
}

function textLook({ attributes }: SvgElement, { letters }: Manner): SvgElement['attributes'] {
  const size = Number(attributes['font-size'] ?? 0);
  return { ...attributes, 'font-size': `${size * letters}` };
}

function node(
  { attributes, children: own }: SvgElement,
  children: ComponentChild[],
  { node: mannerOf, choose, point }: Manner,
): ComponentChild {
  const key = keyOf(own);
  const { classes, hasServers } = mannerOf(key);
  const spaced = children.flatMap((child) => [child, ' ']);
  const look = { ...attributes, class: `node ${classes}`.trim() };
  if (!hasServers) return h('g', look, children);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    choose(key);
  };
  const pointing = { onMouseEnter: () => point(key), onFocus: () => point(key) };
  const button = { role: 'button', tabindex: 0, onKeyDown, onClick: () => choose(key), ...pointing };
  // Blanks between its lines, for what it is called.
  return h('g', { ...look, ...button }, spaced);
}

/** Graphviz gives each node a title: its name in the dot. */
function keyOf(children: SvgElement['children']): string {
  const title = children.find((child) => typeof child !== 'string' && child.name === 'title');
  const [text] = typeof title === 'object' ? title.children : [];
  return typeof text === 'string' ? text : '';
}

/** Letters and figures, and how wide they are together in the font that Graphviz measures with, in em. */
const SAMPLE = { text: '0123456789nase', em: 7.784 };

const FONT_PIXELS = 100;

/**
 * How much smaller the letters of a picture have to be so that they fit the boxes: fonts of browsers can be wider
 * than the one that boxes were measured with. At most 1.
 */
export function letterScale(fonts: string): number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return 1;
  context.font = `${FONT_PIXELS}px ${fonts}`;
  return Math.min(1, (SAMPLE.em * FONT_PIXELS) / context.measureText(SAMPLE.text).width);
}
