import { isJobId } from '../../document/api/job-id.ts';
import { shortened } from '../../reading/words/shortened.ts';
import { parseAddress } from '../../wire/address.ts';
import { asciiName } from '../../wire/ascii-name.ts';
import { NameError } from '../../wire/label.ts';
import { mistakenName, mistakeWords } from '../../wire/mistaken-name.ts';
import { type Name, parseName, reverseName } from '../../wire/name.ts';
import type { Question } from '../../wire/question.ts';
import { parseType, typeCode } from '../../wire/type.ts';
import { usageError } from '../process/command-error.ts';

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
  throw usageError(`${quoted(text)} is not a record type: write A, AAAA, MX, ... or TYPE65280`);
}

/** No name as people write it is longer. */
const LONGEST = 255;

/** What somebody wrote, for a message about it. */
export function quoted(text: string): string {
  const whole = `"${text}"`;
  return text.length > LONGEST ? shortened(whole, 'terse') : whole;
}
