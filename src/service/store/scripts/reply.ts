/** What a script of ours replied with, as a list. Throws for anything else, which would be a bug. */
export function listIn(reply: unknown): readonly unknown[] {
  if (!Array.isArray(reply)) throw new TypeError('a script did not reply with a list');
  return reply;
}

/** A string of a reply as text; a number in decimal; what is missing is empty. */
export function textIn(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Buffer.isBuffer(value) ? value.toString() : String(value);
}

/** A number of a reply; what is missing is 0. */
export function numberIn(value: unknown): number {
  return Number(textIn(value));
}

/** The octets of a reply. */
export function octetsIn(value: unknown): Uint8Array<ArrayBuffer> {
  return Buffer.isBuffer(value) ? Uint8Array.from(value) : new Uint8Array();
}

/** The word with which a script says what became of its work. Throws for a word that it cannot say. */
export function wordIn<Word extends string>(value: unknown, words: readonly Word[]): Word {
  const text = textIn(value);
  const word = words.find((one) => one === text);
  if (word === undefined) throw new TypeError(`a script replied with "${text}"`);
  return word;
}
