import { readResult, type Saved } from '../../document/read-result.ts';
import { ShapeError } from '../../shape/shape.ts';
import { notDone } from '../process/exit-status.ts';
import { readTextFile } from '../process/files.ts';

/** Reads a saved result. Throws a `CommandError` if the file cannot be read or holds no result. */
export async function readSaved(path: string): Promise<Saved> {
  const text = await readTextFile(path);
  try {
    return readResult(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) throw notDone(`${path} is not JSON: ${error.message}`);
    if (error instanceof ShapeError) throw notDone(`${path} is not a saved result: ${error.message}`);
    throw error;
  }
}
