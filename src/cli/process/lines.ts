import { bufferOf, type OctetSource } from '../../octets.ts';

/** A line of a text, without its line end. */
type TextLine =
  /** A torn line is the last and has no line end. */
  | { readonly kind: 'whole' | 'torn'; readonly octets: Buffer }
  /** Longer than was allowed. Nothing after it is read. */
  | { readonly kind: 'too-long' };

/** The lines of a text, however long it is. A line of more than `most` octets is the last. */
export async function* linesOf(source: OctetSource, most: number): AsyncGenerator<TextLine, void> {
  let rest: Buffer[] = [];
  let held = 0;
  for await (const piece of source) {
    const chunk = bufferOf(piece);
    let from = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
      if (held + end - from > most) break;
      yield { kind: 'whole', octets: Buffer.concat([...rest, chunk.subarray(from, end)]) };
      [rest, held, from] = [[], 0, end + 1];
    }
    rest.push(chunk.subarray(from));
    held += chunk.length - from;
    if (held > most) {
      yield { kind: 'too-long' };
      return;
    }
  }
  if (held > 0) yield { kind: 'torn', octets: Buffer.concat(rest) };
}

const LF = 0x0a;
