import pc from 'picocolors';
import type { Paint } from './table.ts';

/** Paints with a terminal's sixteen colours, or not at all. */
export function painter(colour: 'on' | 'off'): Paint {
  const { bold, dim, green, red, yellow } = pc.createColors(colour === 'on');
  const brushes = {
    plain: (text: string) => text,
    strong: bold,
    faint: dim,
    good: green,
    bad: red,
    unknown: yellow,
  };
  return (text, style) => brushes[style](text);
}
