/** The longest quotation of a server, in characters. */
const LONGEST = 255;

/**
 * The text of character-strings in presentation format (RFC 1035 5.1), joined and without quotes:
 * printable ASCII of at most 255 characters, in which other octets and backslashes stay escaped.
 */
export function plainText(presentation: string): string {
  let text = '';
  let place: 'between' | 'within' = 'between';
  for (const [token] of presentation.matchAll(/\\\d{3}|\\.|[^\\]/gs)) {
    if (token === '"') {
      place = place === 'between' ? 'within' : 'between';
    } else if (place === 'within') {
      const plain = token === '\\"' ? '"' : token;
      if (text.length + plain.length > LONGEST) return text;
      text += plain;
    }
  }
  return text;
}
