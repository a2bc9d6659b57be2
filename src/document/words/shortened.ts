/* Shortens and wraps texts for people, and escapes control characters. */

import { grouped } from './lists.ts';
import { thousands } from './quantities.ts';

/** A text by itself, cut and marked as cut unless full detail is wanted. */
export function shortened(text: string, detail: Detail): string {
  return detail === 'full' ? text : shortening([text])(text);
}

/** How much is shown. */
export type Detail = 'terse' | 'full';

/** Shortens a text that is too long. */
export type Shorten = (text: string) => string;

/** Longer texts are cut. */
const LONGEST = 56;

/** The share of these characters that the beginning gets: where it is shown alone, and where more follows. */
const ALONE = 4 / 7;
const BEFORE_MORE = 2 / 7;

/**
 * Shortens texts that people compare: where two of them begin alike, each shows the part that differs.
 * The mark of a cut stands outside the quotes of a character string, which are closed.
 */
export function shortening(texts: Iterable<string>, longest = LONGEST): Shorten {
  const all = [...new Set(texts)].map(unitsOf);
  const cuts = all.map((units) => ({ text: units.join(''), short: cut(units, all, longest) }));
  // Texts that would look the same when cut are left whole.
  const apart = grouped(cuts, ({ short }) => short).filter(({ length }) => length === 1);
  const whole = cuts.map(({ text }) => [text, text] as const);
  const known = new Map([...whole, ...apart.map(([{ text, short }]) => [text, short] as const)]);
  return (text) => known.get(text) ?? cut(unitsOf(text), all, longest);
}

/** Parts that must not be cut in two: escapes of the presentation format (RFC 1035 5.1), and characters. */
type Units = readonly string[];

function unitsOf(text: string): Units {
  return text.match(/\\\d{3}|\\.|./gsu) ?? [];
}

function cut(units: Units, all: readonly Units[], longest: number): string {
  const length = units.join('').length;
  if (length <= longest) return units.join('');
  const total = `… (${thousands(length)} characters)`;
  const alike = Math.max(0, ...all.filter((other) => other !== units).map((other) => shared(units, other)));
  const alone = Math.round(longest * ALONE);
  if (alike < alone || alike >= units.length) return `${piece(units, 0, alone)}${total}`;
  const before = Math.round(longest * BEFORE_MORE);
  const from = wordStart(units, alike, before);
  const to = Math.min(units.length, from + longest - before);
  return `${piece(units, 0, before)}… ${piece(units, from, to)}${to < units.length ? total : ''}`;
}

/** How many units two texts have in common at their beginning. */
function shared(units: Units, other: Units): number {
  const at = units.findIndex((unit, place) => unit !== other[place]);
  return at === -1 ? units.length : at;
}

/** A word that differs no further in than this is shown from its beginning. */
const WORD = 12;

function wordStart(units: Units, at: number, least: number): number {
  const blank = units.lastIndexOf(' ', at - 1);
  return blank >= Math.max(least, at - WORD) ? blank + 1 : at;
}

/** A part of a text. Quotes that were cut off are put back, to show what belongs to the data. */
function piece(units: Units, from: number, to: number): string {
  const isQuoted = (at: number) => units.slice(0, at).filter((unit) => unit === '"').length % 2 === 1;
  const opening = isQuoted(from) ? '"' : '';
  const closing = isQuoted(to) ? '"' : '';
  return `${opening}${units.slice(from, to).join('')}${closing}`.trim();
}

/** A text in lines of at most `width` characters, broken at blanks, but not before a percent sign. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  const longest = Math.max(1, width);
  const words = text.trim().split(/\s+(?!%)/);
  for (const word of words.flatMap((whole) => chunks(whole, longest))) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** A word in pieces that fit. */
function chunks(word: string, width: number): readonly string[] {
  const pieces = Math.max(1, Math.ceil(word.length / width));
  return Array.from({ length: pieces }, (_, at) => word.slice(at * width, (at + 1) * width));
}

/** Control, format (bidirectional ones too), surrogate and unassigned characters, and line separators. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** The text with an escape ("\u{1b}") for everything that a terminal might act on. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
