import type { RenderedForm } from '../../document/api/forms.ts';
import type { TraversalResult } from '../../document/result.ts';
import { renderDot } from '../../report/graph/dot.ts';
import { loadGraphviz } from '../../report/graph/graphviz.ts';
import { renderMermaid } from '../../report/graph/mermaid.ts';
import { svgOf } from '../../report/graph/svg.ts';
import { renderMarkdown } from '../../report/markdown/markdown.ts';
import { resultText } from '../../report/render/result-text.ts';

/** A result in the form that was asked for. */
export type Rendered =
  | { readonly kind: 'rendered'; readonly octets: Uint8Array<ArrayBuffer> }
  /** The package that draws is not installed here. */
  | { readonly kind: 'no-graphviz' };

/** Renders a result as the command line does where its output is no terminal. */
export async function renderedAs(form: RenderedForm, result: TraversalResult): Promise<Rendered> {
  switch (form) {
    case 'text':
      return rendered(resultText(result, PLAIN));
    case 'md':
      return rendered(renderMarkdown(result));
    case 'dot':
      return rendered(renderDot(result));
    case 'mermaid':
      return rendered(renderMermaid(result));
    case 'svg': {
      const graphviz = await loadGraphviz();
      return graphviz === undefined ? { kind: 'no-graphviz' } : rendered(svgOf(renderDot(result), graphviz));
    }
  }
}

const PLAIN = { colour: 'off', detail: 'terse', width: Number.POSITIVE_INFINITY } as const;

function rendered(text: string): Rendered {
  return { kind: 'rendered', octets: new TextEncoder().encode(text) };
}
