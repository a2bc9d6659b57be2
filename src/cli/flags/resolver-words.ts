import { LIMITS } from '../../limits.ts';
import { parseAddress } from '../../wire/address.ts';
import { asciiName } from '../../wire/ascii-name.ts';
import { NameError } from '../../wire/label.ts';
import { type Name, parseName } from '../../wire/name.ts';
import { usageError } from '../process/command-error.ts';
import { quoted } from './question.ts';

/** A resolver as the command line names it: by its address, or by a name that may have several. */
export type NamedResolver = { readonly port: number } & (
  | { readonly address: string }
  | { readonly name: Name }
);

/** The resolvers that a command line names, beside its options. */
export interface ResolverFlags {
  readonly resolvers?: readonly NamedResolver[];
}

/** Whether a word of a command line names a resolver, as dig's users write it. */
export function isResolverWord(word: string): boolean {
  return word.startsWith('@');
}

/** The resolver of "@ADDRESS[#PORT]" or "@NAME[#PORT]". Throws a `CommandError` for what is neither. */
export function readResolver(word: string): NamedResolver {
  const [where = '', portText, ...more] = word.slice(1).split('#');
  const port = portText === undefined ? LIMITS.port.default : readPort(portText);
  const address = parseAddress(where);
  if (port === undefined || more.length > 0)
    throw usageError(`${quoted(word)}: after # stands the port of the resolver, 1 to 65535`);
  return address === undefined ? { name: readName(where, word), port } : { address, port };
}

function readPort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= LIMITS.port.least && port <= LIMITS.port.most ? port : undefined;
}

function readName(text: string, word: string): Name {
  if (text === '') throw usageError('"@": write the address or name of the resolver after it, @192.0.2.53');
  if (/[:[\]%/]/.test(text))
    throw usageError(`${quoted(word)}: write @ADDRESS, @ADDRESS#PORT or @NAME, as in @192.0.2.53#53`);
  try {
    return parseName(asciiName(text));
  } catch (error) {
    if (error instanceof NameError)
      throw usageError(`${quoted(word)} is not the address or name of a resolver: ${error.message}`);
    throw error;
  }
}
