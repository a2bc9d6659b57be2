import type { TraversalResult } from '../../document/result.ts';
import { renderText } from '../../report/render/render-text.ts';
import type { Format } from '../flags/format.ts';
import type { Io } from '../process/io.ts';
import { json } from './json.ts';

/** Writes a result to stdout as the format wants it. (Events have been written as they came.) */
export async function writeResult(result: TraversalResult, format: Format, io: Io): Promise<void> {
  switch (format.kind) {
    case 'text':
      io.stdout.write(renderText(result, format));
      return;
    case 'json':
      io.stdout.write(json(result));
      return;
    case 'dot': {
      const { renderDot } = await import('../../report/graph/dot.ts');
      io.stdout.write(renderDot(result));
      return;
    }
    case 'mermaid': {
      const { renderMermaid } = await import('../../report/graph/mermaid.ts');
      io.stdout.write(renderMermaid(result));
      return;
    }
    case 'jsonl':
      return;
  }
}
