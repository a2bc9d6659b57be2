import type { Command } from 'commander';
import { classCode, parseType } from '../../dns/codes.ts';
import type { Question } from '../../dns/message.ts';
import { isJobId } from '../../document/api/jobs.ts';
import { usageError } from '../process/errors.ts';
import { checkItems } from './expect-flags.ts';
import { isResolverWord, quoted, readQuestion, readReverse } from './names.ts';

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
    .option('-x <address>', 'look up the name behind an address')
    .option('-t, --type <type>', 'the type of the records, in place of TYPE');
}

/** NAME and TYPE, as far as the command line has them. */
interface QuestionWords {
  readonly name?: string;
  readonly type?: string;
}

/** The options that belong to a question, as commander gives them. */
export interface QuestionFlags {
  readonly x?: string;
  readonly type?: string;
  readonly expect?: readonly string[];
}

/** NAME and TYPE among the words of a command line. Throws a `CommandError` for what is neither. */
export function readQuestionWords(words: readonly string[]): QuestionWords {
  for (const word of words) refuseResolverWord(word);
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

function refuseResolverWord(word: string): void {
  if (isResolverWord(word))
    throw usageError(
      `${quoted(word)}: svc traverse asks resolvers, for one name; --server is the URL of a traversal service`,
    );
}

/**
 * The questions of a command line that has several names, and perhaps a type for all; undefined if it has at most one
 * name. Each of several names has a dot, so that a mistake in a type is not taken for a name. Throws a `CommandError`
 * for a name or type that is none.
 */
export function severalQuestions(
  words: readonly string[],
  flags: QuestionFlags,
): readonly Question[] | undefined {
  const asked = withoutClass(words);
  const names = asked.filter((word) => word.includes('.'));
  if (names.length < 2) return undefined;
  const [type = flags.type, second] = asked.filter((word) => !word.includes('.'));
  const twice = second ?? (type === flags.type ? undefined : flags.type);
  if (twice !== undefined)
    throw usageError(`two types, ${type} and ${twice}: names on one command line have one type`);
  return names.map((name) => expecting(readQuestion(name, type), flags));
}

/** The question; throws a `CommandError` if no answer to it can be what is expected. */
function expecting(question: Question, { expect = [] }: QuestionFlags): Question {
  checkItems(expect, question.type);
  return question;
}

/** The words without a class, which may come before NAME, between NAME and TYPE, or after them. */
function withoutClass(words: readonly string[]): readonly string[] {
  const at = words.findLastIndex((word, place) => isClass(word) && (place > 0 || isClassInFront(words)));
  const word = words[at];
  if (word === undefined) return words;
  checkClass(word);
  return words.filter((_, place) => place !== at);
}

/** Throws a `CommandError` for any class but IN. */
export function checkClass(text: string): void {
  const name = text.toUpperCase();
  if (name !== 'IN') throw usageError(`class ${name}: only class IN can be looked up`);
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

/** A command line, as far as it names a question. */
export interface Asked {
  /** The subcommand that it is for. */
  readonly command: 'traverse' | 'servers' | 'watch' | 'wait' | 'when';
  readonly words: QuestionWords;
  readonly flags: QuestionFlags;
}

/** Whether a command line names anything to look up. */
export function namesQuestion({ words, flags }: Pick<Asked, 'words' | 'flags'>): boolean {
  return words.name !== undefined || flags.x !== undefined;
}

/** The question that a command line names. Throws a `CommandError` if it names none, or too much. */
export function questionOf({ command, words, flags }: Asked): Question {
  const { name, type } = words;
  if (flags.x !== undefined) {
    if (name !== undefined || flags.type !== undefined)
      throw usageError('-x ADDRESS takes the place of NAME and TYPE: leave them out');
    return expecting(readReverse(flags.x), flags);
  }
  if (name === undefined)
    throw usageError(`NAME is missing: write svc ${command} www.example.com (--demo lists names to try)`);
  if (type !== undefined && flags.type !== undefined)
    throw usageError(`two types, ${type} and --type ${flags.type}: leave out one of them`);
  return expecting(readQuestion(name, flags.type ?? type), flags);
}

/** What to watch: a question to be traversed, or a job that a server has. */
export type WatchTarget =
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'job'; readonly id: string; readonly server: URL };

/**
 * The question or job that a command line names. `options`: those of a traversal that it names. Throws a
 * `CommandError` if it names none, or too much.
 */
export function watchTarget(asked: Asked, server: URL | undefined, options: readonly string[]): WatchTarget {
  const { words, flags } = asked;
  const { name, type } = words;
  if (name === undefined || !isJobId(name)) return { kind: 'question', question: questionOf(asked) };
  if (server === undefined)
    throw usageError(`${name} is the identifier of a job: name its server with --server URL`);
  if (type !== undefined || flags.x !== undefined || flags.type !== undefined || options.length > 0)
    throw usageError(
      `${name} is a job that has been started already: leave out TYPE and options of the traversal`,
    );
  return { kind: 'job', id: name, server };
}
