import { MOST_OCTETS, type OctetSource, octetsText } from '../../octets.ts';
import { parseAddress } from '../../wire/address.ts';
import type { Question } from '../../wire/question.ts';
import { quoted, readQuestion, readReverse } from '../flags/question.ts';
import { CommandError, notDone } from '../process/command-error.ts';
import { linesOf } from '../process/lines.ts';

/** A line that is neither blank nor a comment. Lines count from 1. */
export type NameLine =
  | { readonly kind: 'name'; readonly line: number; readonly question: Question }
  | { readonly kind: 'bad'; readonly line: number; readonly why: string };

/**
 * Reads a line: a name and perhaps a type, or an address for the name behind it. Comments begin with "#"
 * or ";". Undefined for a line that holds nothing else.
 */
export function readLine(text: string, line: number): NameLine | undefined {
  const [name, type, ...more] = text
    .replace(/(^|\s)[#;].*/, '')
    .trim()
    .split(/\s+/);
  if (name === undefined || name === '') return undefined;
  if (more.length > 0)
    return { kind: 'bad', line, why: `${quoted(text.trim())} is more than a name and a type` };
  try {
    const isAddress = type === undefined && parseAddress(name) !== undefined;
    return { kind: 'name', line, question: isAddress ? readReverse(name) : readQuestion(name, type) };
  } catch (error) {
    if (error instanceof CommandError) return { kind: 'bad', line, why: error.message };
    throw error;
  }
}

/**
 * The lines of a text that are neither blank nor comments, as they come. Throws a `CommandError` for a
 * line so long that this is no text; `name` is what the text is called there.
 */
export async function* nameLines(source: OctetSource, name: string): AsyncGenerator<NameLine, void> {
  let number = 0;
  for await (const line of linesOf(source, MOST_OCTETS.nameLine)) {
    number += 1;
    if (line.kind === 'too-long') throw tooLong(name, number);
    const text = line.octets.toString('utf8');
    const read = readLine(number === 1 ? text.replace(/^\ufeff/, '') : text, number);
    if (read !== undefined) yield read;
  }
}

function tooLong(name: string, line: number): CommandError {
  const most = octetsText(MOST_OCTETS.nameLine);
  return notDone(`${name} line ${line} is longer than ${most}: is it the right file?`);
}
