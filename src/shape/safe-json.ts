import type { JsonForm } from './json-pieces.ts';

/** Characters that JSON allows in strings as they are, and that a terminal may act on. */
const UNPRINTABLE = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON for people to read, safe to print, with a final line end. */
export const PRETTY_JSON: JsonForm = { indent: 2, escape: safe, end: '\n' };

/** JSON on one line, safe to print. */
export const LINE_JSON: JsonForm = { indent: 0, escape: safe, end: '\n' };

/** A value as JSON, for values that are not large. */
export function jsonText(value: unknown, form: JsonForm): string {
  return `${form.escape(JSON.stringify(value, undefined, form.indent))}${form.end}`;
}

/** A value as one line of JSON. */
export function jsonLine(value: unknown): string {
  return jsonText(value, LINE_JSON);
}

function safe(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
