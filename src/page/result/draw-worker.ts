/* The program of the worker that draws the diagram of a result. */

import { instance } from '@viz-js/viz';
import { diagramInDot, svgOf } from '../../report/dot.ts';
import { diagramOf } from '../../report/draw-diagram.ts';
import { svgTree } from '../model/svg.ts';
import type { Drawing, DrawReply, DrawRequest } from './use-drawing.ts';

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
