/* The command line: its subcommands, and how it is parsed. */

import { Command, CommanderError } from 'commander';
import { VERSION } from '../base/version.ts';
import { parseType } from '../dns/codes.ts';
import { withoutDigOptions } from './flags/dig-words.ts';
import { EXIT, type ExitStatus, usageError } from './process/errors.ts';
import { addHelpSections, type Configure, HELP_FORMAT, sharedOptionsText } from './process/help.ts';
import { columnsOf, type Io } from './process/io.ts';
import { parserWords } from './process/parser-words.ts';

/** Parses the command line and runs the subcommand it names. Throws a `CommandError` for wrong usage. */
export async function parse(words: readonly string[], io: Io): Promise<ExitStatus> {
  if (words[0] === COMPLETE) {
    const { completions } = await import('./commands/completion.ts');
    io.stdout.write(await completions(await wholeProgram(io), words.slice(1)));
    return EXIT.agreed;
  }
  if (words.join(' ') === 'help profiles') {
    const { profilesHelp } = await import('./commands/help-profiles.ts');
    io.stdout.write(profilesHelp(columnsOf(io.stdout)));
    return EXIT.agreed;
  }
  if (words.join(' ') === 'help options') {
    const traverse = (await wholeProgram(io)).commands.find((command) => command.name() === 'traverse');
    io.stdout.write(traverse === undefined ? '' : sharedOptionsText(traverse));
    return EXIT.agreed;
  }
  const argv = withoutHabits(words);
  const named = SUBCOMMANDS.filter(({ name }) => argv.includes(name));
  let status: ExitStatus = EXIT.agreed;
  const program = createProgram(io, await loadedSubcommands(named), (ended) => {
    status = ended;
  });
  if (argv.length === 0) throw usageError('no command given: write svc traverse NAME, or svc help');
  try {
    await program.parseAsync(argv.join(' ') === 'help help' ? ['help'] : argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version were asked for and printed.
    if (error.exitCode !== 0) throw usageError(parserWords(error, argv, SUBCOMMANDS));
  }
  return status;
}

/** `svc NAME` is `svc traverse NAME`, and what looks a name up takes the options of dig. */
function withoutHabits(words: readonly string[]): readonly string[] {
  const [first = '', second = ''] = words;
  const isTypeFirst = parseType(first) !== undefined && second.includes('.');
  const isName = first.includes('.') || first.startsWith('+') || DIG_FLAGS.has(first);
  const argv = isName || isTypeFirst ? ['traverse', ...words] : words;
  return TAKE_DIG_OPTIONS.has(argv[0] ?? '') ? withoutDigOptions(argv) : argv;
}

/** Options with which a command line of dig begins. */
const DIG_FLAGS: ReadonlySet<string> = new Set(['-x', '-t', '-p', '-4', '-6']);

const TAKE_DIG_OPTIONS: ReadonlySet<string> = new Set(['traverse', 'servers', 'watch', 'wait', 'when']);

/** The hidden subcommand that the scripts of `svc completion` call. */
const COMPLETE = '__complete';

/**
 * A fresh program. Subcommands that `loaded` does not hold are there by name only, which is enough to
 * list them. Its parsing throws commander's `CommanderError` instead of exiting.
 */
export function createProgram(
  io: Io,
  loaded: ReadonlyMap<string, Configure>,
  exit: (status: ExitStatus) => void,
): Command {
  const around = { io, exit };
  const program = new Command('svc')
    .description(
      'Follow every DNS delegation path to a name and report where each ends, with exact probabilities.',
    )
    .version(VERSION, '--version', 'print the version (also: svc version, svc -v)')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command, of options, or of profiles')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // Errors are printed by whoever catches them.
      writeErr: () => {},
      getOutHelpWidth: () => columnsOf(io.stdout),
      getOutHasColors: () => false,
    })
    .configureHelp(HELP_FORMAT);
  for (const { name, summary, group } of SUBCOMMANDS) {
    const command = program.command(name).summary(summary).description(summary).helpGroup(group);
    loaded.get(name)?.(command, around);
  }
  addHelpSections(program, {
    examples: SUBCOMMANDS.flatMap(({ example }) => (example === undefined ? [] : [example])),
  });
  return program;
}

/** A program with every subcommand loaded, for what describes it. */
export async function wholeProgram(io: Io): Promise<Command> {
  return createProgram(io, await loadedSubcommands(SUBCOMMANDS), () => {});
}

/** Loads subcommands, by name. */
export async function loadedSubcommands(
  subcommands: readonly Subcommand[],
): Promise<ReadonlyMap<string, Configure>> {
  return new Map(await Promise.all(subcommands.map(async ({ name, load }) => [name, await load()] as const)));
}

/** A subcommand as the program knows it before it is loaded. */
interface Subcommand {
  readonly name: string;
  /** One line for `svc help`. */
  readonly summary: string;
  /** The heading in `svc help`. */
  readonly group: 'Look:' | 'Change:' | 'Serve:' | 'More:';
  readonly example?: string;
  readonly load: () => Promise<Configure>;
}

/**
 * Every subcommand; each is loaded only when it is named. To add one, write a file that exports a
 * `Configure` and add a row here:
 *
 * ```ts
 * // src/cli/commands/serve.ts
 * export const configureServe: Configure = (command, { io, exit }) => {
 *   command.option('--region <name>', 'the region to report').action(async (flags: Flags) => {
 *     exit(await serve(flags, io));
 *   });
 * };
 * ```
 */
export const SUBCOMMANDS: readonly Subcommand[] = [
  {
    name: 'traverse',
    summary: 'follow every path from the root to NAME and report where each ends',
    group: 'Look:',
    example: 'svc traverse www.mixed.example --demo',
    load: async () => (await import('./commands/traverse.ts')).configureTraverse,
  },
  {
    name: 'servers',
    summary: 'list the name servers on the way to NAME and their software',
    group: 'Look:',
    example: 'svc servers example.com NS',
    load: async () => (await import('./commands/servers.ts')).configureServers,
  },
  {
    name: 'watch',
    summary: 'show a traversal while it runs, or report changes',
    group: 'Look:',
    example: 'svc watch example.com --every 5m',
    load: async () => (await import('./commands/watch.ts')).configureWatch,
  },
  {
    name: 'plan',
    summary: 'check zones before they are published: compare the plan with today',
    group: 'Change:',
    example: 'svc plan zones/',
    load: async () => (await import('./commands/plan.ts')).configurePlan,
  },
  {
    name: 'when',
    summary: 'tell how long old answers of NAME live after a change',
    group: 'Change:',
    example: 'svc when www.example.com',
    load: async () => (await import('./commands/when.ts')).configureWhen,
  },
  {
    name: 'wait',
    summary: 'wait until users of NAME get only expected answers',
    group: 'Change:',
    example: 'svc wait www.example.com --expect 192.0.2.80',
    load: async () => (await import('./commands/wait.ts')).configureWait,
  },
  {
    name: 'diff',
    summary: 'compare two saved results, or one with now',
    group: 'Change:',
    example: 'svc diff yesterday.json',
    load: async () => (await import('./commands/diff.ts')).configureDiff,
  },
  {
    name: 'serve',
    summary: 'offer traversals over HTTP',
    group: 'Serve:',
    example: 'svc serve --demo',
    load: async () => (await import('./commands/serve.ts')).configureServe,
  },
  {
    name: 'deploy',
    summary: 'print a file that puts svc serve into production',
    group: 'Serve:',
    example: 'svc deploy compose > compose.yaml',
    load: async () => (await import('./commands/deploy.ts')).configureDeploy,
  },
  {
    name: 'completion',
    summary: 'print a script that lets a shell complete svc',
    group: 'More:',
    load: async () => (await import('./commands/completion.ts')).configureCompletion,
  },
];
