import { printable } from '../../reading/words/printable.ts';
import { readWritten } from '../form/read-written.ts';

/** The texts for an address at which there is nothing. */
interface Nowhere {
  readonly why: string;
  readonly advice: string;
  /** The name that was perhaps to be looked up; empty if there is none in the address. */
  readonly name: string;
}

/** Says what is wrong with the path of an address that is none of the page, and what to do. */
export function nowhere(path: string): Nowhere {
  const shown = printable(decoded(path));
  if (/^\/t(?:\/|$)/.test(path)) return { ...nowhereTraversal(shown), name: '' };
  const why = `This service has nothing at ${shown}.`;
  if (/^\/api(?:\/|$)/.test(path))
    return { why, advice: 'What programs can ask for is listed below.', name: '' };
  const name = nameIn(path);
  return { why, advice: name === '' ? 'Start with a name.' : `To look up ${name}, press Traverse.`, name };
}

function nowhereTraversal(shown: string): Pick<Nowhere, 'why' | 'advice'> {
  const id = shown.replace(/^\/t\/?/, '');
  const advice =
    'Perhaps the link was cut off: ask whoever sent it for all of it, which ends like /t/0f8fad5b-d9cb-469f-a165-70867728950e. Or ask anew.';
  if (id === '') return { why: 'This link does not say which traversal it is to.', advice };
  return { why: `${id} is not the identifier of a traversal.`, advice };
}

/** Some write the name into the address. */
function nameIn(path: string): string {
  const text = decoded(path.slice(1));
  const isName = text.includes('.') && readWritten({ name: text, type: 'A' }).kind === 'question';
  return isName ? printable(text) : '';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
