import { join } from 'node:path';
import type { TraversalResult } from '../../document/result.ts';
import { LINE_JSON } from '../../shape/safe-json.ts';
import type { Question } from '../../wire/question.ts';
import { checkWritable, writeTextFile } from '../process/files.ts';
import { wholeResultJson } from '../view/result-json.ts';

/** Checks that results for a question can be saved in a folder. Throws a `CommandError` if not. */
export async function checkFolder(folder: string, question: Question): Promise<void> {
  await checkWritable(join(folder, `${stemOf(question)}.json`));
}

/** Saves a result in a folder, under its question and its time. Throws a `CommandError` if that fails. */
export async function keepResult(folder: string, result: TraversalResult): Promise<void> {
  const time = result.finishedAt.replaceAll(':', '');
  const path = join(folder, `${stemOf(result.query)}.${time}.json`);
  await writeTextFile(path, await wholeResultJson(result, LINE_JSON));
}

/** Files have shorter names than domains can have. */
const LONGEST = 200;

/** "www.example.com.A". Whatever else a name holds than host names do, a file has no use for. */
function stemOf({ name, type }: Question): string {
  const plain = name.slice(0, LONGEST).replace(/[^a-z0-9._-]/g, '_');
  return plain === '.' ? `root.${type}` : `${plain}${type}`;
}
