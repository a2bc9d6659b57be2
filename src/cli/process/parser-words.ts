/* What the option parser refuses, in our words: what happened, and what to do. */

import type { CommanderError } from 'commander';

/** One line about a command line that commander refuses. */
export function parserWords(
  { code, message }: Pick<CommanderError, 'code' | 'message'>,
  argv: readonly string[],
  commands: readonly { readonly name: string }[],
): string {
  const named = commands.find(({ name }) => name === argv[0]);
  const command = named === undefined ? 'svc' : `svc ${named.name}`;
  const help = named === undefined ? 'svc help' : `svc help ${named.name}`;
  const [, first = '', second = ''] = /'([^']*)'(?:[^']*'([^']*)')?/.exec(message) ?? [];
  const meant = /Did you mean (?:one of )?([^?]*)\?/.exec(message)?.[1];
  switch (code) {
    case 'commander.unknownOption':
      return GONE_OPTIONS[first] ?? `${command} has no option ${first}: ${instead(meant, help)}`;
    case 'commander.unknownCommand':
      return unknownCommand(first, meant, argv);
    case 'commander.help':
      return unknownCommand(argv.slice(1).join(' '), undefined, []);
    case 'commander.optionMissingArgument':
      return `${bare(first)} needs a value: write ${bare(first)} ${placeholderOf(first)}`;
    case 'commander.missingArgument':
      return `${first.toUpperCase()} is missing: write ${command} ${first.toUpperCase()} (see ${help})`;
    case 'commander.conflictingOption':
      return `${bare(first)} does not go with ${bare(second)}: leave out one of them`;
    case 'commander.excessArguments':
      return `too many words after ${command}: ${help} shows those that it takes`;
    case 'commander.invalidArgument':
      return choiceWords(message);
    default:
      return `${message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')} (see ${help})`;
  }
}

function instead(meant: string | undefined, help: string): string {
  return meant === undefined ? `see ${help}, and svc help options` : `did you mean ${meant}? (see ${help})`;
}

function unknownCommand(word: string, meant: string | undefined, argv: readonly string[]): string {
  const gone = GONE_COMMANDS[word];
  if (gone !== undefined) return gone;
  const name = argv.find((one) => one.includes('.'));
  if (name !== undefined)
    return `svc has no command ${word}: to look a name up, write svc traverse ${name} (see svc help)`;
  return `svc has no command ${word}: ${meant === undefined ? 'see svc help' : `did you mean ${meant}? (see svc help)`}`;
}

/** "option '--format <format>' argument 'x' is invalid. Allowed choices are a, b." */
function choiceWords(message: string): string {
  const [, flags, given] = /option '([^']*)' argument '([^']*)'/.exec(message) ?? [];
  const [, value, argument = ''] = /value '([^']*)' is invalid for argument '([^']*)'/.exec(message) ?? [];
  const choices = /choices are (.*)\.$/s.exec(message)?.[1] ?? '';
  const what = flags === undefined ? `${argument.toUpperCase()} ${value}` : `${bare(flags)} ${given}`;
  return `${what}: must be one of ${choices}`;
}

/** "--save" of "--save <file>", "--file" of "-f, --file <file>". */
function bare(flags: string): string {
  return /--[^ ,]+/.exec(flags)?.[0] ?? flags.split(/[ ,]/)[0] ?? flags;
}

function placeholderOf(flags: string): string {
  return (/<([^>]*)>/.exec(flags)?.[1] ?? 'value').toUpperCase();
}

/** Options of earlier versions, and what replaces each. */
const GONE_OPTIONS: Readonly<Record<string, string>> = {
  '--warm':
    "--warm is gone: the zones' own NS records are among the views that are made unless --views leaves out warm",
  '--no-warm': '--no-warm is gone: write --views with the views to make, such as --views resolver,validating',
  '--dnssec': '--dnssec is gone: replies are validated unless --views leaves out validating',
  '--no-dnssec': '--no-dnssec is gone: write --views with the views to make, such as --views resolver,warm',
  '--no-check': '--no-check is gone: the audit is made only with --check, so leave it out',
  '--no-quick': '--no-quick is gone: write --views all',
  '--one': '--one is gone: svc traverse NAME prints all paths, and --format json --full each exchange',
  '--seed': '--seed is gone with --one: leave it out',
  '--pretty': '--pretty is gone: JSON is indented on a terminal, and elsewhere by jq .',
  '--brief':
    '--brief is gone: lines of JSON have no outcomes, steps and exchanges unless --full asks for them',
  '--share-referrals': '--share-referrals is gone: write --share',
};

const GONE_COMMANDS: Readonly<Record<string, string>> = {
  config:
    'svc config is gone: every command that reads the file tells what is wrong with it, and svc-config(5) describes it',
};
