import { readdirSync, readFileSync } from 'node:fs';
import { instance } from '@viz-js/viz';
import t from 'tap';
import { SEVERITY } from '../../src/document/finding.ts';
import { printable } from '../../src/document/words/shortened.ts';
import {
  firstView,
  moved,
  type SvgElement,
  scaleIn,
  spotAt,
  svgTree,
  type ViewBox,
  viewBoxText,
  wholeOf,
  zoomed,
} from '../../src/page/model/svg.ts';
import { PALETTE } from '../../src/report/diagram.ts';
import { renderDot, svgOf } from '../../src/report/dot.ts';
import { diagramOf } from '../../src/report/draw-diagram.ts';
import { hostile, savedNames, savedResult } from '../report/graph-results.ts';

t.test('what becomes of SVG', async (t) => {
  const rows: readonly (readonly [title: string, svg: string, children: SvgElement['children']])[] = [
    ['declarations and comments are left out', '<?xml version="1.0"?><!-- <g/> -->\n', []],
    [
      'where things are stays',
      '<path d="M1,2" stroke-width="2"/>',
      [element('path', { d: 'M1,2', 'stroke-width': '2' })],
    ],
    [
      'colours of the palette become classes',
      '<path fill="none" stroke="#B3261E" d="M1"/>',
      [element('path', { d: 'M1', class: 'fill-none stroke-line effect-fails' })],
    ],
    ['other colours are left out', '<path fill="url(#x)" d="M1"/>', [element('path', { d: 'M1' })]],
    [
      'what could do something is left out',
      '<path onclick="x()" style="x" href="y" d="M1"/>',
      [element('path', { d: 'M1' })],
    ],
    ['so are unknown elements with all in them', '<script>x<g/></script><a href="x"><text>y</text></a>', []],
    [
      'texts are unescaped once',
      '<text>&lt;b&gt;&amp;lt;&#45;&quot;&#x41;</text>',
      [element('text', {}, ['<b>&lt;-"A'])],
    ],
    [
      'elements are in each other as they were',
      '<g class="node"><title>b1</title>\n<text x="1">a</text></g>',
      [element('g', { class: 'node' }, [element('title', {}, ['b1']), element('text', { x: '1' }, ['a'])])],
    ],
  ];
  for (const [title, svg, children] of rows) {
    t.same(
      svgTree(`<svg viewBox="0 0 1 1">${svg}</svg>`),
      element('svg', { viewBox: '0 0 1 1' }, children),
      title,
    );
  }
  t.same(svgTree('no picture'), element('svg', {}, ['no picture']), 'whatever is no SVG has no elements');
});

t.test('every colour of a picture has a class, and every box its name', async (t) => {
  const viz = await instance();
  for (const name of savedNames) {
    const result = savedResult(name);
    const svg = svgOf(renderDot(result), viz);
    const all = elementsIn(svgTree(svg));
    const coloured = all.flatMap(
      ({ attributes }) => (attributes.class ?? '').match(/(?:fill|stroke)-[\w-]+/g) ?? [],
    );
    const written = svg.match(/ (?:fill|stroke)="/g) ?? [];
    t.equal(coloured.length, written.length, `${name}: colours`);
    const nodes = all.filter(({ attributes }) => attributes.class === 'node');
    const keys = nodes.flatMap(({ children }) => children.slice(0, 1)).map(textIn);
    t.same(
      [...keys].sort(),
      diagramOf(result)
        .boxes.map(({ key }) => key)
        .sort(),
      `${name}: boxes`,
    );
  }
});

t.test('hostile names are texts', async (t) => {
  const result = hostile(savedResult('mixed'));
  const viz = await instance();
  const texts = elementsIn(svgTree(svgOf(renderDot(result), viz))).filter(({ name }) => name === 'text');
  const shown = texts.map(textIn).join('').replace(/\s/g, '');
  for (const { lines } of diagramOf(result).boxes) {
    for (const line of lines) t.ok(shown.includes(printable(line).replace(/\s/g, '')), line);
  }
});

function element(
  name: SvgElement['name'],
  attributes: SvgElement['attributes'],
  children: SvgElement['children'] = [],
): SvgElement {
  return { name, attributes, children };
}

function elementsIn(tree: SvgElement): readonly SvgElement[] {
  return [tree, ...tree.children.flatMap((child) => (typeof child === 'string' ? [] : elementsIn(child)))];
}

function textIn(child: SvgElement | string): string {
  return typeof child === 'string' ? child : child.children.map(textIn).join('');
}

const WHOLE = wholeOf('0.00 0.00 1200.00 600.00');

t.test('at first all is shown, on a phone what can be read', async (t) => {
  const rows: readonly (readonly [width: number, height: number, text: string])[] = [
    [1_100, 550, '0.00 0.00 1200.00 600.00'],
    [600, 300, '0.00 0.00 1200.00 600.00'],
    [340, 255, '400.00 0.00 400.00 300.00'],
  ];
  for (const [width, height, text] of rows)
    t.equal(viewBoxText(firstView(WHOLE, { width, height })), text, `${width}`);
  const small = wholeOf('0.00 0.00 300.00 200.00');
  t.equal(firstView(small, { width: 340, height: 255 }), small, 'which can be all of it');
});

t.test('looking around in a picture', async (t) => {
  const rows: readonly (readonly [title: string, view: ViewBox, text: string])[] = [
    ['all of it', WHOLE, '0.00 0.00 1200.00 600.00'],
    ['closer, to the middle', zoomed(WHOLE, 2, WHOLE), '300.00 150.00 600.00 300.00'],
    [
      'closer, to a corner, which stays where it is',
      zoomed(WHOLE, 2, WHOLE, { across: 0, down: 1 }),
      '0.00 300.00 600.00 300.00',
    ],
    ['no closer than is of use', zoomed(WHOLE, 1_000, WHOLE), '550.00 275.00 100.00 50.00'],
    ['no further away than all of it', zoomed(WHOLE, 0.5, WHOLE), '0.00 0.00 1200.00 600.00'],
    ['there and back', zoomed(zoomed(WHOLE, 2, WHOLE), 0.5, WHOLE), '0.00 0.00 1200.00 600.00'],
    ['to the right by a half, and up', moved(WHOLE, 0.5, -0.25, WHOLE), '600.00 -150.00 1200.00 600.00'],
    ['never out of it', moved(WHOLE, 9, 9, WHOLE), '600.00 300.00 1200.00 600.00'],
  ];
  for (const [title, view, text] of rows) t.equal(viewBoxText(view), text, title);
});

t.test('where a point of the screen is in a picture that fits a frame of another shape', async (t) => {
  const frame = { width: 600, height: 600 };
  t.equal(scaleIn(frame, WHOLE), 0.5, 'it is as wide as the frame');
  t.same(spotAt({ x: 300, y: 300 }, frame, WHOLE), { across: 0.5, down: 0.5 }, 'the middle');
  t.same(spotAt({ x: 0, y: 150 }, frame, WHOLE), { across: 0, down: 0 }, 'its upper left corner');
  t.same(spotAt({ x: 600, y: 450 }, frame, WHOLE), { across: 1, down: 1 }, 'the lower right one');
});

t.test('the style sheet has the colours of everything that has a class of its own', async (t) => {
  const folder = new URL('../../src/page/style/', import.meta.url);
  const css = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));
  const classes = [
    ...Object.keys(PALETTE).map((effect) => `effect-${effect}`),
    ...SEVERITY.names.map((severity) => `severity-${severity}`),
  ];
  const rules = css.join('\n');
  t.same(
    classes.filter((name) => !new RegExp(`^\\.${name}[ ,]`, 'm').test(rules)),
    [],
  );
});
