import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quickDescriptors } from './descriptors.ts';

/** As many files as Node may open at once to load this program: `import` opens all that a module needs together. */
const AMPLE = 512;

/** Loads the whole program one file after another if this process may not open many at once. */
export function loadOneByOneIfScarce(): void {
  const own = quickDescriptors();
  if (own === undefined || own.limit - own.open >= AMPLE) return;
  const load = createRequire(import.meta.url);
  for (const file of programFiles()) load(file);
}

function programFiles(): readonly string[] {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const ending = extname(import.meta.url);
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => extname(name) === ending).map((name) => `${root}${name}`);
}
