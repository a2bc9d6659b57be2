/* Reads the formats of trust anchors: records, the statements of BIND's configuration, and IANA's XML. */

/**
 * Reads DS and DNSKEY records in zone-file format (RFC 1035 5.1): `owner [ttl] [IN] type data`, one a line or over several
 * in parentheses, comments after `;`. Throws a TrustAnchorError.
 */
export function anchorsInRecords(text: string): readonly WrittenAnchor[] {
  return [...recordsIn(text)].map(({ line, words }) => {
    const [, owner = '', type = '', data = ''] = RECORD.exec(words) ?? [];
    if (type === '') throw wrongAt(line, 'not a DS or DNSKEY record, such as ". IN DS 20326 8 2 E06D..."');
    return { line, owner, type: type.toUpperCase() === 'DS' ? 'DS' : 'DNSKEY', data };
  });
}

const RECORD = /^(\S+)\s+(?:\d+\s+)?(?:IN\s+)?(?:\d+\s+)?(DS|DNSKEY)\s+(.*)$/i;

interface RecordText {
  readonly line: number;
  readonly words: string;
}

/** Each record as one line. */
function* recordsIn(text: string): Generator<RecordText> {
  let parts: string[] = [];
  let [begins, depth] = [1, 0];
  for (const [at, written] of text.split(/\r?\n/).entries()) {
    const part = written.replace(/;.*/, '');
    if (depth === 0) begins = at + 1;
    parts.push(part.replace(/[()]/g, ' '));
    depth = depthAfter(part, depth, at + 1);
    if (depth > 0) continue;
    const words = parts.join(' ').trim();
    parts = [];
    if (words !== '') yield { line: begins, words };
  }
  if (depth > 0) throw wrongAt(begins, '"(" is never closed');
}

/** How many parentheses are open after a line; if any are, the record goes on in the next line. */
function depthAfter(part: string, before: number, line: number): number {
  let depth = before;
  for (const [parenthesis] of part.matchAll(/[()]/g)) {
    depth += parenthesis === '(' ? 1 : -1;
    if (depth < 0) throw wrongAt(line, '")" without "("');
  }
  return depth;
}

/** A trust anchor as a file has it, and the line where it begins. */
export interface WrittenAnchor {
  readonly line: number;
  readonly owner: string;
  readonly type: 'DS' | 'DNSKEY';
  /** In presentation format. */
  readonly data: string;
}

/** What is wrong with trust anchors, in one line. */
export class TrustAnchorError extends Error {
  override readonly name = 'TrustAnchorError';
}

/** The error with the line where it is. */
export function wrongAt(line: number, why: string): TrustAnchorError {
  return new TrustAnchorError(`line ${line}: ${why}`);
}

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

/**
 * Reads IANA's root-anchors.xml (RFC 9718 2.1): the digests that are valid at a moment. Throws a TrustAnchorError for anything
 * beyond that format, so that no part of a file is ignored.
 */
export function anchorsInXml(text: string, at: Date): readonly WrittenAnchor[] {
  const root = rootElement(text);
  if (root.name !== 'TrustAnchor') throw wrongAt(root.line, `<${root.name}> where <TrustAnchor> is expected`);
  const owner = contentOf(root, 'Zone');
  const digests = childrenOf(root, ['Zone', 'KeyDigest']).filter(({ name }) => name === 'KeyDigest');
  const anchors = digests.map((digest) => ({ digest, anchor: anchorIn(digest, owner) }));
  const valid = anchors.filter(({ digest }) => isValid(digest, at));
  if (anchors.length > 0 && valid.length === 0)
    throw wrongAt(root.line, `no <KeyDigest> is valid on ${at.toISOString().slice(0, 10)}`);
  return valid.map(({ anchor }) => anchor);
}

const FIELDS = ['KeyTag', 'Algorithm', 'DigestType', 'Digest'];

/** Elements that give the key itself beside its digest. */
const BESIDE = ['PublicKey', 'Flags'];

function anchorIn(digest: Element, owner: string): WrittenAnchor {
  childrenOf(digest, [...FIELDS, ...BESIDE]);
  const data = FIELDS.map((field) => contentOf(digest, field)).join(' ');
  return { line: digest.line, owner, type: 'DS', data };
}

function isValid(digest: Element, at: Date): boolean {
  for (const name of digest.attributes.keys())
    if (!['id', 'validFrom', 'validUntil'].includes(name))
      throw wrongAt(digest.line, `<KeyDigest> has the unknown attribute "${name}"`);
  const from = momentOf(digest, 'validFrom') ?? Number.NEGATIVE_INFINITY;
  const until = momentOf(digest, 'validUntil') ?? Number.POSITIVE_INFINITY;
  return from <= at.getTime() && at.getTime() < until;
}

function momentOf({ attributes, line }: Element, name: string): number | undefined {
  const text = attributes.get(name);
  if (text === undefined) return undefined;
  const moment = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(moment)) throw wrongAt(line, `${name}="${text}" is not a date and time`);
  return moment;
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)$/;

interface Element {
  readonly name: string;
  readonly line: number;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Element[];
  /** The text directly in it, without blanks around it. */
  text: string;
}

function childrenOf({ children, text, name, line }: Element, known: readonly string[]): readonly Element[] {
  if (text !== '') throw wrongAt(line, `<${name}> has text of its own`);
  const unknown = children.find((child) => !known.includes(child.name));
  if (unknown !== undefined) throw wrongAt(unknown.line, `<${unknown.name}> is an unknown element`);
  return children;
}

/** The text of the only child of that name. */
function contentOf({ name, line, children }: Element, wanted: string): string {
  const [only, another] = children.filter((child) => child.name === wanted);
  if (only === undefined) throw wrongAt(line, `<${name}> lacks <${wanted}>`);
  if (another !== undefined) throw wrongAt(another.line, `<${name}> has more than one <${wanted}>`);
  if (only.children.length > 0 || only.text === '') throw wrongAt(only.line, `<${wanted}> has no text`);
  return only.text;
}

/** The declaration and comments; an end tag; a start tag with attributes, which may be the end tag as well; text. */
const PART =
  /<\?.*?\?>|<!--.*?-->|<\/([A-Za-z]\w*)\s*>|<([A-Za-z]\w*)((?:\s+[A-Za-z][\w:.-]*\s*=\s*(?:"[^"<&]*"|'[^'<&]*'))*)\s*(\/?)>|([^<&]+)/sy;

const ATTRIBUTE = /([A-Za-z][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The only element of a text. The format has no entities, document types or CDATA sections. */
function rootElement(text: string): Element {
  const document: Element = { name: '', line: 1, attributes: new Map(), children: [], text: '' };
  const open: Element[] = [document];
  const pattern = new RegExp(PART);
  let next = 1;
  while (pattern.lastIndex < text.length) {
    const line = next;
    const found = pattern.exec(text);
    if (found === null) throw wrongAt(line, 'not the XML of root-anchors.xml');
    next += found[0].split('\n').length - 1;
    const [, ended, name, attributes = '', isEmpty, content = ''] = found;
    const inside = open.at(-1) ?? document;
    inside.text += content.trim();
    if (name !== undefined) {
      const element = { name, line, attributes: attributesIn(attributes), children: [], text: '' };
      inside.children.push(element);
      if (isEmpty === '') open.push(element);
    }
    if (ended !== undefined && (open.length === 1 || open.pop()?.name !== ended))
      throw wrongAt(line, `</${ended}> has no start tag`);
  }
  const [root, another] = document.children;
  const unended = open.length > 1 ? open.at(-1) : undefined;
  if (unended !== undefined) throw wrongAt(unended.line, `<${unended.name}> has no end tag`);
  if (root === undefined || another !== undefined || document.text !== '')
    throw wrongAt(1, 'not a single <TrustAnchor> element');
  return root;
}

function attributesIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', double, single]) => [name, double ?? single ?? '']),
  );
}
