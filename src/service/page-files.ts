/* Reads the built page, and picks the form of a file that a browser takes. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, gzip } from 'node:zlib';
import { PACKAGE_FOLDER } from '../base/version.ts';
import type { PageFacts } from '../document/api/service-documents.ts';

/** The page, as it was built. */
export interface Page {
  readonly html: PageFile;
  /** The text of the same file, without a preview. */
  readonly template: string;
  /** What the page loads, by name. The names have a hash of what is in the files. */
  readonly assets: ReadonlyMap<string, PageFile>;
}

/** The ways in which a file is stored, by the names that HTTP has for them (RFC 9110 8.4.1). */
export const CODINGS = ['br', 'gzip', 'identity'] as const;

export type Coding = (typeof CODINGS)[number];

/** A file in each of its codings. */
export interface PageFile {
  /** The value of Content-Type. */
  readonly type: string;
  readonly forms: Readonly<Record<Coding, Uint8Array>>;
  /** Tells it from other versions of the same file. */
  readonly hash: string;
}

/** The ending of an asset as it was built: compressed by Brotli, from which the other codings are made. */
const PACKED = '.br';

/**
 * Reads the page that was built with the program, and tells it of the service. It is held whole, a few megabytes:
 * nothing that a request says ever names a file.
 */
export async function readPage(facts: PageFacts): Promise<Page> {
  const folder = new URL('dist/page/', PACKAGE_FOLDER);
  const names = readdirSync(new URL('assets/', folder)).filter((name) => extname(name) === PACKED);
  const assets = names.map(async (file): Promise<readonly [string, PageFile]> => {
    const name = basename(file, PACKED);
    return [name, await unpacked(name, readFileSync(new URL(`assets/${file}`, folder)))];
  });
  const html = readFileSync(new URL('index.html', folder), 'utf8');
  const template = html.replace(
    FACTS,
    () => `<meta name="service" content="${escaped(JSON.stringify(facts))}">`,
  );
  return { html: await packed(withPreview(template)), template, assets: new Map(await Promise.all(assets)) };
}

/** The comments in the page's head that the facts and the preview replace. */
const [FACTS, PREVIEW] = ['<!-- service -->', '<!-- preview -->'];

/** The texts for programs that show a link to the page (Open Graph protocol). */
export interface PagePreview {
  readonly title: string;
  /** Absent: that of the start page. */
  readonly description?: string;
}

/** The page for a link with this preview. */
export function withPreview(template: string, { title, description = ABOUT }: PagePreview = START): string {
  const tags = [
    ['og:type', 'website'],
    ['og:site_name', START.title],
    ['og:title', title],
    ['og:description', description],
  ].map(([property, content = '']) => `<meta property="${property}" content="${escaped(content)}">`);
  return template.replace(PREVIEW, () => tags.join('\n    '));
}

const START: PagePreview = { title: 'DNS traversal' };
const ABOUT =
  'Asks all name servers from the root down, and shows which answers users get and which server is at fault.';

function escaped(text: string): string {
  return text.replace(/["&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}

async function packed(html: string): Promise<PageFile> {
  const identity = Buffer.from(html);
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(identity), promisify(gzip)(identity)]);
  return fileOf('.html', { br, gzip: gzipped, identity });
}

/** The types of the files that there are. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

async function unpacked(name: string, br: Uint8Array): Promise<PageFile> {
  const identity = await promisify(brotliDecompress)(br);
  return fileOf(extname(name), { br, gzip: await promisify(gzip)(identity), identity });
}

function fileOf(ending: string, forms: PageFile['forms']): PageFile {
  const hash = createHash('sha256').update(forms.identity).digest('base64url').slice(0, 16);
  return { type: TYPES[ending] ?? 'application/octet-stream', hash, forms };
}

/** The weights, from 0 to 1, of the values in a header such as Accept (RFC 9110 12.4.2). */
type Preferences = ReadonlyMap<string, number>;

/** Reads Accept or Accept-Encoding. Parameters other than the weight are left out. */
export function readPreferences(header: string): Preferences {
  return new Map(
    header.split(',').map((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((one) => one.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : weightOf(weight)];
    }),
  );
}

/** What a client asks for by name: HTML, as people read it, JSON, as programs do, or neither. */
export function preferredType(accept: string | undefined): 'html' | 'json' | 'neither' {
  const preferences = readPreferences(accept ?? '');
  const html = preferences.get('text/html') ?? preferences.get('text/*') ?? 0;
  const json = preferences.get('application/json') ?? preferences.get('application/*') ?? 0;
  if (json > html) return 'json';
  return html > 0 ? 'html' : 'neither';
}

function weightOf(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
