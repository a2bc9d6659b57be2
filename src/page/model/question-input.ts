import { parseType } from '../../dns/codes.ts';
import { unicodeName } from '../../dns/idn.ts';
import { mistakenName } from '../../dns/mistaken-name.ts';
import { type Name, reverseName, withoutFinalDot } from '../../dns/name.ts';
import { requestedName } from '../../document/api/request.ts';
import { plain } from '../../document/words/names.ts';
import { printable } from '../../document/words/shortened.ts';

/** Reads a name and a type as people write them: also an address, whose reverse name is meant, or a URL. */
export function readWritten(written: { readonly name: string; readonly type: string }): ReadQuestion {
  const text = written.name.trim();
  if (text === '') return { kind: 'wrong', field: 'name', why: 'Type a name.' };
  const type = parseType(written.type.trim() || 'A');
  if (type === undefined) return WRONG_TYPE;
  const mistaken = mistakenName(text);
  switch (mistaken?.kind) {
    case undefined:
      return named(text, type, hintForName(text));
    case 'address':
      return reverseOf(mistaken.address, 'An address: its');
    case 'prefix':
      return reverseOf(mistaken.address, 'A prefix: of its address the');
    case 'url':
    case 'port':
      return named(mistaken.host, type, (shown) => `Its host name ${shown} is looked up.`);
    case 'e-mail':
      return named(
        mistaken.host,
        type,
        (shown) => `Its domain ${shown} is looked up; MX is the type for mail servers.`,
      );
    case 'nothing':
      return { kind: 'wrong', field: 'name', why: `This ${mistaken.why}.` };
  }
}

/** The question that the form's texts stand for, or which text is wrong, and why. */
export type ReadQuestion =
  | {
      readonly kind: 'question';
      readonly name: Name;
      readonly type: string;
      /** How the text was understood, if that is not obvious. */
      readonly hint: string | undefined;
    }
  | { readonly kind: 'wrong'; readonly field: 'name' | 'type'; readonly why: string };

const WRONG_TYPE: ReadQuestion = {
  kind: 'wrong',
  field: 'type',
  why: 'This is no type that can be looked up. Types are A, AAAA, MX, TYPE65280 and so on.',
};

function reverseOf(address: string, what: string): ReadQuestion {
  const name = reverseName(address);
  const hint = `${what} reverse name ${plain(name)} is looked up, for PTR.`;
  return { kind: 'question', name, type: 'PTR', hint };
}

/** Makes the hint for a name; `shown` is the name as ASCII and Unicode. */
type Hint = (shown: string, name: Name) => string | undefined;

function named(host: string, type: string, hint: Hint): ReadQuestion {
  try {
    const name = requestedName(host);
    return { kind: 'question', name, type, hint: hint(bothWays(name), name) };
  } catch (error) {
    if (error instanceof Error) return { kind: 'wrong', field: 'name', why: `This ${error.message}.` };
    throw error;
  }
}

function hintForName(text: string): Hint {
  return (shown, name) =>
    /^\p{ASCII}*$/u.test(text) && unicodeName(name) === undefined ? undefined : `Asked for as ${shown}.`;
}

/** A name as it is asked for, and as its readers write it if that is something else. */
function bothWays(name: Name): string {
  const unicode = unicodeName(name);
  return unicode === undefined ? plain(name) : `${plain(name)} (${printable(withoutFinalDot(unicode))})`;
}
