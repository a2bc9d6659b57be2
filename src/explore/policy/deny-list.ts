import { asciiName } from '../../wire/ascii-name.ts';
import { NameError } from '../../wire/label.ts';
import { type Name, parseName, ROOT } from '../../wire/name.ts';
import { parsePrefix, prefixOf } from '../../wire/prefix.ts';
import type { DenyList } from './policy.ts';

/** What is wrong with a deny list, in one line. */
export class DenyListError extends Error {
  override readonly name = 'DenyListError';
}

/**
 * Reads a deny list: one prefix (an address is one) or one name per line, comments after `#`. Throws a
 * `DenyListError` that names the line.
 */
export function parseDenyList(text: string): DenyList {
  const prefixes: string[] = [];
  const names: Name[] = [];
  text.split(/\r?\n/).forEach((line, index) => {
    const entry = line.replace(/#.*/, '').trim();
    if (entry === '') return;
    const prefix = prefixIn(entry);
    if (prefix === undefined) names.push(nameIn(entry, index + 1));
    else prefixes.push(prefix);
  });
  return { prefixes, names };
}

function prefixIn(entry: string): string | undefined {
  const prefix = parsePrefix(entry);
  const [address = ''] = entry.split('/');
  return prefix === undefined ? undefined : prefixOf(address, prefix.bits);
}

function nameIn(entry: string, line: number): Name {
  try {
    const name = MEANT_AS_PREFIX.test(entry) ? ROOT : parseName(asciiName(entry));
    if (name !== ROOT) return name;
  } catch (error) {
    if (!(error instanceof NameError)) throw error;
  }
  throw new DenyListError(`line ${line}: ${entry} is neither a prefix, such as 192.0.2.0/24, nor a name`);
}

const MEANT_AS_PREFIX = /[\s/:]|^[\d.]+$/;
