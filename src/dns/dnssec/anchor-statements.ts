/* Reads the trust anchors in BIND's statements, such as trust-anchors. */

import { type WrittenAnchor, wrongAt } from './anchor-records.ts';

/** Whether a text begins as a configuration of BIND with trust anchors does. */
export function hasStatements(text: string): boolean {
  const [first] = tokensIn(text, 'first');
  return first !== undefined && STATEMENTS.has(first.text);
}

/**
 * Reads the trust anchors in a configuration of BIND: `trust-anchors { . initial-key 257 3 8 "AwEAA..."; };`, and the older
 * managed-keys and trusted-keys. Throws a TrustAnchorError, also for any other statement.
 */
export function anchorsInStatements(text: string): readonly WrittenAnchor[] {
  const reader = new StatementReader(tokensIn(text, 'all'), text.split('\n').length);
  const anchors: WrittenAnchor[] = [];
  while (!reader.isAtEnd) anchors.push(...reader.statement());
  return anchors;
}

/** The statements, and the words that may follow a name in each; none: the fields of a key follow at once. */
const STATEMENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['trust-anchors', ['initial-key', 'static-key', 'initial-ds', 'static-ds']],
  ['managed-keys', ['initial-key', 'static-key']],
  ['trusted-keys', []],
]);

class StatementReader {
  readonly #tokens: readonly Token[];
  readonly #lastLine: number;
  #at = 0;

  constructor(tokens: readonly Token[], lastLine: number) {
    this.#tokens = tokens;
    this.#lastLine = lastLine;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  statement(): readonly WrittenAnchor[] {
    const { text, line } = this.#next();
    const kinds = STATEMENTS.get(text);
    if (kinds === undefined)
      throw wrongAt(line, `"${text}" where one of ${[...STATEMENTS.keys()].join(', ')} is expected`);
    this.#expect('{');
    const anchors: WrittenAnchor[] = [];
    while (!this.#isNext('}')) anchors.push(this.#anchor(kinds));
    this.#expect('}');
    this.#expect(';');
    return anchors;
  }

  #anchor(kinds: readonly string[]): WrittenAnchor {
    const { text: owner, line } = this.#word();
    const kind = kinds.length === 0 ? 'key' : this.#word().text;
    if (kinds.length > 0 && !kinds.includes(kind))
      throw wrongAt(line, `"${kind}" where one of ${kinds.join(', ')} is expected`);
    const fields = [this.#word().text];
    while (!this.#isNext(';')) fields.push(this.#word().text);
    this.#expect(';');
    return { line, owner, type: kind.endsWith('ds') ? 'DS' : 'DNSKEY', data: fields.join(' ') };
  }

  #isNext(sign: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === 'sign' && token.text === sign;
  }

  #expect(sign: string): void {
    const token = this.#next();
    if (token.kind !== 'sign' || token.text !== sign)
      throw wrongAt(token.line, `"${sign}" is missing before "${token.text}"`);
  }

  #word(): Token {
    const token = this.#next();
    if (token.kind === 'sign') throw wrongAt(token.line, `a field is missing before "${token.text}"`);
    return token;
  }

  #next(): Token {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw wrongAt(this.#lastLine, 'the file ends in the middle of a statement');
    this.#at += 1;
    return token;
  }
}

interface Token {
  readonly kind: 'sign' | 'word';
  /** Without quotes, its blanks and line breaks each as one blank. */
  readonly text: string;
  readonly line: number;
}

/** Blanks and comments; a sign; a quoted string; a word. */
const TOKEN = /(\s+|\/\/[^\n]*|#[^\n]*|\/\*.*?\*\/)|([{};])|"([^"]*)"|([^\s{};"]+)/sy;

function tokensIn(text: string, which: 'first' | 'all'): readonly Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  let line = 1;
  while (pattern.lastIndex < text.length) {
    const found = pattern.exec(text);
    if (found === null) throw wrongAt(line, 'a quote is not closed');
    const [whole, skipped, sign, quoted, word] = found;
    if (whole.startsWith('/*') && skipped === undefined) throw wrongAt(line, 'a comment is not closed');
    const content = sign ?? quoted ?? word;
    if (skipped === undefined && content !== undefined)
      tokens.push({ kind: sign === undefined ? 'word' : 'sign', text: content.replace(/\s+/g, ' '), line });
    line += whole.split('\n').length - 1;
    if (which === 'first' && tokens.length > 0) break;
  }
  return tokens;
}
