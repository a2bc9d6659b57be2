import { parseType } from '../../dns/codes.ts';
import { unicodeName } from '../../dns/idn.ts';
import { mistakenName } from '../../dns/mistaken-name.ts';
import { type Name, reverseName, withoutFinalDot } from '../../dns/name.ts';
import { requestedName } from '../../document/api/request.ts';
import { listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { printable } from '../../document/words/shortened.ts';
import { choiceWords, type RequestChoices } from './request-choices.ts';

/**
 * Reads a name and a type as people write them. In place of the name there can be a URL, an address, an e-mail address,
 * "NAME TYPE" or a command line of dig.
 */
export function readWritten(written: { readonly name: string; readonly type: string }): ReadQuestion {
  const text = written.name.trim();
  if (text === '') return wrongName('Type a name.');
  const ownType = written.type.trim() || 'A';
  const command = mistakenName(text)?.kind === 'e-mail' ? undefined : readCommand(text);
  switch (command?.kind) {
    case undefined:
      return readOne(text, ownType);
    case 'wrong':
      return wrongName(command.why);
    case 'question': {
      const { name, type = ownType, isReverse, choices, ignored } = command;
      const read = readOne(name, type);
      if (read.kind === 'wrong') return read;
      if (isReverse && read.type !== 'PTR') return wrongName('The word after -x is not an address.');
      const shown = [`${bothWays(read.name)} ${read.type}`, ...choiceWords(choices)].join(', ');
      const left = ignored.length === 0 ? '' : ` Ignored: ${printable(listed(ignored, ignored.length))}.`;
      return { ...read, choices, hint: `Looks up ${shown}.${left}` };
    }
  }
}

/** The question that the form's texts stand for, or which text is wrong, and why. */
export type ReadQuestion =
  | {
      readonly kind: 'question';
      readonly name: Name;
      readonly type: string;
      /** The options in the text. */
      readonly choices: RequestChoices;
      /** How the text was understood, if that is not obvious. */
      readonly hint: string | undefined;
    }
  | { readonly kind: 'wrong'; readonly field: 'name' | 'type'; readonly why: string };

function wrongName(why: string): ReadQuestion {
  return { kind: 'wrong', field: 'name', why };
}

const WRONG_TYPE: ReadQuestion = {
  kind: 'wrong',
  field: 'type',
  why: 'This is no type that can be looked up. Types are A, AAAA, MX, TYPE65280 and so on.',
};

function readOne(text: string, writtenType: string): ReadQuestion {
  const type = parseType(writtenType);
  if (type === undefined) return WRONG_TYPE;
  const mistaken = mistakenName(text);
  switch (mistaken?.kind) {
    case undefined:
      return named(text, type, '');
    case 'address':
      return named(reverseName(mistaken.address), 'PTR', 'the reverse name of the address');
    case 'prefix':
      return named(reverseName(mistaken.address), 'PTR', 'the reverse name of the address in the prefix');
    case 'url':
      return named(mistaken.host, type, 'the host name in the URL');
    case 'port':
      return named(mistaken.host, type, 'the host name before the port');
    case 'e-mail':
      return named(mistaken.host, 'MX', 'the mail servers for the e-mail address');
    case 'nothing':
      return wrongName(`This ${mistaken.why}.`);
  }
}

/** `what`: the relation of the host to the text; empty if it is the text. */
function named(host: string, type: string, what: string): ReadQuestion {
  try {
    const name = requestedName(host);
    const isObvious = what === '' && /^\p{ASCII}*$/u.test(host) && unicodeName(name) === undefined;
    const hint = `Looks up ${bothWays(name)} ${type}${what === '' ? '' : `: ${what}`}.`;
    return { kind: 'question', name, type, choices: {}, hint: isObvious ? undefined : hint };
  } catch (error) {
    if (error instanceof Error) return wrongName(`This ${error.message}.`);
    throw error;
  }
}

/** A name as it is asked for, and as its readers write it if that is something else. */
function bothWays(name: Name): string {
  const unicode = unicodeName(name);
  return unicode === undefined
    ? plain(name)
    : `${withoutFinalDot(name)} (${printable(withoutFinalDot(unicode))})`;
}

/** Reads the words of a question, perhaps with the program that they are for; undefined for a single word. */
function readCommand(text: string): PastedCommand | undefined {
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
  ['--check', { check: 'on' }],
  ['--quick', { views: 'quick' }],
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
