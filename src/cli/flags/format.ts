import { type Command, Option } from 'commander';
import { coloursWanted } from '../process/colour.ts';
import { usageError } from '../process/exit-status.ts';
import type { Io } from '../process/io.ts';

/** The command line's options that say how results look, as commander gives them. */
export interface FormatFlags {
  readonly format: Format['kind'];
  readonly json?: true;
  readonly color: boolean;
  readonly verbose?: true;
  readonly explain?: true;
}

const KINDS = ['text', 'json', 'jsonl', 'dot', 'mermaid'] as const;

/** How results are to look. */
export interface Format {
  readonly kind: (typeof KINDS)[number];
  readonly colour: 'on' | 'off';
  readonly detail: 'terse' | 'full';
  /** Columns that a line may take. */
  readonly width: number;
  readonly ends: 'listed' | 'explained';
}

/** Adds the options that every command which prints results has. */
export function addFormatFlags(command: Command): void {
  command
    .optionsGroup('What to print:')
    .addOption(
      new Option(
        '--format <format>',
        'text for people, json for one result, jsonl for events as they come, dot or mermaid for the graph',
      )
        .choices(KINDS)
        .default('text'),
    )
    .option('--no-color', 'without colour (NO_COLOR and FORCE_COLOR are heeded too)')
    .option('-v, --verbose', 'leave nothing out')
    .option('--explain', 'say what each end means and what to do about it, by whom')
    .hook('preAction', () => {
      const { explain, format }: FormatFlags = command.opts();
      if (explain && format !== 'text') throw usageError(`--explain goes with text, not with ${format}`);
    });
  addJsonFlag(command);
}

/** Adds `--json` to a command that has `--format json`. */
export function addJsonFlag(command: Command): void {
  command
    .addOption(new Option('--json', 'the same as --format json').implies({ format: 'json' }))
    .hook('preAction', () => {
      const { json, format }: FormatFlags = command.opts();
      if (json && format !== 'json')
        throw usageError(`--json means --format json: leave out --format ${format}`);
    });
}

/** How the flags, the environment and the terminal want results to look. */
export function formatOf(flags: FormatFlags, io: Io): Format {
  return {
    kind: flags.format,
    colour: coloursWanted(flags.color, io.env, io.stdout) ? 'on' : 'off',
    detail: flags.verbose ? 'full' : 'terse',
    // Some terminals say 0 for what they do not know.
    width: io.stdout.columns || Number.POSITIVE_INFINITY,
    ends: flags.explain ? 'explained' : 'listed',
  };
}
