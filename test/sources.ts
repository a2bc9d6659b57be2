import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

/** The project itself: tests run among links to what is in it. */
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

/** A name that a source file exports. */
export interface Export {
  readonly file: string;
  readonly name: string;
}

/** Every source file in TypeScript, relative to `src`. */
export const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .sort();

/** Every file of `test` in TypeScript, relative to the project. */
export const TESTS = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => `test/${file}`);

/** Every import, re-exports and `import()` included. */
export const IMPORTS: readonly Import[] = FILES.flatMap(importsOf);

/** Every exported name, re-exports included. */
export const EXPORTS: readonly Export[] = FILES.flatMap(exportsOf);

/** The file that a relative import names. */
export function targetOf({ file, from }: Import): string {
  return relative(SRC, normalize(join(SRC, dirname(file), from)));
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
  return inBraces !== undefined && listed(inBraces).every((name) => /^type\s/.test(name));
}

function exportsOf(file: string): Export[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  const declared = text.matchAll(
    /^export\s+(?:abstract\s+|async\s+)*(?:class|const|enum|function\*?|interface|let|type)\s+(\w+)/gm,
  );
  const passedOn = [...text.matchAll(/^export\s+(?:type\s+)?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    listed(names).map((name) => name.replace(/^type\s+|^\w+\s+as\s+/g, '')),
  );
  // The overloads of a function are one export.
  const names = new Set([...[...declared].map(([, name = '']) => name), ...passedOn]);
  return [...names].map((name) => ({ file, name }));
}

function listed(names: string): string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
