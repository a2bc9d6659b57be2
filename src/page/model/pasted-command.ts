/* Reads "example.com MX" and whole command lines: people paste the words that they gave to dig. */

import { parseType } from '../../dns/codes.ts';
import type { RequestChoices } from './request-choices.ts';

/** Reads the words of a question, perhaps with the program that they are for; undefined for a single word. */
export function readCommand(text: string): PastedCommand | undefined {
  if (!/(?<!\\)\s/.test(text)) return undefined;
  const tokens = [...text.replace(PROGRAM, '').matchAll(TOKEN)].map(({ groups }): Token => ({ ...groups }));
  const flagged = (wanted: string) =>
    tokens.flatMap(({ flag, value = '' }) => (flag === wanted ? [value] : []));
  const words = tokens.flatMap(({ word }) => (word === undefined ? [] : [word]));
  const operands = words.filter((word) => !/^[-+@]|^IN$/i.test(word));
  const [name, ...others] = [...flagged('q'), ...flagged('x'), ...operands.filter(isName)];
  if (name === undefined) return { kind: 'wrong', why: 'There is no name to look up.' };
  if (others.length > 0) return { kind: 'wrong', why: whyNotBoth(others) };
  return {
    kind: 'question',
    name,
    isReverse: flagged('x').length > 0,
    type: flagged('t')[0] ?? operands.find((word) => !isName(word)),
    choices: Object.fromEntries(words.flatMap((word) => Object.entries(CHOSEN.get(word) ?? {}))),
    ignored: words.filter((word) => /^[-+@]/.test(word) && !CHOSEN.has(word)),
  };
}

/** A question in several words, or why they are none. */
type PastedCommand =
  | {
      readonly kind: 'question';
      readonly name: string;
      /** Whether the name is the address after `-x`. */
      readonly isReverse: boolean;
      readonly type: string | undefined;
      readonly choices: RequestChoices;
      /** The words without an effect: the name servers that a traversal asks are those of the zones. */
      readonly ignored: readonly string[];
    }
  | { readonly kind: 'wrong'; readonly why: string };

/** The programs that take a question so, behind the prompt of a shell. */
const PROGRAM = /^(?:[$#%>]\s*)?(?:dig|kdig|drill|delv|host|nslookup|svc(?:\s+traverse)?)\s+/i;

/** A word, or an option of dig with its value. */
const TOKEN = /(?<!\S)-(?<flag>[bcfkpqtxy])\s*(?<value>(?:\\.|\S)+)|(?<word>(?:\\.|\S)+)/gs;

interface Token {
  readonly flag?: string;
  readonly value?: string;
  readonly word?: string;
}

/** The options of programs that the form has, too. */
const CHOSEN: ReadonlyMap<string, RequestChoices> = new Map([
  ['+tcp', { transport: 'tcp' }],
  ['+vc', { transport: 'tcp' }],
  ['--tcp', { transport: 'tcp' }],
  ['+noedns', { edns: 'off' }],
  ['--no-edns', { edns: 'off' }],
  ['+dnssec', { dnssec: 'on' }],
  ['--dnssec', { dnssec: 'on' }],
  ['--no-dnssec', { dnssec: 'off' }],
  ['--check', { check: 'on' }],
  ['--quick', { quick: 'on' }],
  ['-4', { families: '4' }],
  ['-6', { families: '6' }],
]);

function isName(word: string): boolean {
  return parseType(word) === undefined;
}

function whyNotBoth(others: readonly string[]): string {
  const stray = others.find((word) => /^\w+$/.test(word));
  return stray === undefined ? 'Look up one name at a time.' : `"${stray}" is not a record type.`;
}
