import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { PageFacts } from '../../document/api/page-facts.ts';
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
 * Reads the page that was built with the program, and tells it of the service. It is read whole, a few megabytes:
 * nothing that a request says ever names a file.
 */
export function readPage(facts: PageFacts): Page {
  const folder = new URL('dist/page/', PACKAGE_FOLDER);
  const assets = new URL('assets/', folder);
  const names = readdirSync(assets).filter((name) => Object.hasOwn(TYPES, extname(name)));
  return {
    html: htmlWith(facts, readFileSync(new URL('index.html', folder), 'utf8')),
    assets: new Map(names.map((name) => [name, readForms(new URL(name, assets))])),
  };
}

/** Where the page's head has place for facts. */
const PLACE = '<!-- service -->';

function htmlWith(facts: PageFacts, html: string): PageFile {
  const text = JSON.stringify(facts).replace(/["&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  const whole = Buffer.from(html.replace(PLACE, () => `<meta name="service" content="${text}">`));
  return fileOf('.html', { br: brotliCompressSync(whole), gzip: gzipSync(whole), identity: whole });
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
  return fileOf(extname(file.pathname), { br: read('.br'), gzip: read('.gz'), identity: read('') });
}

function fileOf(ending: string, forms: PageFile['forms']): PageFile {
  const hash = createHash('sha256').update(forms.identity).digest('base64url').slice(0, 16);
  return { type: TYPES[ending] ?? 'application/octet-stream', hash, forms };
}
