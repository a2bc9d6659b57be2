/* Finds the zone files of named.conf, the configuration of BIND, and of the files that it includes. */

import { isAbsolute, join } from 'node:path';
import { placeAt, type TextPlace } from '../../base/json-places.ts';
import { MOST_OCTETS } from '../../base/octets.ts';
import { plain } from '../../document/words/names.ts';
import { readName } from '../flags/names.ts';
import { CommandError, notDone } from '../process/errors.ts';
import { readFileUpTo } from '../process/files.ts';
import type { PlanDocument } from './plan-document.ts';

type PlannedZone = PlanDocument['zones'][number] & { readonly file: string };

/** A configuration file, and the folder to which file names in it are relative. */
interface ConfSource {
  readonly file: string;
  readonly folder: string;
  /** Tells what was left out. */
  readonly tell: (words: string) => void;
}

/**
 * The zones of a configuration and of the files that it includes, with their zone files, whose names are relative to
 * `source.folder`. Throws a `NamedConfError` for the configuration itself, and a `CommandError` for an included file.
 */
export async function zonesOfConf(text: string, source: ConfSource): Promise<readonly PlannedZone[]> {
  const found: PlannedZone[] = [];
  await addZones(text, { ...source, directory: '.' }, found, 0);
  if (found.length === 0)
    throw new NamedConfError('there is no zone of type primary: name a named.conf, or a plan in JSON', {
      line: 1,
      column: 1,
    });
  return found;
}

/** The most levels of included files. */
const MOST_DEPTH = 8;

async function addZones(
  text: string,
  source: ConfSource & { readonly directory: string },
  found: PlannedZone[],
  depth: number,
): Promise<void> {
  const { zones, includes, directory = source.directory } = readNamedConf(text);
  for (const { zone: name, file, place, view } of zones) {
    const zone = zoneNamed(name, place);
    const known = found.find((one) => one.zone === zone);
    // Several views may serve one file.
    if (known?.file === below(directory, file)) continue;
    if (known !== undefined)
      throw new NamedConfError(
        view === undefined
          ? `${plain(zone)} has a second file here: a plan takes one file for each zone`
          : `${plain(zone)} has a second file here, in the view "${view}": write a plan in JSON with the file that users get`,
        place,
      );
    found.push({ zone, file: below(directory, file) });
  }
  for (const { file, place } of includes) {
    if (depth === MOST_DEPTH)
      throw new NamedConfError(`include is nested deeper than ${MOST_DEPTH} files`, place);
    const path = below(source.folder, below(directory, file));
    const included = await readFileUpTo(path, MOST_OCTETS.plan).then(
      (octets) => octets.toString(),
      (error: unknown) => {
        if (!(error instanceof CommandError)) throw error;
        // Keys and lists of addresses often stand in files that only the server has.
        source.tell(`${error.message}: zones in it are not checked`);
        return '';
      },
    );
    await addZones(included, { ...source, file: path, directory }, found, depth + 1).catch(
      (error: unknown) => {
        if (!(error instanceof NamedConfError)) throw error;
        throw notDone(`${path}:${error.place.line}:${error.place.column}: ${error.message}`);
      },
    );
  }
}

function below(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

function zoneNamed(text: string, place: NamedConfError['place']) {
  try {
    return readName(text);
  } catch (error) {
    if (error instanceof CommandError) throw new NamedConfError(error.message, place);
    throw error;
  }
}

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
interface NamedConf {
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
function readNamedConf(text: string): NamedConf {
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
