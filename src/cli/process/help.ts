/* Adds examples and exit statuses to the help of commands. */

import type { Command, Help } from 'commander';
import { wrapped } from '../../document/words/shortened.ts';
import type { ExitStatus } from './errors.ts';
import type { Io } from './io.ts';

/** Adds an afterword to a command's help. */
export function addHelpSections(command: Command, afterword: HelpSections): void {
  command.addHelpText('after', () => helpSectionsText(afterword, widthOf(command)));
}

/** What a subcommand works with. */
interface CommandContext {
  readonly io: Io;
  /** Sets the exit status of the program. */
  readonly exit: (status: ExitStatus) => void;
}

/**
 * Gives a subcommand its arguments, options and action. The action ends with `exit(status)`, or
 * throws a `CommandError` (`usageError`, `notDone`), which becomes one line on stderr.
 */
export type Configure = (command: Command, around: CommandContext) => void;

/** What stands below the options in the help of a command: terms, and what they mean. */
interface HelpSections {
  readonly exitStatus?: readonly HelpItem[];
  readonly environment?: readonly HelpItem[];
  readonly examples?: readonly HelpItem[];
  /** Sentences. */
  readonly notes?: readonly string[];
}

/** A term and what it means, which may go without saying. */
export type HelpItem = readonly [term: string, meaning?: string];

/** Makes help fit the width, however narrow. */
export const HELP_FORMAT: Partial<Help> = {
  minWidthToWrap: 1,
  styleUsage(usage) {
    return wrapped(usage, (this.helpWidth ?? USUAL_WIDTH) - USAGE_TITLE).join(`\n${' '.repeat(USAGE_TITLE)}`);
  },
  formatItem(term, termWidth, description, { helpWidth = USUAL_WIDTH }) {
    return itemText([term, description], termWidth, helpWidth);
  },
};

const USUAL_WIDTH = 80;

/** Columns of "Usage: ". */
const USAGE_TITLE = 7;

function widthOf(command: Command): number {
  return command.configureOutput().getOutHelpWidth?.() ?? USUAL_WIDTH;
}

function helpSectionsText({ exitStatus, environment, examples, notes }: HelpSections, width: number): string {
  const blocks = [
    ...block('Exit status:', exitStatus, width),
    ...block('Environment:', environment, width),
    ...(notes === undefined ? [] : [notes.flatMap((note) => wrapped(note, width)).join('\n')]),
    ...block(
      'Examples:',
      examples?.map(([command, meaning = '']) => [folded(command, width), meaning] as const),
      width,
    ),
  ];
  return `\n${blocks.join('\n\n')}`;
}

function block(heading: string, items: readonly HelpItem[] | undefined, width: number): readonly string[] {
  if (items === undefined) return [];
  const termWidth = Math.max(...items.map(([term]) => term.length));
  return [[heading, ...items.map((item) => itemText(item, termWidth, width))].join('\n')];
}

const INDENT = 2;
const GAP = 2;

/** A narrower column is hard to read: then the meaning goes below its term. */
const LEAST_COLUMN = 30;

/** Where a meaning begins that stands below its term. */
const HANGING = 6;

/** A term with its meaning in a column beside it, or below it where the column would be narrow. */
export function itemText([term, meaning = '']: HelpItem, termWidth: number, width: number): string {
  const head = `${' '.repeat(INDENT)}${term}`;
  if (meaning === '') return head;
  const column = INDENT + termWidth + GAP;
  const isBeside = width - column >= LEAST_COLUMN;
  const [first = '', ...others] = wrapped(meaning, width - (isBeside ? column : HANGING));
  const indent = ' '.repeat(isBeside ? column : HANGING);
  const start = isBeside ? head.padEnd(column) : `${head}\n${indent}`;
  return [`${start}${first}`, ...others.map((line) => `${indent}${line}`)].join('\n');
}

/** A command in lines that a shell takes for one. */
function folded(command: string, width: number): string {
  const room = width - HANGING - CONTINUED.length;
  const lines: string[] = [];
  for (const word of command.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > room) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return INDENT + command.length <= width ? command : lines.join(`${CONTINUED}\n${' '.repeat(HANGING)}`);
}

const CONTINUED = ' \\';
