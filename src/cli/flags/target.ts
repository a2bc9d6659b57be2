import { isJobId } from '../../document/api/job-id.ts';
import type { Question } from '../../wire/question.ts';
import { usageError } from '../process/command-error.ts';
import { readQuestion, readReverse } from './question.ts';
import type { QuestionFlags, QuestionWords } from './question-words.ts';

/** A command line, as far as it names a question. */
export interface Asked {
  /** The subcommand that it is for. */
  readonly command: 'traverse' | 'servers' | 'watch';
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
    return readReverse(flags.x);
  }
  if (name === undefined)
    throw usageError(`NAME is missing: write svc ${command} www.example.com (--demo lists names to try)`);
  if (type !== undefined && flags.type !== undefined)
    throw usageError(`two types, ${type} and --type ${flags.type}: leave out one of them`);
  return readQuestion(name, flags.type ?? type);
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
