/* The options `--expect`, `--ignore` and `--config`. */

import { type Command, Option } from 'commander';
import type { OptionFlag, OptionName } from '../../document/options.ts';
import { canMatch, isBrokenPrefix, matchableItems } from '../../evaluate/expected.ts';
import { isCode } from '../../findings/catalogue.ts';
import { usageError } from '../process/errors.ts';
import { NamedOption } from './limit-option.ts';
import { quoted } from './names.ts';

/** An option that can be given several times, for its items. Throws a `CommandError` for an item that is none. */
export function itemsOption(name: OptionName, flag: Extract<OptionFlag, { readonly kind: 'items' }>): Option {
  const read = name === 'ignore' ? codesIn : itemIn;
  return new NamedOption(`${flag.spelling} <${flag.value}>`, flag.help, name).argParser(
    (text: string, before: readonly string[] = []) => [...before, ...read(text)],
  );
}

/** An option with some of a few names, or a word for all or none of them. Throws a `CommandError` for a name that it does not have. */
export function namesOption(name: OptionName, flag: Extract<OptionFlag, { readonly kind: 'names' }>): Option {
  return new NamedOption(`${flag.spelling} <name,...|${flag.every}>`, flag.help, name).argParser(
    (text: string) => {
      const words = text.split(',').map((word) => word.trim().toLowerCase());
      if (words.join() === flag.every) return flag.every === 'all' ? flag.names : [];
      const stranger = words.find((word) => !flag.names.includes(word));
      if (stranger !== undefined)
        throw usageError(
          `${flag.spelling} ${quoted(text)}: write some of ${flag.names.join(', ')} (between commas), or ${flag.every}`,
        );
      return flag.names.filter((one) => words.includes(one));
    },
  );
}

function itemIn(text: string): readonly string[] {
  if (text.replace(/^\+/, '') === '')
    throw usageError('--expect "": write an address, a prefix, a name, record data, nxdomain or nodata');
  if (isBrokenPrefix(text)) throw usageError(`--expect ${quoted(text)}: is no prefix, such as 192.0.2.0/24`);
  return [text];
}

/** Throws a `CommandError` for an item that no answer of the type can match. */
export function checkItems(items: readonly string[], type: string): void {
  const stranger = items.find((item) => !canMatch(item, type));
  if (stranger !== undefined)
    throw usageError(
      `--expect ${quoted(stranger)}: can be no answer of type ${type}: write ${matchableItems(type)}, or another TYPE`,
    );
}

function codesIn(text: string): readonly string[] {
  const codes = text.split(',').map((code) => code.trim().toUpperCase());
  checkCodes(codes);
  return codes;
}

/** Throws a `CommandError` for what is no code of a finding. */
export function checkCodes(codes: readonly string[]): void {
  const stranger = codes.find((code) => !isCode(code));
  if (stranger !== undefined)
    throw usageError(`ignore: ${quoted(stranger)} is not the code of a finding (see man svc-findings)`);
}

/** The option that names the configuration file, as commander gives it. */
export interface ConfigFlags {
  readonly config?: string;
}

/** Adds `--config`. */
export function addConfigFlag(command: Command): void {
  command.addOption(
    new Option(
      '--config <file>',
      'read expected answers and ignored findings from this file; none reads no file (default: ~/.config/svc/config.json)',
    ),
  );
}
