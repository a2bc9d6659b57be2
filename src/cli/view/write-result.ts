import type { TraversalResult } from '../../document/result.ts';
import { resultText } from '../../report/render/result-text.ts';
import type { Format } from '../flags/format-flags.ts';
import { neededGraphviz } from '../process/graphviz.ts';
import { type Io, writeChunks } from '../process/io.ts';
import { closingWords } from './closing-words.ts';

import { wholeResultJson } from './result-json.ts';

/** Writes a result to stdout in the format that is wanted. (Events have been written as they happened.) */
export async function writeResult(result: TraversalResult, format: Format, { stdout }: Io): Promise<void> {
  switch (format.kind) {
    case 'text': {
      if (format.ends === 'listed') {
        stdout.write(resultText(result, format));
        return;
      }
      const { renderText } = await import('../../report/render/render-text.ts');
      stdout.write(renderText(result, format));
      return;
    }
    case 'short': {
      const { shortText } = await import('../../report/render/short-text.ts');
      stdout.write(shortText(result));
      return;
    }
    case 'one': {
      const { traceText } = await import('../../report/trace/trace-text.ts');
      stdout.write(traceText(result, format.seed));
      return;
    }
    case 'json':
      await writeChunks(stdout, await wholeResultJson(result, format.json.printed));
      return;
    case 'dot': {
      const { renderDot } = await import('../../report/graph/dot.ts');
      stdout.write(renderDot(result));
      return;
    }
    case 'mermaid': {
      const { renderMermaid } = await import('../../report/graph/mermaid.ts');
      stdout.write(renderMermaid(result));
      return;
    }
    case 'svg': {
      const { renderDot } = await import('../../report/graph/dot.ts');
      const { svgOf } = await import('../../report/graph/svg.ts');
      stdout.write(svgOf(renderDot(result), await neededGraphviz()));
      return;
    }
    case 'md': {
      const { renderMarkdown } = await import('../../report/markdown/markdown.ts');
      stdout.write(renderMarkdown(result));
      return;
    }
    case 'nagios': {
      const { nagiosCheck } = await import('../../report/monitor/nagios.ts');
      stdout.write(nagiosCheck(result, closingWords(result)).line);
      return;
    }
    case 'prometheus': {
      const { prometheusText } = await import('../../report/monitor/prometheus.ts');
      stdout.write(prometheusText(result));
      return;
    }
    case 'jsonl':
    case 'none':
      return;
  }
}
