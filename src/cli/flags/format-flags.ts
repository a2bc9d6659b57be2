import { type Command, Option } from 'commander';
import type { FailOn } from '../../document/findings.ts';
import { grouped } from '../../reading/grouped.ts';
import {
  type CommandPlace,
  FORMATS,
  type FormatIn,
  formatsIn,
  type Making,
  type Offers,
  type PathLook,
  TEXT_FLAGS,
} from '../../report/formats.ts';
import type { JsonForm } from '../../shape/json-pieces.ts';
import { type ColourFlag, colourFor } from '../process/colour.ts';
import { usageError } from '../process/command-error.ts';
import { neededGraphviz } from '../process/graphviz.ts';
import { type Io, lineWidth } from '../process/io.ts';
import { addJsonFlag, addPrettyFlag, type PrettyFlag, printedJson, savedJson } from './json-flags.ts';

/** The command line's options that say how results look, as commander gives them. */
export interface FormatFlags extends ColourFlag, PrettyFlag {
  readonly format: FormatIn<'traverse'>;
  readonly json?: true;
  readonly verbose?: true;
  readonly explain?: true;
  readonly short?: true;
  readonly quiet?: true;
  readonly one?: true;
  readonly seed?: number;
  readonly failOn?: FailOn;
}

const FAIL_ON = ['critical', 'error', 'warning', 'notice'] as const satisfies readonly FailOn[];

/** How results look. */
export interface Format extends PathLook {
  /** `nothing`: only the exit status tells of the result. */
  readonly made: Making | typeof TEXT_FLAGS.one | { readonly kind: 'nothing' };
  /** JSON as it is printed, and as it is saved. */
  readonly json: { readonly printed: JsonForm; readonly saved: JsonForm };
  /** The least severity of a finding that is trouble, and the only trouble; absent: as usual. */
  readonly failOn?: FailOn;
}

/** Adds the options of a command that prints a result. */
export function addFormatFlags(command: Command): void {
  command
    .optionsGroup('What to print:')
    .addOption(formatOption('traverse'))
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
      if (FORMATS[command.opts<FormatFlags>().format].made.kind === 'picture') await neededGraphviz();
    });
  addJsonFlag(command, 'json');
  addPrettyFlag(command);
  addLookFlags(command, 'leave nothing out');
}

/** The option that chooses the format of what a command prints; text unless it is given. */
export function formatOption(place: CommandPlace): Option {
  const formats = formatsIn(place);
  const offers = formats.map((name) => {
    const { [place]: purpose = '' }: Offers = FORMATS[name].offered;
    return { name, purpose };
  });
  const words = grouped(offers, ({ purpose }) => purpose).map(
    (same) => `${eitherOf(same.map(({ name }) => name))} ${same[0].purpose}`,
  );
  return new Option('--format <format>', words.join(', ')).choices(formats).default('text');
}

/** "dot, mermaid or svg" */
function eitherOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
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
  if (failOn !== undefined && FORMATS[format].made.kind === 'check')
    throw usageError(`--fail-on does not go with ${format}, which has exit statuses of its own`);
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
    made: makingOf(flags),
    seed: flags.seed ?? Math.floor(Math.random() * (MOST_SEED + 1)),
    colour: colourFor(flags, io.stdout, io.env),
    detail: flags.verbose ? 'full' : 'terse',
    width: lineWidth(io.stdout),
    ends: flags.explain ? 'explained' : 'listed',
    json: { printed: printedJson(flags, io.stdout), saved: savedJson(flags) },
    ...(flags.failOn === undefined ? {} : { failOn: flags.failOn }),
  };
}

function makingOf({ format, short, one, quiet }: FormatFlags): Format['made'] {
  if (quiet) return { kind: 'nothing' };
  if (one) return TEXT_FLAGS.one;
  return short ? TEXT_FLAGS.short : FORMATS[format].made;
}
