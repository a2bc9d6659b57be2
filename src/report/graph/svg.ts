import { FONT_FAMILY } from './palette.ts';

/** What is needed of Graphviz, as the package @viz-js/viz has it. */
export interface Graphviz {
  render(
    dot: string,
    options: { readonly format: 'svg' },
  ):
    | { readonly status: 'success'; readonly output: string }
    | {
        readonly status: 'failure';
        readonly errors: readonly { readonly level?: string; readonly message: string }[];
      };
}

/** A picture in our dot, drawn as SVG. Throws if Graphviz cannot draw it: a bug in the dot. */
export function svgOf(dot: string, graphviz: Graphviz): string {
  const measured = dot.replaceAll(`fontname="${FONT_FAMILY}"`, `fontname="${MEASURED_FONT}"`);
  const drawn = graphviz.render(measured, { format: 'svg' });
  if (drawn.status === 'failure')
    throw new Error(`Graphviz: ${drawn.errors.map(({ message }) => message).join('; ')}`);
  return drawn.output.replaceAll(`font-family="${MEASURED_FONT}"`, `font-family="${FONT_FAMILY}"`);
}

/**
 * Without fonts at hand, Graphviz knows how wide the letters of this one are, but takes those of a list for the
 * narrower ones of Times. In labels quotes are escaped, so nothing in them is taken for a font.
 */
const MEASURED_FONT = 'Arial';
