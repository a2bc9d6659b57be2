import { DenyListError, parseDenyList } from '../../explore/policy/deny-list.ts';
import type { DenyList } from '../../explore/policy/policy.ts';
import { MOST_OCTETS } from '../../octets.ts';
import { notDone } from '../process/command-error.ts';
import { readFileUpTo } from '../process/files.ts';

/** Reads a deny list. Throws a `CommandError` that names the file and what is wrong with it. */
export async function readDenyList(path: string): Promise<DenyList> {
  const text = (await readFileUpTo(path, MOST_OCTETS.denyList)).toString('utf8');
  try {
    return parseDenyList(text);
  } catch (error) {
    if (error instanceof DenyListError) throw notDone(`deny list ${path}: ${error.message}`);
    throw error;
  }
}
