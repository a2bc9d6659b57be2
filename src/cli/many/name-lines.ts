import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { onAbort } from '../../abort.ts';
import { parseAddress } from '../../wire/address.ts';
import type { Question } from '../../wire/question.ts';
import { quoted, readQuestion, readReverse } from '../flags/question.ts';
import { CommandError } from '../process/command-error.ts';

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

/** The lines that are neither blank nor comments, as they come, until the stream ends or the signal is aborted. */
export async function* nameLines(input: Readable, signal: AbortSignal): AsyncGenerator<NameLine, void> {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const forget = onAbort(signal, () => lines.close());
  let number = 0;
  try {
    for await (const text of lines) {
      if (signal.aborted) return;
      number += 1;
      const line = readLine(number === 1 ? text.replace(/^\ufeff/, '') : text, number);
      if (line !== undefined) yield line;
    }
  } finally {
    forget();
    lines.close();
  }
}
