import { domainToASCII } from 'node:url';
import { parseAddress } from '../wire/address.ts';
import { type Name, NameError, parseName, reverseName } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';
import { parseType, typeCode } from '../wire/type.ts';
import { usageError } from './exit-status.ts';

/** The question of NAME and TYPE as people write them. Throws a `CommandError` that says what to write instead. */
export function readQuestion(name: string, type = 'A'): Question {
  return { name: readName(name), type: readType(type) };
}

/** The question for the name that an address's PTR record has. */
export function readReverse(text: string): Question {
  const address = parseAddress(text);
  if (address === undefined) throw usageError(`-x ${text}: must be an IPv4 or IPv6 address`);
  return { name: reverseName(address), type: 'PTR' };
}

function readName(text: string): Name {
  if (parseAddress(text) !== undefined) {
    throw usageError(`${text} is an address: for the name behind it write -x ${text}`);
  }
  const host = /^[a-z]+:\/\/([^/:]+)/i.exec(text)?.[1];
  if (host !== undefined) throw usageError(`${text} is a URL: write its host name, ${host}`);
  try {
    return parseName(asciiName(text));
  } catch (error) {
    if (error instanceof NameError) throw usageError(`"${text}" is not a domain name: ${error.message}`);
    throw error;
  }
}

/** Labels, each with its escapes, and the dots between them (RFC 3490 3.1 knows four). */
const PARTS = /(?:\\.|[^\\.\u3002\uff0e\uff61])+|[.\u3002\uff0e\uff61]/gsu;

/** The name with its internationalised labels in their ASCII form; all others stay as they are. */
function asciiName(text: string): string {
  if (isAscii(text)) return text;
  return text.replace(PARTS, (part) => {
    if (isAscii(part)) return part;
    if (part.length === 1 && '\u3002\uff0e\uff61'.includes(part)) return '.';
    // With a label behind it, so that full-width digits are not taken for an IPv4 address.
    return domainToASCII(`${part}.invalid`).replace(/\.invalid$/, '') || part;
  });
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

function readType(text: string): string {
  const type = parseType(text);
  if (type !== undefined) return type;
  if (typeCode(text.toUpperCase())) {
    throw usageError(`${text.toUpperCase()} is no type of data: ask for one such as A, SOA or ANY`);
  }
  const hint = text.includes('.') ? 'NAME comes first, then TYPE' : 'write A, AAAA, MX, ... or TYPE65280';
  throw usageError(`"${text}" is not a record type: ${hint}`);
}
