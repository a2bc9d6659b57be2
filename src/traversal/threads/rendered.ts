import type { TraversalResult } from '../../document/result.ts';
import { FORMATS, type FormatIn } from '../../report/formats.ts';
import { loadGraphviz } from '../../report/graphviz.ts';

/** The formats that are made of a result when somebody asks the service for them; JSON is how it is kept. */
export type RenderedFormat = Exclude<FormatIn<'api'>, 'json'>;

/** A result in the format that was asked for. */
export type Rendered =
  | { readonly kind: 'rendered'; readonly octets: Uint8Array<ArrayBuffer> }
  /** The package that draws is not installed here. */
  | { readonly kind: 'no-graphviz' };

/** Renders a result as the command line does where its output is no terminal. */
export async function renderedAs(format: RenderedFormat, result: TraversalResult): Promise<Rendered> {
  const { made } = FORMATS[format];
  switch (made.kind) {
    case 'text':
      return rendered(await made.render(result, PLAIN));
    case 'picture': {
      const graphviz = await loadGraphviz();
      return graphviz === undefined ? { kind: 'no-graphviz' } : rendered(await made.draw(result, graphviz));
    }
  }
}

const PLAIN = { colour: 'off', detail: 'terse', width: Number.POSITIVE_INFINITY } as const;

function rendered(text: string): Rendered {
  return { kind: 'rendered', octets: new TextEncoder().encode(text) };
}
