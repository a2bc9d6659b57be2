import { readFileSync } from 'node:fs';

/** The package's version. */
export const VERSION: string = readVersion();

function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { version }: { readonly version: string } = JSON.parse(text);
  return version;
}
