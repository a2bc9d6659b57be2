/* Parses named.conf, the configuration of BIND, as far as it is about zone files. */

import { placeAt, type TextPlace } from '../../base/json-places.ts';

/** Why a configuration cannot be parsed, and where. */
export class NamedConfError extends Error {
  override readonly name = 'NamedConfError';
  readonly place: TextPlace;

  constructor(message: string, place: TextPlace) {
    super(message);
    this.place = place;
  }
}

/** What a configuration says about zone files. */
export interface NamedConf {
  /** The working directory of the server, to which file names are relative. */
  readonly directory?: string;
  /** The zones that the server loads from its own files. */
  readonly zones: readonly ConfiguredZone[];
  /** Files that `include` names, each to be read in its place. */
  readonly includes: readonly { readonly file: string; readonly place: TextPlace }[];
}

/** A zone of type primary, and its file. */
interface ConfiguredZone {
  readonly zone: string;
  readonly file: string;
  readonly place: TextPlace;
  /** The view that it is in. */
  readonly view?: string;
}

/**
 * Parses a configuration and returns its `zone` statements of type primary (or master) and class IN, those within views
 * included, `directory` and `include`; ignores all else. Throws a `NamedConfError`.
 */
export function readNamedConf(text: string): NamedConf {
  return confOf(new Statements(text).read());
}

function confOf(statements: readonly Statement[]): NamedConf {
  const [option] = statements.filter(({ keyword }) => keyword === 'options');
  const directory = option && wordAfter('directory', option.block);
  const views = statements
    .filter(({ keyword }) => keyword === 'view')
    .map(({ block, words: [view = ''] }) => {
      const { zones, includes } = confOf(block);
      return { zones: zones.map((zone) => ({ ...zone, view })), includes };
    });
  const includes = statements.flatMap(({ keyword, words: [file], place }) =>
    keyword === 'include' && file !== undefined ? [{ file, place }] : [],
  );
  return {
    ...(directory !== undefined && { directory }),
    zones: [...statements.flatMap(zoneOf), ...views.flatMap(({ zones }) => zones)],
    includes: [...includes, ...views.flatMap((view) => view.includes)],
  };
}

function zoneOf({
  keyword,
  words: [zone, zoneClass = 'IN'],
  block,
  place,
}: Statement): readonly ConfiguredZone[] {
  if (keyword !== 'zone' || zoneClass.toUpperCase() !== 'IN') return [];
  if (zone === undefined) throw new NamedConfError('this zone statement needs a name', place);
  const type = wordAfter('type', block);
  const isElsewhere = block.some((one) => one.keyword === 'in-view');
  if (type === undefined && !isElsewhere) throw new NamedConfError(`the zone "${zone}" needs a type`, place);
  if (type !== 'primary' && type !== 'master') return [];
  const file = wordAfter('file', block);
  if (file === undefined) throw new NamedConfError(`the zone "${zone}" needs a file`, place);
  return [{ zone, file, place }];
}

function wordAfter(keyword: string, block: readonly Statement[]): string | undefined {
  return block.find((one) => one.keyword === keyword)?.words[0];
}

/** A statement: `zone "example.com" IN { ... };` */
interface Statement {
  readonly keyword: string;
  readonly words: readonly string[];
  /** The statements within all its braces. */
  readonly block: readonly Statement[];
  readonly place: TextPlace;
}

/** One token: blanks and comments, a brace or a semicolon, a string, or a word. */
const TOKEN =
  /(?<gap>(?:\s+|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)+)|(?<mark>[{};])|"(?<string>(?:[^"\\\n]|\\.)*)"|(?<word>(?:[^\s{};"#/]|\/(?![/*]))+)/y;

/** The most levels of nested braces. */
const MOST_LEVELS = 100;

class Statements {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): readonly Statement[] {
    const statements = this.#statements(0);
    if (this.#at < this.#text.length) throw this.#error(this.#at, 'this closing brace has no opening brace');
    return statements;
  }

  /** Reads up to the closing brace, or to the end. */
  #statements(level: number): readonly Statement[] {
    if (level > MOST_LEVELS)
      throw this.#error(this.#at, `braces are nested deeper than ${MOST_LEVELS} levels`);
    const statements: Statement[] = [];
    for (;;) {
      this.#passGap();
      if (this.#at === this.#text.length || this.#text[this.#at] === '}') return statements;
      const statement = this.#statement(level);
      if (statement !== undefined) statements.push(statement);
    }
  }

  /** Undefined for a lone semicolon. */
  #statement(level: number): Statement | undefined {
    const start = this.#at;
    const words: string[] = [];
    const block: Statement[] = [];
    for (;;) {
      this.#passGap();
      const at = this.#at;
      if (at === this.#text.length)
        throw this.#error(start, 'the semicolon that ends this statement is missing');
      const { mark, string, word } = this.#next();
      const text = string?.replace(/\\(.)/g, '$1') ?? word;
      if (text !== undefined) words.push(text);
      else if (mark === '{') {
        block.push(...this.#statements(level + 1));
        if (this.#text[this.#at] !== '}') throw this.#error(at, 'this brace is not closed');
        this.#at += 1;
      } else if (mark === '}') throw this.#error(start, 'the semicolon that ends this statement is missing');
      else break;
    }
    const [keyword, ...rest] = words;
    if (keyword === undefined && block.length === 0) return undefined;
    return { keyword: keyword?.toLowerCase() ?? '', words: rest, block, place: placeAt(this.#text, start) };
  }

  #passGap(): void {
    TOKEN.lastIndex = this.#at;
    const gap = TOKEN.exec(this.#text)?.groups?.gap;
    if (gap !== undefined) this.#at += gap.length;
  }

  #next(): Readonly<Record<string, string | undefined>> {
    TOKEN.lastIndex = this.#at;
    const found = TOKEN.exec(this.#text);
    if (found?.groups === undefined) throw this.#error(this.#at, this.#unreadable());
    this.#at += found[0].length;
    return found.groups;
  }

  #unreadable(): string {
    return this.#text[this.#at] === '"'
      ? 'this quote is not closed on its line'
      : 'this comment is not closed';
  }

  #error(offset: number, message: string): NamedConfError {
    return new NamedConfError(message, placeAt(this.#text, offset));
  }
}
