/* The version of the program, and where its package is. */

import { existsSync, readFileSync } from 'node:fs';

/** Where the package is: the nearest folder above this code that has the program in `bin`, whether it was built or not. */
export const PACKAGE_FOLDER: URL = nearest(new URL('.', import.meta.url));

function nearest(folder: URL): URL {
  const above = new URL('..', folder);
  return existsSync(new URL('bin/svc.js', folder)) || above.href === folder.href ? folder : nearest(above);
}

/** The package's version. */
export const VERSION: string = readVersion();

function readVersion(): string {
  const text = readFileSync(new URL('package.json', PACKAGE_FOLDER), 'utf8');
  const { version }: { readonly version: string } = JSON.parse(text);
  return version;
}
