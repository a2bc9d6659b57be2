import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import type { TraversalResult } from '../../document/result.ts';
import { LINE_JSON } from '../../shape/safe-json.ts';
import type { Question } from '../../wire/question.ts';
import { notDone } from '../process/command-error.ts';
import { writeTextFile } from '../process/files.ts';
import { reason } from '../process/system-error.ts';
import { wholeResultJson } from '../view/result-json.ts';

/** Checks that results can be saved in a folder. Throws a `CommandError` if not. */
export async function checkFolder(folder: string): Promise<void> {
  try {
    // The slash keeps out whatever is no directory.
    await access(`${folder}/`, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notDone(`cannot keep results in ${folder}: ${whyNot(error)}`);
  }
}

function whyNot(error: unknown): string {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return isMissing ? 'there is no such directory; make it first' : reason(error);
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
