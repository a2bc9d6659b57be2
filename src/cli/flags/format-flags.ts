import type { Viz } from '@viz-js/viz';
import { type Command, Option } from 'commander';
import { type JsonForm, LINE_JSON, PRETTY_JSON } from '../../base/json.ts';
import type { FailOn } from '../../document/finding.ts';
import { grouped } from '../../document/words/lists.ts';
import {
  type CommandPlace,
  FORMATS,
  type FormatIn,
  formatsIn,
  type Making,
  type Offers,
  TEXT_FLAGS,
} from '../../report/formats.ts';
import { loadGraphviz } from '../../report/graphviz.ts';
import type { Look } from '../../report/result-text.ts';
import { notDone, usageError } from '../process/errors.ts';
import { SHARED_HEADINGS } from '../process/help.ts';
import { type ColourFlag, type Io, type OutputStream, textLook } from '../process/io.ts';

/** The command line's options that say how results look, as commander gives them. */
export interface FormatFlags extends ColourFlag {
  readonly format: FormatIn<'traverse'>;
  readonly json?: true;
  readonly full?: true;
  readonly verbose?: true;
  readonly explain?: true;
  readonly short?: true;
  readonly chain?: true;
  readonly quiet?: true;
  readonly failOn?: FailOn;
}

const FAIL_ON = ['critical', 'error', 'warning', 'notice'] as const satisfies readonly FailOn[];

/** How results look. */
export interface Format extends Look {
  /** `nothing`: only the exit status tells of the result. */
  readonly made: Making | typeof TEXT_FLAGS.chain | { readonly kind: 'nothing' };
  /** JSON as it is printed, and as it is saved. */
  readonly json: { readonly printed: JsonForm; readonly saved: JsonForm };
  /** Whether a result is printed with its evidence. */
  readonly evidence: 'printed' | 'left-out';
  /** The least severity of a finding that is trouble, and the only trouble; absent: as usual. */
  readonly failOn?: FailOn;
}

/** Adds the options of a command that prints a result. */
export function addFormatFlags(command: Command): void {
  command
    .optionsGroup('What to print:')
    .addOption(formatOption('traverse'))
    .option('--short', 'print answers alone, with shares where they differ')
    .addOption(
      new Option(
        '--chain',
        'print the DNSSEC chain: the DS records, keys and signatures from the root to the answer',
      ),
    )
    .option('-q, --quiet', 'print nothing but errors: the exit status tells the result')
    .addOption(failOnOption())
    .option('--explain', 'say who can repair each fault, and what each end means for users')
    .hook('preAction', () => checkFormat(command.opts()))
    .hook('preAction', async () => {
      // Before anything is asked: nobody should wait for what cannot be drawn.
      if (FORMATS[command.opts<FormatFlags>().format].made.kind === 'picture') await neededGraphviz();
    });
  addJsonFlag(command, 'json');
  command.option('--full', 'print JSON with the evidence: exchanges, steps and what belongs to them');
  addLookFlags(command, 'leave nothing out');
}

/** The option that says which findings are trouble. */
export function failOnOption(): Option {
  return new Option(
    '--fail-on <severity>',
    'exit with 1 if a finding is this severe or worse, and otherwise with 0',
  ).choices(FAIL_ON);
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

/** Adds the options of a command that prints text or a document of JSON, but no result. `more`: what -v prints. */
export function addPrintFlags(
  command: Command,
  place: 'diff' | 'servers' | 'wait' | 'when' | 'plan',
  more: string,
): void {
  command.optionsGroup('What to print:').addOption(formatOption(place));
  addJsonFlag(command, 'json');
  addLookFlags(command, more);
}

/** Adds the options that every command which prints text has. `more`: what -v prints. */
export function addLookFlags(command: Command, more: string): void {
  command
    .option('-v, --verbose', more)
    .optionsGroup(SHARED_HEADINGS.look)
    .option('--no-color', 'print without colour (NO_COLOR and FORCE_COLOR are honoured)')
    // For what the command adds of its own.
    .optionsGroup('What to print:');
}

/** Throws a `CommandError` for `--full` where no JSON of results is printed. */
export function checkFull({ full }: Pick<FormatFlags, 'full'>, isJson: boolean): void {
  if (full && !isJson)
    throw usageError('--full is for JSON, to print the evidence with it: add --json, or leave it out');
}

function checkFormat(flags: FormatFlags): void {
  const { format, explain, short, chain, quiet, verbose, failOn } = flags;
  if (failOn !== undefined && FORMATS[format].made.kind === 'check')
    throw usageError(`--fail-on does not go with ${format}, which has exit statuses of its own`);
  const said = [
    ...(quiet ? ['--quiet'] : []),
    ...(short ? ['--short'] : []),
    ...(chain ? ['--chain'] : []),
    ...(explain ? ['--explain'] : []),
    ...(verbose && (quiet || short) ? ['--verbose'] : []),
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
    ...textLook(flags, io),
    ends: flags.explain ? 'explained' : 'listed',
    json: { printed: printedJson(io.stdout), saved: LINE_JSON },
    evidence: flags.full ? 'printed' : 'left-out',
    ...(flags.failOn === undefined ? {} : { failOn: flags.failOn }),
  };
}

function makingOf({ format, short, chain, quiet }: FormatFlags): Format['made'] {
  if (quiet) return { kind: 'nothing' };
  if (chain) return TEXT_FLAGS.chain;
  return short ? TEXT_FLAGS.short : FORMATS[format].made;
}

interface JsonFlags {
  readonly format: string;
  readonly json?: true;
}

/** Adds `--json`, short for the command's one format of JSON. */
export function addJsonFlag(command: Command, short: 'json' | 'jsonl'): void {
  command
    .addOption(new Option('--json', `the same as --format ${short}`).implies({ format: short }))
    .hook('preAction', () => {
      const { json, format }: JsonFlags = command.opts();
      if (json && format !== short)
        throw usageError(`--json means --format ${short}: leave out --format ${format}`);
    });
}

/** How a document of JSON is written to a stream: indented for people, on a terminal. */
export function printedJson({ isTTY }: OutputStream): JsonForm {
  return isTTY === true ? PRETTY_JSON : LINE_JSON;
}

/** Graphviz, for `--format svg`. Throws a `CommandError` that says what to install. */
export async function neededGraphviz(): Promise<Viz> {
  const graphviz = await loadGraphviz();
  if (graphviz === undefined) throw notDone(MISSING);
  return graphviz;
}

const MISSING =
  '--format svg needs the package @viz-js/viz: npm install --global @viz-js/viz, or use --format dot and Graphviz';
