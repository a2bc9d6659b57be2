import { shortening } from '../reading/words/shortened.ts';
import { turned } from '../shape/shape.ts';
import { TEXT } from '../shape/values.ts';

/** The longest text of a server that is shown to people, in characters. */
const LONGEST = 200;

/** A text of a server, cut to a length that fits into a message. */
export function brief(text: string): string {
  return shortening([text], LONGEST)(text);
}

/** Any text, read as what fits into a message. */
export const BRIEF = turned(TEXT, brief);
