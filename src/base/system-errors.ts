/*
 * Parts of node:util. To import that module is enough to make Node 24 warn on the standard error output
 * when NO_COLOR and FORCE_COLOR are both set; which of them counts is for us to decide, and decided.
 */
const { getSystemErrorMap } = process.getBuiltinModule('node:util');

/** The words for a system error, without codes and paths; undefined for anything else. */
export function systemWords(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('errno' in error) || typeof error.errno !== 'number') return undefined;
  const [code = '', words = error.message] = getSystemErrorMap().get(error.errno) ?? [];
  return BETTER_WORDS[code] ?? words;
}

/** Where the system's own words say less than they could. */
const BETTER_WORDS: Readonly<Record<string, string>> = { EISDIR: 'is a directory' };
