import { readdirSync, readFileSync } from 'node:fs';
import { instance } from '@viz-js/viz';
import t from 'tap';
import type { TraversalResult } from '../../src/document/result.ts';
import { printable } from '../../src/document/words/shortened.ts';
import { showcases } from '../../src/lab/showcases.ts';
import { dotText, type Graphviz, renderDot, svgOf } from '../../src/report/dot.ts';
import { diagramOf } from '../../src/report/draw-diagram.ts';
import { frontMatterText, mermaidText, renderMermaid } from '../../src/report/mermaid.ts';
import { randomWorld } from '../evaluate/random-world.ts';
import { demoResult } from '../lab/demo-result.ts';
import { brief, checkProbabilities, DOT_LINE, MERMAID_LINE, readDot, readMermaid } from './graph-checks.ts';
import {
  ATTACK,
  gluelessWorld,
  hostile,
  largeWorld,
  resultIn,
  savedNames,
  savedResult,
} from './graph-results.ts';

const FIXTURES = new URL('../fixtures/graph/', import.meta.url);

t.test('saved results look as expected', async (t) => {
  const writers = { dot: renderDot, mmd: renderMermaid };
  for (const name of savedNames) {
    for (const [ending, write] of Object.entries(writers)) {
      const file = `${name}.${ending}`;
      t.equal(write(savedResult(name)), readFileSync(new URL(file, FIXTURES), 'utf8'), file);
    }
  }
  const files = readdirSync(FIXTURES).filter((file) => /\.(dot|mmd)$/.test(file));
  t.equal(files.length, 2 * savedNames.length, 'every expected text is compared');
});

t.test('what the boxes are', async (t) => {
  const rows: readonly (readonly [result: string, boxes: readonly string[]])[] = [
    [
      'healthy: zones whose servers all did the same have them inside',
      ['question', 'zone .', 'zone example.', 'zone shop.example.', 'end 1 198.51.100.80'],
    ],
    [
      'registries-differ: servers that did different things have boxes of their own, told by signs too',
      [
        'question',
        'zone .',
        'zone test.',
        'a.nic.test. 192.0.2.21',
        '≠ b.nic.test. 192.0.2.22',
        'end 1/2 ≠ NXDOMAIN: no such name',
        'zone launch.test.',
        'end 1/2 ≠ 203.0.113.111',
      ],
    ],
    [
      'alias: the target is asked for anew',
      [
        'question',
        'zone .',
        'zone example.',
        'zone magazine.example.',
        'alias to magazine.cdn.test. A',
        'zone .',
        'zone test.',
        'zone cdn.test.',
        'ns1.cdn.test. 203.0.113.21 / ns2.cdn.test. 203.0.113.22 / ns3.cdn.test. 203.0.113.23',
        '✗ ns4.cdn.test. 203.0.113.24 / (2 tries)',
        'end 3/4 203.0.113.200',
        'end 1/4 ✗ timeout: no reply',
      ],
    ],
  ];
  for (const [title, boxes] of rows) {
    const { boxes: drawn } = diagramOf(savedResult(title.split(':')[0] ?? ''));
    t.same(drawn.map(brief).sort(), [...boxes].sort(), title);
  }
});

t.test('lookups stand beside the main walk', async (t) => {
  const mixed = diagramOf(savedResult('mixed'));
  const well = mixed.boxes.filter(({ kind }) => kind === 'lookup');
  t.same(
    well.map(({ lines }) => lines),
    [['looked up: ns1.meadow.test.', '203.0.113.1, 2001:db8:2::1', 'through test. and meadow.test.']],
    'one box for those that went well',
  );
  t.same(mixed.frames, []);
  const glue = diagramOf(savedResult('missing-glue'));
  t.same(
    glue.frames.map(({ title }) => title),
    ['lookup of ns2.missing-glue.example.'],
    'A and AAAA that went the same way share a frame',
  );
  const found = glue.boxes.filter((box) => box.frame !== undefined && box.effect === 'ends-well');
  t.same(found.at(-1)?.lines, ['198.51.100.70', '2001:db8:1::70'], 'and show what both found');
  const dead = diagramOf(await resultIn(gluelessWorld(() => ({ kind: 'nxdomain' }), 6)));
  t.same(
    dead.boxes.filter(({ frame }) => frame === undefined).map(brief),
    ['question', 'zone .', 'zone x.', 'end 1 ✗ no address: NXDOMAIN: no such name'],
    'servers that cannot be found for one reason share a box',
  );
  t.same(
    dead.frames.map(({ title }) => title),
    ['lookup of 6 names A'],
    'and a frame',
  );
  const various = gluelessWorld((_, at) => ({ kind: 'error', rcode: `RCODE${at}` }), 60);
  const many = diagramOf(await resultIn(various));
  t.equal(many.frames.length, 5, 'few frames');
  t.equal(many.boxes.filter(({ kind }) => kind === 'lookup').length, 11, 'and few boxes');
  t.match(many.boxes.at(-1)?.lines.join(), /^\d+ other lookups$/, 'the last for the rest');
  const ring = diagramOf(savedResult('circular'));
  t.same(
    ring.frames.map(({ title }) => title),
    ['lookup of ns.right.test. A', 'lookup of ns.left.example. A'],
  );
  const [first, second] = ring.frames;
  const from = (box: string) => ring.boxes.find(({ key }) => key === box)?.frame;
  const lookups = ring.arrows.filter(({ kind }) => kind === 'lookup');
  t.same(
    lookups.map((arrow) => [from(arrow.from), from(arrow.to)]),
    [
      [undefined, first?.key],
      [first?.key, second?.key],
      [second?.key, first?.key],
    ],
    'a ring of lookups is a ring of arrows',
  );
  t.same(
    ring.boxes.filter(({ lines }) => lines[0]?.startsWith('through ')).map(({ lines }) => lines),
    [['through test.'], ['through example.']],
    'zones on the way, which the main walk shows, are one box',
  );
});

t.test('probabilities add up', async (t) => {
  await t.test('in every showcase of the demo', async (t) => {
    const results = await demoResults();
    t.equal(results.length, showcases.length);
    for (const result of results) checkProbabilities(t, result, result.query.name);
  });
  await t.test('in saved results', async (t) => {
    for (const name of savedNames) checkProbabilities(t, savedResult(name), name);
  });
  await t.test('in random worlds', async (t) => {
    let frames = 0;
    for (let seed = 1; seed <= 60; seed += 1) {
      const result = await resultIn(randomWorld(seed), seed % 5 === 0 ? { maxQueries: 12 } : {});
      checkProbabilities(t, result, `world ${seed}`);
      frames += diagramOf(result).frames.length;
    }
    t.ok(frames > 40, 'many of them with lookups', { frames });
  });
  await t.test('where no step may be made', async (t) => {
    const healthy = savedResult('healthy');
    const result = { ...healthy, steps: [], ends: healthy.ends.slice(0, 1) };
    const { boxes } = diagramOf(result);
    t.same(boxes.map(brief), ['question', 'end 1 198.51.100.80']);
    checkProbabilities(t, result, 'no step');
  });
});

/** The showcases are many: they are traversed side by side. */
async function demoResults(): Promise<readonly TraversalResult[]> {
  return await Promise.all(showcases.map(({ name, type }) => demoResult(name, type)));
}

t.test('a result too large for a picture', async (t) => {
  const result = await resultIn(largeWorld(150));
  t.ok(result.steps.length > 300, 'is large');
  const diagram = diagramOf(result);
  t.ok(diagram.boxes.length <= 200, 'has a picture of bearable size', { boxes: diagram.boxes.length });
  t.match(diagram.notes.at(-1), /^Too large to show in full: \d+ boxes left out/, 'that says so');
  const folded = diagram.boxes.filter(({ folds }) => folds !== undefined).map(({ lines }) => lines.join(' '));
  t.match(folded.join('\n'), /left out: \d+ groups of servers \d+ delegations/);
  t.match(folded.join('\n'), /\d+ other answers/);
  checkProbabilities(t, result, 'large');
  const mermaid = renderMermaid(result);
  // Mermaid draws no more by default.
  t.ok(mermaid.length < 50_000 && diagram.arrows.length < 500, 'and Mermaid takes it', {
    characters: mermaid.length,
    arrows: diagram.arrows.length,
  });
});

t.test('nothing in a result breaks out of the graph, whatever names it holds', async (t) => {
  const worlds = [...Array.from({ length: 20 }, (_, at) => randomWorld(at + 1)), largeWorld(20)];
  const results = [
    ...savedNames.map(savedResult),
    ...(await Promise.all(worlds.map((one) => resultIn(one)))),
  ];
  for (const result of results.flatMap((one) => [one, hostile(one)])) {
    const wrong = [
      ...renderDot(result)
        .split('\n')
        .filter((line) => !DOT_LINE.test(line)),
      ...renderMermaid(result)
        .split('\n')
        .filter((line) => !MERMAID_LINE.test(line)),
    ];
    t.same(wrong, [], result.query.name.slice(-30));
    t.notMatch(renderDot(result) + renderMermaid(result), /[^\P{C}\n]/u, 'no control characters');
  }
});

t.test('texts come out as they went in', async (t) => {
  const texts = [ATTACK, '\\', '\\\\', '"', '\\"', '\\n', '&amp;', '#35;', '1. one', 'a  b', 'style:#', ''];
  for (const text of texts) {
    t.same(readDot(dotText([text, 'x', text])), [printable(text), 'x', printable(text)], `dot: ${text}`);
    t.same(
      readMermaid(mermaidText([text, 'x', text])),
      [printable(text), 'x', printable(text)],
      `mermaid: ${text}`,
    );
    t.equal(JSON.parse(frontMatterText(text)), printable(text), `front matter: ${text}`);
  }
  const broken: readonly (readonly [text: string, begins: RegExp, what: string])[] = [
    ['www.example.', /www\./, 'a link'],
    ['http://a', /:\/\//, 'a link'],
    ['1. one', /"1\./, 'a list'],
    ['fa:fa-ban', /fa:fa/, 'an icon'],
    ['stylestyle classDefclassdef', /style|classdef/i, 'a statement'],
    ['%%{init}%%', /%\{/, 'a directive'],
    ['**b** _i_ `c`', /[*_`]/, 'Markdown'],
  ];
  for (const [text, begins, what] of broken)
    t.notMatch(mermaidText([text]), begins, `${text} begins ${what}`);
});

t.test('pictures are drawn with letters as wide as those that browsers show', async (t) => {
  const viz = await instance();
  const warnings: string[] = [];
  const graphviz: Graphviz = {
    render: (dot, options) => {
      const drawn = viz.render(dot, options);
      warnings.push(...drawn.errors.map(({ message }) => message));
      return drawn;
    },
  };
  const svg = svgOf(renderDot(savedResult('mixed')), graphviz);
  t.notMatch(warnings.join('\n'), /metrics/, 'Graphviz knows the font that it measures');
  t.match(svg, 'font-family="Helvetica,Arial,sans-serif"');
  t.notMatch(svg, 'font-family="Arial"', 'which is not the one that is shown');
});

t.test('dot that cannot be drawn is a bug', async (t) => {
  const viz = await instance();
  t.throws(() => svgOf('digraph {', viz), { message: /^Graphviz: syntax error/ });
});

t.test('no text of a result becomes markup', async (t) => {
  const svg = svgOf(renderDot(hostile(savedResult('mixed'))), await instance());
  const elements = new Set([...svg.matchAll(/<(\w+)/g)].map(([, name]) => name));
  t.same([...elements].sort(), ['ellipse', 'g', 'path', 'polygon', 'polyline', 'svg', 'text', 'title']);
});
