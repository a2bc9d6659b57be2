/** Characters that JSON allows in strings as they are, and that a terminal may act on. */
const UNPRINTABLE = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A value as JSON for people to read, safe to print, with a final line end. */
export function prettyJson(value: unknown): string {
  return `${safe(JSON.stringify(value, undefined, 2))}\n`;
}

/** A value as one line of JSON. */
export function jsonLine(value: unknown): string {
  return `${safe(JSON.stringify(value))}\n`;
}

function safe(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
