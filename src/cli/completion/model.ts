import type { Argument, Command, Option } from 'commander';
import { USUAL_TYPES } from '../../wire/usual-types.ts';

/** What a shell can offer. */
export interface Completions {
  readonly options: readonly CompletedOption[];
  readonly commands: readonly CompletedCommand[];
}

/** A subcommand, its options, and the words that it takes, in order. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly places: readonly Place[];
}

/** An option as it is spelled, short before long, and what follows it. */
export interface CompletedOption {
  readonly spellings: readonly string[];
  readonly summary: string;
  readonly value: Value;
}

/** What may be written in a place: one of some words, the name of a file, or what only the user knows. */
export type Value =
  | { readonly kind: 'none' | 'file' | 'any' }
  | { readonly kind: 'words'; readonly words: readonly string[] };

/** A word that is not an option. The demo's names are offered only after --demo. */
export interface Place {
  readonly name: string;
  readonly value: Value;
  readonly demo: readonly string[];
}

/** Everything that the program takes. `demo`: the names that the demo has to show. */
export function completionsOf(program: Command, demo: readonly string[]): Completions {
  const commands = program.commands.map((command) => ({
    name: command.name(),
    summary: command.summary(),
    options: optionsOf(command),
    places: command.registeredArguments.map((argument) => placeOf(argument, demo)),
  }));
  const words = commands.map(({ name }) => name);
  const topic: Place = { name: 'command', value: { kind: 'words', words }, demo: [] };
  const help = { name: 'help', summary: 'print the help of a command', options: [], places: [topic] };
  return { options: optionsOf(program), commands: [...commands, help] };
}

function optionsOf(command: Command): readonly CompletedOption[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({
      spellings: [option.short, option.long].filter((spelling) => typeof spelling === 'string'),
      summary: option.description,
      value: valueOfOption(option),
    }));
}

function valueOfOption({ flags, argChoices, required, optional }: Option): Value {
  if (argChoices !== undefined) return { kind: 'words', words: argChoices };
  if (!required && !optional) return { kind: 'none' };
  const [, value = ''] = /<([^<>]+)>$/.exec(flags) ?? [];
  return FILE_VALUES.includes(value) ? { kind: 'file' } : valueNamed(value);
}

/** The values of options that name files. */
const FILE_VALUES: readonly string[] = ['file', 'folder'];

function placeOf(argument: Argument, demo: readonly string[]): Place {
  const name = argument.name();
  return { name, value: valueOfPlace(name, argument.argChoices), demo: name === 'name' ? demo : [] };
}

/** The arguments that name files. */
const FILES: readonly string[] = ['old', 'new'];

function valueOfPlace(name: string, choices: readonly string[] | undefined): Value {
  if (choices !== undefined) return { kind: 'words', words: choices };
  if (FILES.includes(name)) return { kind: 'file' };
  return valueNamed(name);
}

/** What is written for a word of that name, be it an argument or the value of an option. */
function valueNamed(name: string): Value {
  return name === 'type' ? { kind: 'words', words: USUAL_TYPES } : { kind: 'any' };
}
