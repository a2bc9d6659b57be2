import type { Readable } from 'node:stream';
import { readResult, type Saved } from '../../document/read-result.ts';
import { MOST_OCTETS } from '../../octets.ts';
import { provable } from '../../provable.ts';
import { JsonError, parseJson } from '../../shape/json.ts';
import { ShapeError } from '../../shape/shape.ts';
import { notDone } from '../process/command-error.ts';
import { nameOf, readInputUpTo } from '../process/files.ts';

/** Reads a saved result; "-" is the standard input. Throws a `CommandError` if there is none to be read. */
export async function readSaved(path: string, stdin: Readable): Promise<Saved> {
  const octets = await readInputUpTo(path, MOST_OCTETS.saved, stdin);
  const where = nameOf(path);
  try {
    return provable(readResult(parseJson(octets)));
  } catch (error) {
    if (error instanceof JsonError) throw notDone(`${where} ${error.message}`);
    if (error instanceof ShapeError) throw notDone(`${where} is not a saved result: ${error.message}`);
    throw error;
  }
}
