import type { Delegation } from '../../explore/delegation.ts';
import { parseRootHints, RootHintsError } from '../../explore/roots.ts';
import { MOST_OCTETS } from '../../octets.ts';
import { shortened } from '../../reading/words/shortened.ts';
import { notDone } from '../process/command-error.ts';
import { readFileUpTo } from '../process/files.ts';

/** Reads a root hints file. Throws a `CommandError` that names the file and what is wrong with it. */
export async function readRootHints(path: string): Promise<Delegation> {
  const text = (await readFileUpTo(path, MOST_OCTETS.hints)).toString('utf8');
  try {
    return parseRootHints(text);
  } catch (error) {
    if (error instanceof RootHintsError)
      throw notDone(`root hints ${path}: ${shortened(error.message, 'terse')}`);
    throw error;
  }
}
