/* What a user's configuration file expects of which names. */

import { described, type Of } from '../base/shape.ts';
import { closed } from '../base/shape-object.ts';
import { list, parsed } from '../base/shape-values.ts';
import { asciiName } from '../dns/idn.ts';
import { isBelow, type Name, NameError, parseName } from '../dns/name.ts';
import { OPTION_FIELDS, type TraversalOptions } from '../document/options.ts';
import type { Saved } from '../document/read-result.ts';

/** Names as a configuration has them: one name, all names below one, or all. Plain data, which worker threads get, too. */
type NamePattern = { readonly text: string } & (
  | { readonly kind: 'name' | 'below'; readonly name: Name }
  | { readonly kind: 'all' }
);

/** What is expected of names. */
export const EXPECTATIONS = described(
  list(
    closed({
      match: parsed(patternOf, { examples: ['www.example.com', '*.example.com'] }),
      expect: OPTION_FIELDS.expect,
      ignore: OPTION_FIELDS.ignore,
    }),
  ),
  'The first pattern that matches a name counts.',
);

/** The configuration file: svc(1), FILES. */
export const CONFIGURATION = closed({ names: EXPECTATIONS });

/** What is expected of which names. */
export type Configuration = Of<typeof CONFIGURATION>;

/** A traversal with what the configuration expects of its name. Options that it was made with count instead. */
export function configured(saved: Saved, { names }: Configuration): Saved {
  const { name } = saved.recording.scope.question;
  const { match, ...wishes } = names.find((one) => matches(one.match, name)) ?? {};
  if (match === undefined) return saved;
  return judgedBy(saved, { ...wishes, configured: match.text, ...saved.circumstances.options });
}

/** A traversal whose answers and findings are judged by these options instead. */
export function judgedBy(saved: Saved, wishes: Wishes): Saved {
  const { recording, circumstances } = saved;
  const options = { ...circumstances.options, ...wishes };
  const { expect } = options;
  const scope = { ...recording.scope, ...(expect && { expect }) };
  return { ...saved, recording: { ...recording, scope }, circumstances: { ...circumstances, options } };
}

/** The options by which answers and findings are judged. */
type Wishes = Pick<TraversalOptions, 'expect' | 'ignore' | 'configured'>;

function matches(pattern: NamePattern, name: Name): boolean {
  switch (pattern.kind) {
    case 'name':
      return name === pattern.name;
    case 'below':
      return isBelow(name, pattern.name);
    case 'all':
      return true;
  }
}

/** "*.example.com" matches all names below example.com, "*" every name. Throws an Error that says what is wrong. */
function patternOf(text: string): NamePattern {
  if (text === '*') return { text, kind: 'all' };
  const isBelowName = text.startsWith('*.');
  try {
    const name = parseName(asciiName(isBelowName ? text.slice(2) : text));
    return { text, kind: isBelowName ? 'below' : 'name', name };
  } catch (error) {
    if (error instanceof NameError) throw new Error(`is not a name or a pattern: ${error.message}`);
    throw error;
  }
}
