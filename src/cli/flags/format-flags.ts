import { type Command, Option } from 'commander';
import type { FailOn } from '../../document/findings.ts';
import type { Detail } from '../../reading/words/shortened.ts';
import type { JsonForm } from '../../shape/json-pieces.ts';
import { type ColourFlag, colourFor } from '../process/colour.ts';
import { usageError } from '../process/command-error.ts';
import { neededGraphviz } from '../process/graphviz.ts';
import { type Io, lineWidth } from '../process/io.ts';
import { addJsonFlag, addPrettyFlag, type PrettyFlag, printedJson, savedJson } from './json-flags.ts';

/** The command line's options that say how results look, as commander gives them. */
export interface FormatFlags extends ColourFlag, PrettyFlag {
  readonly format: (typeof KINDS)[number];
  readonly json?: true;
  readonly verbose?: true;
  readonly explain?: true;
  readonly short?: true;
  readonly quiet?: true;
  readonly one?: true;
  readonly seed?: number;
  readonly failOn?: FailOn;
}

const KINDS = ['text', 'json', 'jsonl', 'dot', 'mermaid', 'svg', 'md', 'nagios', 'prometheus'] as const;

const FAIL_ON = ['critical', 'error', 'warning', 'notice'] as const satisfies readonly FailOn[];

/** How results look. */
export interface Format {
  /** `short`: text, but for answers and shares only. `one`: one path. `none`: only the exit status tells of the result. */
  readonly kind: (typeof KINDS)[number] | 'short' | 'one' | 'none';
  readonly colour: 'on' | 'off';
  readonly detail: Detail;
  /** Columns that a line may take. */
  readonly width: number;
  readonly ends: 'listed' | 'explained';
  /** JSON as it is printed, and as it is saved. */
  readonly json: { readonly printed: JsonForm; readonly saved: JsonForm };
  /** Decides which path `one` is. */
  readonly seed: number;
  /** The least severity of a finding that is trouble, and the only trouble; absent: as usual. */
  readonly failOn?: FailOn;
}

/** Adds the options of a command that prints a result. */
export function addFormatFlags(command: Command): void {
  command
    .optionsGroup('What to print:')
    .addOption(
      new Option(
        '--format <format>',
        'text for people, json for one result, jsonl for events as they happen, dot, mermaid or svg for the graph, md for a ticket, nagios or prometheus for monitors',
      )
        .choices(KINDS)
        .default('text'),
    )
    .option('--short', 'print each answer on a line with its share, nothing else')
    .option('--one', 'print one path chosen at random, as dig +trace does')
    .addOption(
      new Option('--seed <number>', `which path --one prints (0 to ${MOST_SEED}; default: any)`).argParser(
        readSeed,
      ),
    )
    .option('-q, --quiet', 'print nothing but errors: the exit status tells the result')
    .addOption(
      new Option(
        '--fail-on <severity>',
        'exit with 1 if a finding is this severe or worse, and otherwise with 0',
      ).choices(FAIL_ON),
    )
    .option('--explain', 'say what each end means, what to do about it, and who can do it')
    .hook('preAction', () => checkFormat(command.opts()))
    .hook('preAction', async () => {
      // Before anything is asked: nobody should wait for what cannot be drawn.
      if (command.opts<FormatFlags>().format === 'svg') await neededGraphviz();
    });
  addJsonFlag(command, 'json');
  addPrettyFlag(command);
  addLookFlags(command, 'leave nothing out');
}

/** Adds the options that every command which prints text has. `more`: what -v prints. */
export function addLookFlags(command: Command, more: string): void {
  command
    .option('--no-color', 'print without colour (NO_COLOR and FORCE_COLOR are honoured)')
    .option('-v, --verbose', more);
}

/** As many as can be told from each other at a glance, and as 32 bits hold. */
const MOST_SEED = 4_294_967_295;

function readSeed(text: string): number {
  const seed = /^\d{1,10}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  if (seed > MOST_SEED) throw usageError(`--seed ${text}: must be a whole number, 0 to ${MOST_SEED}`);
  return seed;
}

function checkFormat({ format, explain, short, quiet, one, seed, verbose, failOn }: FormatFlags): void {
  if (seed !== undefined && !one) throw usageError('--seed goes with --one: add it');
  if (failOn !== undefined && format === 'nagios')
    throw usageError('--fail-on does not go with nagios, which has exit statuses of its own');
  const said = [
    ...(quiet ? ['--quiet'] : []),
    ...(short ? ['--short'] : []),
    ...(one ? ['--one'] : []),
    ...(explain ? ['--explain'] : []),
    ...(verbose && (quiet || short || one) ? ['--verbose'] : []),
  ];
  const [first, second] = said;
  if (first === undefined) return;
  if (format !== 'text') throw usageError(`${first} goes with text, not with ${format}`);
  if (second !== undefined) throw usageError(`${first} does not go with ${second}: leave out one of them`);
}

/** How the flags, the environment and the terminal want results to look. */
export function formatOf(flags: FormatFlags, io: Io): Format {
  return {
    kind: kindOf(flags),
    seed: flags.seed ?? Math.floor(Math.random() * (MOST_SEED + 1)),
    colour: colourFor(flags, io.stdout, io.env),
    detail: flags.verbose ? 'full' : 'terse',
    width: lineWidth(io.stdout),
    ends: flags.explain ? 'explained' : 'listed',
    json: { printed: printedJson(flags, io.stdout), saved: savedJson(flags) },
    ...(flags.failOn === undefined ? {} : { failOn: flags.failOn }),
  };
}

function kindOf({ format, short, one, quiet }: FormatFlags): Format['kind'] {
  if (quiet) return 'none';
  if (one) return 'one';
  return short ? 'short' : format;
}
