import type { TraversalResult } from '../report/result.ts';
import { renderText } from '../report/text/render.ts';
import type { Format } from './format.ts';
import type { Io } from './io.ts';
import { json } from './json.ts';

/** Writes a result to stdout as the format wants it. (Events have been written as they came.) */
export function writeResult(result: TraversalResult, format: Format, io: Io): void {
  switch (format.kind) {
    case 'text':
      io.stdout.write(renderText(result, format));
      return;
    case 'json':
      io.stdout.write(json(result));
      return;
    case 'jsonl':
      return;
  }
}
