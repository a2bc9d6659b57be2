import { instance } from '@viz-js/viz';
import t from 'tap';
import { renderDot } from '../../../src/report/graph/dot.ts';
import { type Graphviz, svgOf } from '../../../src/report/graph/svg.ts';
import { hostile, savedResult } from './results.ts';

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
