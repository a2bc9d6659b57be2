import { shortened } from '../../reading/words/shortened.ts';
import { parseAddress } from '../../wire/address.ts';
import { asciiName } from '../../wire/ascii-name.ts';
import { type Name, NameError, parseName, reverseName } from '../../wire/name.ts';
import type { Question } from '../../wire/question.ts';
import { parseType, typeCode } from '../../wire/type.ts';
import { usageError } from '../process/exit-status.ts';

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
  const [, host] = /^([^:\\]+):\d{1,5}$/.exec(text) ?? [];
  if (host !== undefined) throw usageError(`${text} has a port: write the host name, ${host}`);
  try {
    return parseName(asciiName(text));
  } catch (error) {
    if (error instanceof NameError)
      throw usageError(`${quoted(text)} is not a domain name: ${error.message}`);
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
  throw usageError(`${quoted(text)} is not a record type: ${hint}`);
}

/** No name as people write it is longer. */
const LONGEST = 255;

/** What somebody wrote, for a message about it. */
export function quoted(text: string): string {
  const whole = `"${text}"`;
  return text.length > LONGEST ? shortened(whole, 'terse') : whole;
}
