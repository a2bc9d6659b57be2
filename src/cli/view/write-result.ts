import type { TraversalResult } from '../../document/result.ts';
import type { Format } from '../flags/format-flags.ts';
import { neededGraphviz } from '../process/graphviz.ts';
import { type Io, writeChunks } from '../process/io.ts';
import { closingWords } from './closing-words.ts';
import { wholeResultJson } from './result-json.ts';

/** Writes a result to stdout in the format that is wanted. (Events have been written as they happened.) */
export async function writeResult(result: TraversalResult, format: Format, { stdout }: Io): Promise<void> {
  await writeChunks(stdout, await chunksOf(result, format));
}

async function chunksOf(result: TraversalResult, format: Format): Promise<Iterable<string>> {
  const { made, json } = format;
  switch (made.kind) {
    case 'text':
      return [await made.render(result, format)];
    case 'document':
      return await wholeResultJson(result, json.printed);
    case 'picture':
      return [await made.draw(result, await neededGraphviz())];
    case 'check':
      return [(await made.check(result, closingWords(result))).line];
    case 'events':
    case 'nothing':
      return [];
  }
}
