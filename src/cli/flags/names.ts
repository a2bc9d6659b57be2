/* Reads the names, types and resolvers on the command line. */

import { LIMITS } from '../../base/limits.ts';
import { parseAddress } from '../../dns/address.ts';
import { parseType, typeCode, USUAL_TYPES } from '../../dns/codes.ts';
import { asciiName } from '../../dns/idn.ts';
import type { Question } from '../../dns/message.ts';
import { mistakenName, mistakeWords } from '../../dns/mistaken-name.ts';
import { type Name, NameError, parseName, reverseName } from '../../dns/name.ts';
import { isJobId } from '../../document/api/jobs.ts';
import { shortened } from '../../document/words/shortened.ts';
import { usageError } from '../process/errors.ts';

/** The question of NAME and TYPE as people write them. Throws a `CommandError` that says what to write instead. */
export function readQuestion(name: string, type = 'A'): Question {
  return { name: readName(name), type: readType(type) };
}

/** The question for the name behind an address: its PTR records. */
export function readReverse(text: string): Question {
  const address = parseAddress(text);
  if (address === undefined) throw usageError(`-x ${quoted(text)}: must be an IPv4 or IPv6 address`);
  return { name: reverseName(address), type: 'PTR' };
}

/** A domain name as people write it. Throws a `CommandError` that says what to write instead. */
export function readName(text: string): Name {
  const mistake = mistakeIn(text);
  if (mistake !== undefined) throw usageError(`${quoted(text)} ${mistake}`);
  try {
    return parseName(asciiName(text));
  } catch (error) {
    if (error instanceof NameError)
      throw usageError(`${quoted(text)} is not a domain name: ${error.message}`);
    throw error;
  }
}

/** What somebody wrote in place of a name, and what to write instead. */
function mistakeIn(text: string): string | undefined {
  if (isJobId(text))
    return 'is the identifier of a job: svc watch and svc servers take one, with --server URL';
  const mistaken = mistakenName(text);
  return mistaken && mistakeWords(mistaken, (address) => `write -x ${address}`);
}

function readType(text: string): string {
  const type = parseType(text);
  if (type !== undefined) return type;
  if (typeCode(text.toUpperCase()))
    throw usageError(`${text.toUpperCase()} cannot be looked up: choose a type such as A, SOA or ANY`);
  const meant = USUAL_TYPES.find((usual) => isNear(text.toUpperCase(), usual));
  const instead = meant === undefined ? 'write A, AAAA, MX, ... or TYPE65280' : `did you mean ${meant}?`;
  throw usageError(`${quoted(text)} is not a record type: ${instead}`);
}

/** Whether one letter more, less or other, or two in another order, make one text of the other. */
function isNear(a: string, b: string): boolean {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const [restA, restB] = [a.slice(same), b.slice(same)];
  const isSwapped = `${restA[1]}${restA[0]}` === restB.slice(0, 2) && restA.slice(2) === restB.slice(2);
  return (
    isSwapped ||
    restA.slice(1) === restB.slice(1) ||
    (a.length + b.length > 3 && (restA.slice(1) === restB || restA === restB.slice(1)))
  );
}

/** No name as people write it is longer. */
const LONGEST = 255;

/** What somebody wrote, for a message about it. */
export function quoted(text: string): string {
  const whole = `"${text}"`;
  return text.length > LONGEST ? shortened(whole, 'terse') : whole;
}

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
  return address === undefined ? { name: readResolverName(where, word), port } : { address, port };
}

function readPort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= LIMITS.port.least && port <= LIMITS.port.most ? port : undefined;
}

function readResolverName(text: string, word: string): Name {
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
