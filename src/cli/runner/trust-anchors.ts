import { MOST_OCTETS } from '../../octets.ts';
import { shortened } from '../../reading/words/shortened.ts';
import { parseTrustAnchors, TrustAnchorError } from '../../validate/trust-anchors.ts';
import { notDone } from '../process/command-error.ts';
import { readFileUpTo } from '../process/files.ts';

/** Reads a file of trust anchors, a line for each. Throws a `CommandError` that names the file and what is wrong with it. */
export async function readTrustAnchors(path: string): Promise<readonly string[]> {
  const text = (await readFileUpTo(path, MOST_OCTETS.anchors)).toString('utf8');
  try {
    return parseTrustAnchors(text);
  } catch (error) {
    if (error instanceof TrustAnchorError)
      throw notDone(`trust anchors ${path}: ${shortened(error.message, 'terse')}`);
    throw error;
  }
}
