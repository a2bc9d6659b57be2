import type { Readable } from 'node:stream';
import { readResult, type Saved } from '../../document/read-result.ts';
import { ShapeError } from '../../shape/shape.ts';
import { notDone } from '../process/command-error.ts';
import { nameOf, readTextInput } from '../process/files.ts';

/** Reads a saved result; "-" is the standard input. Throws a `CommandError` if there is none to be read. */
export async function readSaved(path: string, stdin: Readable): Promise<Saved> {
  const text = await readTextInput(path, stdin);
  const where = nameOf(path);
  try {
    return readResult(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) throw notDone(`${where} is not JSON: ${error.message}`);
    if (error instanceof ShapeError) throw notDone(`${where} is not a saved result: ${error.message}`);
    throw error;
  }
}
