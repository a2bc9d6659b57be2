import { instance } from '@viz-js/viz';
import t from 'tap';
import { type SvgElement, svgTree } from '../../../src/page/picture/svg-tree.ts';
import { printable } from '../../../src/reading/words/printable.ts';
import { diagramOf } from '../../../src/report/graph/diagram-of.ts';
import { renderDot } from '../../../src/report/graph/dot.ts';
import { svgOf } from '../../../src/report/graph/svg.ts';
import { hostile, savedNames, savedResult } from '../../report/graph/results.ts';

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
      [element('path', { d: 'M1', class: 'fill-none stroke-line bearing-fails' })],
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
