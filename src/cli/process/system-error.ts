import { getSystemErrorMap } from './node-util.ts';

/** The words for a system error, without codes and paths; throws anything else. */
export function reason(error: unknown): string {
  if (!(error instanceof Error) || !('errno' in error) || typeof error.errno !== 'number') throw error;
  const [code = '', words = error.message] = getSystemErrorMap().get(error.errno) ?? [];
  return BETTER_WORDS[code] ?? words;
}

/** Where the system's own words say less than they could. */
const BETTER_WORDS: Readonly<Record<string, string>> = { EISDIR: 'is a directory' };
