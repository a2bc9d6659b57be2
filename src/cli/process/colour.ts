import type { Io, OutputStream } from './io.ts';

/** What `--no-color` says: with it, `color` is false. */
export interface ColourFlag {
  readonly color: boolean;
}

/**
 * Whether to write colours to a stream: `--no-color` decides first, then FORCE_COLOR, then NO_COLOR
 * (https://no-color.org), then whether it is a terminal that knows colours.
 */
export function colourFor({ color }: ColourFlag, stream: OutputStream, env: Io['env']): 'on' | 'off' {
  if (!color) return 'off';
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false' ? 'on' : 'off';
  if (env.NO_COLOR) return 'off';
  return stream.isTTY === true && env.TERM !== 'dumb' ? 'on' : 'off';
}
