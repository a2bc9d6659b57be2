import { parseAddress } from '../wire/address.ts';
import { asciiName } from '../wire/ascii-name.ts';
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
  if (text.includes('://') && URL.canParse(text)) {
    throw usageError(`${text} is a URL: write its host name, ${new URL(text).hostname}`);
  }
  try {
    return parseName(asciiName(text));
  } catch (error) {
    if (error instanceof NameError) throw usageError(`"${text}" is not a domain name: ${error.message}`);
    throw error;
  }
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
