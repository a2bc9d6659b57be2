import { readFileSync } from 'node:fs';
import { PACKAGE_FOLDER } from './package-folder.ts';

/** The package's version. */
export const VERSION: string = readVersion();

function readVersion(): string {
  const text = readFileSync(new URL('package.json', PACKAGE_FOLDER), 'utf8');
  const { version }: { readonly version: string } = JSON.parse(text);
  return version;
}
