import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The project itself: tests run among links to its files. */
export const ROOT = dirname(realpathSync(new URL('../package.json', import.meta.url)));
const SRC = join(ROOT, 'src');

/** An import in a source file, as it is written. */
export interface Import {
  /** Relative to `src`, as are all files here. */
  readonly file: string;
  readonly from: string;
  /** Types are gone once the program is built. */
  readonly kind: 'type' | 'value';
}

/** Every source file in TypeScript, relative to `src`. */
export const FILES = typeScriptIn('src').map((file) => relative('src', file));

/** Every import of the sources, re-exports and `import()` included. */
export const IMPORTS: readonly Import[] = FILES.flatMap(importsOf);

/** Every import of a source file by a test. */
export function importsOfTests(): Import[] {
  const imports = typeScriptIn('test').flatMap((file) => importsOf(join('..', file)));
  return imports.filter((one) => one.from.startsWith('.') && !targetOf(one).startsWith('..'));
}

/** The file that a relative import names. */
export function targetOf({ file, from }: Import): string {
  return relative(SRC, join(SRC, dirname(file), from));
}

/** All that a program loads for these files: they themselves, and what they import as values, and so on. */
export function loadedBy(files: readonly string[]): readonly string[] {
  const loaded = new Set(files);
  for (const file of loaded) {
    const values = IMPORTS.filter((one) => one.file === file && one.kind === 'value');
    for (const one of values) if (one.from.startsWith('.')) loaded.add(targetOf(one));
  }
  return [...loaded];
}

function typeScriptIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file))
    .sort();
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s+)?(?:([\w$*{},\s]+?)\s+from\s+)?'([^']+)'/gm,
  );
  const loads = text.matchAll(/\bimport\('([^']+)'\)/g);
  return [
    ...[...statements].map(([, type, names = '', from = '']): Import => {
      return { file, from, kind: type !== undefined || areTypes(names) ? 'type' : 'value' };
    }),
    ...[...loads].map(([, from = '']): Import => ({ file, from, kind: 'value' })),
  ];
}

/** Whether the names in braces are all marked as types. */
function areTypes(names: string): boolean {
  const inBraces = /^\{(.*)\}$/s.exec(names)?.[1];
  return inBraces?.split(',').every((name) => /^\s*(type\s|$)/.test(name)) ?? false;
}

/** The manual pages, relative to the project. */
export const MAN_PAGES: readonly string[] = readdirSync(join(ROOT, 'man'))
  .filter((name) => /\.[1-8]$/.test(name))
  .map((name) => `man/${name}`);
