/* The help of commands: their own options and two examples. Options that commands share stand in `svc help options`. */

import { type Command, Help, Option } from 'commander';
import { wrapped } from '../../document/words/shortened.ts';
import type { ExitStatus } from './errors.ts';
import type { Io } from './io.ts';

/** Adds an afterword to a command's help. */
export function addHelpSections(command: Command, afterword: HelpSections): void {
  command.addHelpText('after', () => helpSectionsText(command, afterword));
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

/** What stands below the options in the help of a command. */
interface HelpSections {
  /** Two command lines, which are enough to begin with. */
  readonly examples?: readonly string[];
  /** Sentences. */
  readonly notes?: readonly string[];
}

/** The headings of options that commands share. */
export const SHARED_HEADINGS = {
  asking: 'How to ask:',
  far: 'How far to go:',
  expected: 'What is expected:',
  place: 'Where to run:',
  look: 'How it looks:',
} as const;

/** Whether an option is one of those that commands share. */
export function isShared({ helpGroupHeading }: Option): boolean {
  return Object.values<string | undefined>(SHARED_HEADINGS).includes(helpGroupHeading);
}

/** All options of a command that its help may show. */
export function optionsToShow(command: Command): readonly Option[] {
  return command.createHelp().visibleOptions(command);
}

/** A term and what it means, which may go without saying. */
export type HelpItem = readonly [term: string, meaning?: string];

/** Makes help fit the width, however narrow. */
export const HELP_FORMAT: Partial<Help> = {
  minWidthToWrap: 1,
  formatHelp(command, helper) {
    // The parser's own look at visible options, to suggest one, has those that are shared.
    const own = optionsToShow(command).filter((option) => !isShared(option));
    const help = Object.assign(Object.create(helper), { visibleOptions: () => own });
    return Help.prototype.formatHelp.call(help, command, help);
  },
  // Usage has the others.
  visibleArguments: ({ registeredArguments }) => registeredArguments.filter(({ argChoices }) => argChoices),
  optionTerm: ({ flags }) => flags.replace('<number>', 'N').replace('<duration>', 'TIME'),
  optionDescription: ({ long, argChoices, description }) =>
    long === '--format' && argChoices !== undefined ? argChoices.join('|') : description,
  groupItems(_all, visible, groupOf) {
    const groups = new Map<string, typeof visible>();
    for (const item of visible) {
      const heading = item instanceof Option ? 'Options:' : groupOf(item);
      groups.set(heading, [...(groups.get(heading) ?? []), item]);
    }
    return groups;
  },
  styleUsage(usage) {
    return wrapped(usage, (this.helpWidth ?? USUAL_WIDTH) - USAGE_TITLE).join(`\n${' '.repeat(USAGE_TITLE)}`);
  },
  formatItem(term, termWidth, description, { helpWidth = USUAL_WIDTH }) {
    const room = helpWidth - INDENT - termWidth - GAP;
    return itemText(
      [term, room < LEAST_COLUMN ? description : brief(description, room)],
      termWidth,
      helpWidth,
    );
  },
};

/** As many whole clauses of a description as fit a line, at least one; the manual has the rest. */
function brief(text: string, room: number): string {
  if (text.length <= room) return text;
  const endsAt = (pattern: RegExp) =>
    [...text.matchAll(pattern)]
      .map(({ index }) => index)
      .filter((end) => end <= room && !/\([^)]*$/.test(text.slice(0, end)));
  return text.slice(
    0,
    endsAt(/ \(|[;:] /g).at(-1) ?? endsAt(/, /g).at(-1) ?? text.replace(/ \([^)]*\)$/, '').length,
  );
}

const USUAL_WIDTH = 80;

/** Columns of "Usage: ". */
const USAGE_TITLE = 7;

function widthOf(command: Command): number {
  return command.configureOutput().getOutHelpWidth?.() ?? USUAL_WIDTH;
}

function helpSectionsText(command: Command, { examples, notes = [] }: HelpSections): string {
  const width = widthOf(command);
  const hasShared = optionsToShow(command).some(isShared);
  const blocks = [
    ...(notes.length === 0 ? [] : [notes.flatMap((note) => wrapped(note, width)).join('\n')]),
    ...block(
      'Examples:',
      examples?.map((example) => [folded(example, width)] as const),
      width,
    ),
    ...(hasShared
      ? [wrapped('svc help options has the options that all commands share.', width).join('\n')]
      : []),
  ];
  return `\n${blocks.join('\n\n')}`;
}

/** What `svc help options` prints of a command that has all options that commands share. */
export function sharedOptionsText(command: Command): string {
  const width = widthOf(command);
  const help = new Help();
  const blocks = Object.values(SHARED_HEADINGS).flatMap((heading) =>
    block(
      heading,
      optionsToShow(command)
        .filter(({ helpGroupHeading }) => helpGroupHeading === heading)
        .map((option) => [help.optionTerm(option), help.optionDescription(option)] as const),
      width,
    ),
  );
  const title = 'Options that commands share, as far as they apply; see svc-traverse(1), SHARED OPTIONS.';
  return `${[wrapped(title, width).join('\n'), ...blocks].join('\n\n')}\n`;
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
