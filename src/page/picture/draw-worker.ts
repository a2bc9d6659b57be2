import { instance } from '@viz-js/viz';
import { diagramOf } from '../../report/graph/diagram-of.ts';
import { diagramInDot } from '../../report/graph/dot.ts';
import { svgOf } from '../../report/graph/svg.ts';
import type { Drawing, DrawReply, DrawRequest } from './drawing.ts';
import { svgTree } from './svg-tree.ts';

const graphviz = instance();

addEventListener('message', ({ data }: MessageEvent<DrawRequest>) => void answer(data));

async function answer({ number, result }: DrawRequest): Promise<void> {
  const reply: DrawReply = await draw(result).then(
    (drawing) => ({ number, kind: 'drawn', drawing }),
    (error: unknown) => {
      console.error(error);
      return { number, kind: 'failed' };
    },
  );
  postMessage(reply);
}

async function draw(result: DrawRequest['result']): Promise<Drawing> {
  const diagram = diagramOf(result);
  const svg = svgOf(diagramInDot(diagram), await graphviz);
  const servers = new Map(
    diagram.boxes.flatMap(({ key, servers: own }) => (own ? [[key, own] as const] : [])),
  );
  return { svg, tree: svgTree(svg), servers };
}
