/* The program of the worker that works out how long changes take: of a large result, for some tenths of a second. */

import { timeLines } from '../model/time-lines.ts';
import type { TimesReply, TimesRequest } from './use-time-lines.ts';

addEventListener('message', ({ data: { number, result } }: MessageEvent<TimesRequest>) => {
  postMessage({ number, lines: timeLines(result) } satisfies TimesReply);
});
