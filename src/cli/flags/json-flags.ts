import { type Command, Option } from 'commander';
import type { JsonForm } from '../../shape/json-pieces.ts';
import { LINE_JSON, PRETTY_JSON } from '../../shape/safe-json.ts';
import { usageError } from '../process/command-error.ts';
import type { OutputStream } from '../process/io.ts';

/** The command line's option that says how JSON looks, as commander gives it. */
export interface PrettyFlag {
  readonly pretty?: true;
}

interface JsonFlags extends PrettyFlag {
  readonly format: string;
  readonly json?: true;
  readonly save?: string;
  readonly file?: string;
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

/** Adds `--pretty`, for a command that writes a document of JSON. */
export function addPrettyFlag(command: Command): void {
  command
    .option('--pretty', 'indent JSON (default: only on a terminal; else it is one line)')
    .hook('preAction', () => {
      const { pretty, format, save, file }: JsonFlags = command.opts();
      if (!pretty || save !== undefined) return;
      if (file !== undefined) throw usageError('--pretty is for one name: -f FILE prints lines of JSON');
      if (format !== 'json') throw usageError(`--pretty goes with json, not with ${format}`);
    });
}

/** How a document of JSON is written to a stream: for people where they read it, or where that is asked for. */
export function printedJson(flags: PrettyFlag, { isTTY }: OutputStream): JsonForm {
  return isTTY === true ? PRETTY_JSON : savedJson(flags);
}

/** How a document of JSON is written to a file. */
export function savedJson({ pretty }: PrettyFlag): JsonForm {
  return pretty ? PRETTY_JSON : LINE_JSON;
}
