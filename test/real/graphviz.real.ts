import { spawnSync } from 'node:child_process';
import t from 'tap';
import { percent } from '../../src/document/words/quantities.ts';
import { printable } from '../../src/document/words/shortened.ts';
import { boxText, type Diagram } from '../../src/report/diagram.ts';
import { renderDot } from '../../src/report/dot.ts';
import { diagramOf } from '../../src/report/draw-diagram.ts';
import { randomWorld } from '../evaluate/random-world.ts';
import { hostile, largeWorld, resultIn, savedNames, savedResult } from '../report/graph-results.ts';

const missing = spawnSync('dot', ['-V']).error !== undefined;

t.test(
  'Graphviz draws every box, arrow and word of a graph',
  missing ? { skip: 'dot is not installed (Debian package graphviz)' } : {},
  async (t) => {
    const worlds = [...Array.from({ length: 6 }, (_, at) => randomWorld(at + 1)), largeWorld(40)];
    const results = [
      ...savedNames.map(savedResult),
      ...(await Promise.all(worlds.map((one) => resultIn(one)))),
    ];
    for (const result of results.flatMap((one) => [one, hostile(one)])) {
      const drawn = spawnSync('dot', ['-Tsvg'], { input: renderDot(result), encoding: 'utf8' });
      const name = result.query.name.slice(-40);
      t.equal(drawn.status, 0, `${name}: drawn`);
      t.equal(drawn.stderr.replace(/^.*(?:fontconfig|font).*\n/gim, ''), '', `${name}: without a warning`);
      const diagram = diagramOf(result);
      t.same(
        counts(drawn.stdout),
        [diagram.boxes.length, diagram.arrows.length, diagram.frames.length],
        name,
      );
      t.same(textsIn(drawn.stdout), textsOf(diagram), `${name}: texts`);
    }
  },
);

/** Boxes, arrows and frames in a picture. */
function counts(svg: string): readonly number[] {
  return ['node', 'edge', 'cluster'].map(
    (what) => svg.split(`<g id="${what === 'cluster' ? 'clust' : what}`).length - 1,
  );
}

/** Every line of text in a picture, sorted, without blanks around it. */
function textsIn(svg: string): readonly string[] {
  return [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => unescaped(text)).sort();
}

function textsOf({ title, notes, boxes, arrows, frames }: Diagram): readonly string[] {
  const texts = [
    title,
    ...notes,
    ...boxes.flatMap(boxText),
    ...arrows.flatMap((arrow) => (arrow.kind === 'path' ? percent(arrow.probability) : [])),
    ...frames.map((frame) => frame.title),
  ];
  return texts.map((text) => tidy(printable(text))).sort();
}

function unescaped(text: string): string {
  return tidy(text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

function tidy(text: string): string {
  return text.replace(/[\s\u00a0]+/g, ' ').trim();
}
