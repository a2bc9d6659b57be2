import type { Io, OutputStream } from './io.ts';

/**
 * Whether to write colours to a stream: `--no-color` decides first, then FORCE_COLOR, then NO_COLOR
 * (https://no-color.org), then whether it is a terminal that knows colours.
 */
export function coloursWanted(flag: boolean, env: Io['env'], stream: OutputStream): boolean {
  if (!flag) return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env.NO_COLOR) return false;
  return stream.isTTY === true && env.TERM !== 'dumb';
}
