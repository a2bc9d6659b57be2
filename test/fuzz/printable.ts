import { must } from './subject.ts';

/** Throws if a text holds what moves a terminal's cursor, or changes the direction of writing. */
export function mustBePrintable(text: string): void {
  const raw = UNPRINTABLE.exec(text);
  must(raw === null, `prints ${JSON.stringify(raw?.[0])} in ${JSON.stringify(text.slice(0, 200))}`);
}

/** Control and format characters, surrogates and what is not assigned, other than line ends; line separators. */
const UNPRINTABLE = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/u;
