/** Letters and figures, and how wide they are together in the font that Graphviz measures with, in em. */
const SAMPLE = { text: '0123456789nase', em: 7.784 };

const FONT_PIXELS = 100;

/**
 * How much smaller the letters of a picture have to be so that they fit the boxes: fonts of browsers can be wider
 * than the one that boxes were measured with. At most 1.
 */
export function letterScale(fonts: string): number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return 1;
  context.font = `${FONT_PIXELS}px ${fonts}`;
  return Math.min(1, (SAMPLE.em * FONT_PIXELS) / context.measureText(SAMPLE.text).width);
}
