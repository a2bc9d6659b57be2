import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { PACKAGE_FOLDER } from '../../package-folder.ts';

/** The page, as it was built. */
export interface Page {
  readonly html: PageFile;
  /** What the page loads, by name. The names have a hash of what is in the files. */
  readonly assets: ReadonlyMap<string, PageFile>;
}

/** The ways in which a file is stored, by the names that HTTP has for them (RFC 9110 8.4.1). */
export const CODINGS = ['br', 'gzip', 'identity'] as const;

/** One of these. */
export type Coding = (typeof CODINGS)[number];

/** A file in each of its codings. */
export interface PageFile {
  /** The value of Content-Type. */
  readonly type: string;
  readonly forms: Readonly<Record<Coding, Uint8Array>>;
  /** Tells it from other versions of the same file. */
  readonly hash: string;
}

/**
 * Reads the page that was built with the program. It is read whole, a few megabytes: nothing that a request says
 * ever names a file.
 */
export function readPage(): Page {
  const folder = new URL('dist/page/', PACKAGE_FOLDER);
  const assets = new URL('assets/', folder);
  const names = readdirSync(assets).filter((name) => Object.hasOwn(TYPES, extname(name)));
  return {
    html: readForms(new URL('index.html', folder)),
    assets: new Map(names.map((name) => [name, readForms(new URL(name, assets))])),
  };
}

/** The types of the files that there are. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

function readForms(file: URL): PageFile {
  const read = (suffix: string) => readFileSync(new URL(`${file.href}${suffix}`));
  const identity = read('');
  const type = TYPES[extname(file.pathname)] ?? 'application/octet-stream';
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 16);
  return { type, hash, forms: { br: read('.br'), gzip: read('.gz'), identity } };
}
