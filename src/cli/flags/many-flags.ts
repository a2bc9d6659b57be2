import type { Command } from 'commander';
import type { Question } from '../../dns/message.ts';
import { FORMATS, isOffered } from '../../report/formats.ts';
import { usageError } from '../process/errors.ts';
import type { OutputStream } from '../process/io.ts';
import { fileOption, type LimitFlags, limitOption } from './limit-option.ts';
import { severalQuestions } from './question.ts';

/** The options of many names, as commander gives them. */
export interface ManyFlags extends Pick<LimitFlags, 'namesAtOnce'> {
  readonly file?: string;
  readonly ordered?: true;
  readonly resume?: string;
  readonly onlyProblems?: true;
  readonly share?: true;
}

/** Adds the options of many names. */
export function addManyFlags(command: Command): void {
  command
    .optionsGroup('Many names:')
    .addOption(
      fileOption(
        '-f, --file <file>',
        'traverse the names in a file (-: stdin), one a line: prints a row for each on a terminal, else a line of JSON',
      ),
    )
    .addOption(limitOption('namesAtOnce'))
    .option('--ordered', 'print lines in the order of the names (default: as each is done)')
    .option('--share', 'ask each question once for all names: as long as the TTL of the reply allows')
    .option('--only-problems', 'print nothing for names whose exit status is 0')
    .addOption(fileOption('--resume <file>', 'add lines to this file, and skip names that it has'));
}

/** Options that do not go with many names. */
interface OneNameFlags {
  readonly x?: string;
  readonly type?: string;
  readonly save?: string;
  readonly replay?: string;
  readonly explain?: true;
  readonly short?: true;
  readonly chain?: true;
  readonly resolvers?: readonly unknown[];
  readonly down?: readonly string[];
  readonly without?: readonly string[];
  readonly only?: readonly string[];
  readonly delegate?: readonly string[];
  readonly zone?: readonly string[];
  readonly ds?: readonly string[];
}

const ONE_NAME_ONLY = [
  ['-x', 'x'],
  ['--type', 'type'],
  ['--save', 'save'],
  ['--replay', 'replay'],
  ['--explain', 'explain'],
  ['--short', 'short'],
  ['--chain', 'chain'],
  ['@RESOLVER', 'resolvers'],
  ['--down', 'down'],
  ['--without', 'without'],
  ['--only', 'only'],
  ['--delegate', 'delegate'],
  ['--zone', 'zone'],
  ['--ds', 'ds'],
] as const;

const MANY_NAMES_ONLY = [
  ['--jobs', 'namesAtOnce'],
  ['--ordered', 'ordered'],
  ['--only-problems', 'onlyProblems'],
  ['--resume', 'resume'],
  ['--share', 'share'],
] as const;

/** A command line, as far as it matters here. */
interface ManyAsked {
  readonly flags: ManyFlags & OneNameFlags;
  readonly words: readonly string[];
  /** Undefined if the command line does not name one. */
  readonly format: string | undefined;
}

/** Many names: those of a file ("-" is stdin), or the questions of the command line itself. */
export type NamesToTraverse =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'questions'; readonly questions: readonly Question[] };

/**
 * The names to traverse, if the command line has a file of names or several names. Throws a `CommandError` for options
 * that do not go with these.
 */
export function namesToTraverse({ flags, words, format }: ManyAsked): NamesToTraverse | undefined {
  const names = namesIn({ flags, words });
  if (names === undefined) {
    const stray = MANY_NAMES_ONLY.find(([, flag]) => flags[flag] !== undefined);
    if (stray !== undefined) throw usageError(`${stray[0]} is for many names: add -f FILE`);
    return undefined;
  }
  const instead = names.kind === 'file' ? 'leave out -f FILE' : 'write one name';
  const other = ONE_NAME_ONLY.find(
    ([, flag]) => flags[flag] !== undefined && !(flag === 'type' && names.kind === 'questions'),
  );
  if (other !== undefined) throw usageError(`${other[0]} is for one name: ${instead}`);
  if (format !== undefined && !isOffered(format, 'many'))
    throw usageError(
      `--format ${format} is for one name: many are printed as lines of JSON, or rows of text`,
    );
  if (flags.onlyProblems && flags.resume !== undefined)
    throw usageError('--only-problems does not go with --resume, whose file tells which names are done');
  if (format === 'text' && flags.resume !== undefined)
    throw usageError('--resume is for lines of JSON: leave out --format text');
  return names;
}

function namesIn({ flags, words }: Pick<ManyAsked, 'flags' | 'words'>): NamesToTraverse | undefined {
  if (flags.file === undefined) {
    const questions = severalQuestions(words, flags);
    return questions && { kind: 'questions', questions };
  }
  if (words.length > 0) throw usageError('-f FILE holds the names: leave out NAME and TYPE');
  return { kind: 'file', path: flags.file };
}

/** How the results of many names are printed: a row or a line of JSON for each, or the whole text. */
export type ManyPrint = 'rows' | 'lines' | 'texts';

/** The same, without a wish by where it goes: for names of the command line, text stays text. */
export function printOf(
  names: NamesToTraverse,
  { flags: { resume }, format }: Pick<ManyAsked, 'flags' | 'format'>,
  { isTTY }: OutputStream,
): ManyPrint {
  if (format !== undefined && isOffered(format, 'many')) return FORMATS[format].offered.many;
  if (resume !== undefined) return 'lines';
  if (isTTY === true) return 'rows';
  return names.kind === 'questions' ? 'texts' : 'lines';
}

/** The command line's options for watching a name for changes, as commander gives them. */
export interface AgainFlags extends Pick<LimitFlags, 'everyMs'> {
  readonly onChange?: string;
  readonly keep?: string;
}

/** Adds the options for watching a name for changes. */
export function addAgainFlags(command: Command): void {
  command
    .optionsGroup('Again and again:')
    .addOption(limitOption('everyMs', 'once only'))
    .option(
      '--on-change <command>',
      'run a shell command at each change, with the change as JSON on its stdin',
    )
    .addOption(fileOption('--keep <folder>', 'save the first result, and each that differs, in a folder'))
    .hook('preAction', () => {
      const { everyMs, onChange, keep }: AgainFlags = command.opts();
      if (onChange === '') throw usageError('--on-change "": the command is missing');
      if (everyMs !== undefined) return;
      if (onChange !== undefined)
        throw usageError('--on-change needs --every: nothing changes in one traversal');
      if (keep !== undefined) throw usageError('--keep needs --every: svc traverse --save keeps one result');
    });
}
