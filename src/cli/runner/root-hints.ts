import type { Delegation } from '../../explore/delegation.ts';
import { parseRootHints, RootHintsError } from '../../explore/roots.ts';
import { notDone } from '../process/command-error.ts';
import { readTextFile } from '../process/files.ts';

/** Reads a root hints file. Throws a `CommandError` that names the file and what is wrong with it. */
export async function readRootHints(path: string): Promise<Delegation> {
  const text = await readTextFile(path);
  try {
    return parseRootHints(text);
  } catch (error) {
    if (error instanceof RootHintsError) throw notDone(`root hints ${path}: ${error.message}`);
    throw error;
  }
}
