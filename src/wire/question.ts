import type { Name } from './name.ts';

/** A name and the mnemonic of a type ("A", "TYPE65280"); the class is IN unless stated otherwise. */
export interface Question {
  readonly name: Name;
  readonly type: string;
}

/** The text that is equal exactly for equal questions: "www.example.com. A". */
export function questionKey(question: Question): string {
  return `${question.name} ${question.type}`;
}
