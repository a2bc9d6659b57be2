import type { Command } from 'commander';
import { classCode } from '../../wire/class.ts';
import { parseType } from '../../wire/type.ts';
import { usageError } from '../process/command-error.ts';
import { quoted } from './question.ts';
import { isResolverWord } from './resolver-words.ts';

/** NAME and TYPE, as far as the command line has them. */
export interface QuestionWords {
  readonly name?: string;
  readonly type?: string;
}

/** The options that belong to a question, as commander gives them. */
export interface QuestionFlags {
  readonly x?: string;
  readonly type?: string;
}

/**
 * Adds the arguments and options of a question. As for dig, TYPE may come before NAME, and a class may be
 * given. `name`: what NAME may be.
 */
export function addQuestionArguments(command: Command, name: string): void {
  command
    .argument('[name]', name)
    .argument('[type]', 'the type of the records: A (default), AAAA, MX, ..., or TYPE65280')
    // The words are read here, not by commander: a class may be among them.
    .allowExcessArguments()
    .option('-x <address>', 'look up the name behind an address, in place of NAME and TYPE')
    .option('-t, --type <type>', 'the type of the records, in place of TYPE');
}

/** NAME and TYPE among the words of a command line. Throws a `CommandError` for what is neither. */
export function readQuestionWords(words: readonly string[]): QuestionWords {
  for (const word of words) refuseDigWord(word);
  const [first, second, extra] = withoutClass(words);
  if (extra !== undefined) throw usageError(`${quoted(extra)} is one word too many after NAME and TYPE`);
  if (first === undefined) return {};
  if (second === undefined) return { name: first };
  return isTypeFirst(first, second) ? { name: second, type: first } : { name: first, type: second };
}

/** "MX example.com" and "MX localhost", but not "a NONSENSE": that has a mistake in its type. */
function isTypeFirst(first: string, second: string): boolean {
  if (parseType(first) === undefined || parseType(second) !== undefined) return false;
  return second.includes('.') || (isUpperCase(first) && !isUpperCase(second));
}

function isUpperCase(word: string): boolean {
  return word === word.toUpperCase();
}

function refuseDigWord(word: string): void {
  if (isResolverWord(word))
    throw usageError(
      `${quoted(word)}: svc traverse asks resolvers, for one name; --server is the URL of a traversal service`,
    );
  if (word.startsWith('+'))
    throw usageError(`${quoted(word)}: of dig's options with "+", svc traverse knows +short and +trace only`);
}

/** The words without a class, which may come before NAME, between NAME and TYPE, or after them. */
function withoutClass(words: readonly string[]): readonly string[] {
  const at = words.findLastIndex((word, place) => isClass(word) && (place > 0 || isClassInFront(words)));
  const word = words[at];
  if (word === undefined) return words;
  if (word.toUpperCase() !== 'IN')
    throw usageError(`class ${word.toUpperCase()}: only class IN can be looked up`);
  return words.filter((_, place) => place !== at);
}

/** "IN www.example.com", but not "in NS": that asks for the name "in.". */
function isClassInFront([, ...rest]: readonly string[]): boolean {
  return rest.length === 2 || (rest[0] !== undefined && parseType(rest[0]) === undefined);
}

/** ANY is a class too, but whoever writes it means the type. */
function isClass(word: string): boolean {
  const upper = word.toUpperCase();
  return upper !== 'ANY' && upper !== 'NONE' && classCode(upper) !== undefined;
}
