import { type Command, Option } from 'commander';
import { usageError } from '../process/exit-status.ts';
import { limitOption } from './limit-option.ts';

/** The options of many names, as commander gives them. */
export interface ManyFlags {
  readonly file?: string;
  readonly jobs?: number;
  readonly ordered?: true;
  readonly resume?: string;
  readonly brief?: true;
}

/** Adds the options of many names. */
export function addManyFlags(command: Command): void {
  command
    .optionsGroup('Many names:')
    .addOption(
      new Option(
        '-f, --file <file>',
        'the names of a file (-: of stdin), one a line; gives a line of JSON for each',
      ).argParser(onlyOne),
    )
    .addOption(limitOption('--jobs', 'namesAtOnce'))
    .option('--ordered', 'lines in the order of the names (default: as they are done)')
    .option('--brief', 'lines without what makes them long: outcomes, steps and exchanges')
    .option(
      '--resume <file>',
      'add to this file what it does not hold yet: for a run that may be interrupted',
    );
}

function onlyOne(file: string, before: string | undefined): string {
  if (before !== undefined) throw usageError(`-f says one file: cat ${before} ${file} | svc traverse -f -`);
  return file;
}

/** Options that say one thing to do, and those that say how it looks. */
export interface OtherFlags {
  readonly x?: string;
  readonly save?: string;
  readonly replay?: string;
  readonly explain?: true;
}

/**
 * The file of names, if the command line has one. Throws a `CommandError` for options that only go with
 * one, or do not. `format` is what the command line says, undefined if it says nothing.
 */
export function manyNames(
  flags: ManyFlags & OtherFlags,
  name: string | undefined,
  format: string | undefined,
): string | undefined {
  if (flags.file === undefined) {
    const stray = (['jobs', 'ordered', 'brief', 'resume'] as const).find((flag) => flags[flag] !== undefined);
    if (stray !== undefined) throw usageError(`--${stray} is for many names: add -f FILE`);
    return undefined;
  }
  if (name !== undefined) throw usageError('-f FILE says the names: leave NAME and TYPE out');
  const other = (['x', 'save', 'replay', 'explain'] as const).find((flag) => flags[flag] !== undefined);
  if (other !== undefined) {
    throw usageError(`${other === 'x' ? '-x' : `--${other}`} is for one name: it does not go with -f FILE`);
  }
  if (format !== undefined && format !== 'jsonl' && format !== 'json') {
    throw usageError(`--format ${format} is for one name: with -f FILE there are lines of JSON`);
  }
  return flags.file;
}
