import type { TraversalResult } from '../../document/result.ts';
import type { Format } from '../flags/format-flags.ts';
import { writeTextFile } from '../process/files.ts';
import type { Io } from '../process/io.ts';
import { closingWords } from '../view/closing-words.ts';
import { wholeResultJson } from '../view/result-json.ts';
import { writeResult } from '../view/write-result.ts';

/** Prints the result, saves it where that is asked for, and says what would have told more. */
export async function printResult(
  result: TraversalResult,
  format: Format,
  { save }: { readonly save?: string },
  io: Io,
): Promise<void> {
  await writeResult(result, format, io);
  if (save !== undefined) await writeTextFile(save, await wholeResultJson(result, format.json.saved));
  if (format.made.kind === 'nothing' || format.made.kind === 'check') return;
  for (const line of closingWords(result)) io.stderr.write(`svc: ${line}\n`);
}
