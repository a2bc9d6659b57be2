import { readFileSync } from 'node:fs';

/** The folder of the built program. */
const BUILT = new URL('.', import.meta.url).href;

/**
 * Lets stack traces of the built program name the lines of its source. Source maps are read only for a trace
 * that somebody looks at: Node's own support would read all of them at every start. If that was asked for, it names
 * the lines of whatever else is loaded as well.
 */
export function nameSourceLines(): void {
  if (process.sourceMapsEnabled) return;
  Error.prepareStackTrace = (error, frames) =>
    [`${error}`, ...frames.map((frame) => `    at ${inSource(frame)}`)].join('\n');
}

type Place = { readonly file: string; readonly line: number; readonly column: number };

function inSource(frame: NodeJS.CallSite): string {
  const [file, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()];
  if (!file?.startsWith(BUILT) || line === null || column === null) return `${frame}`;
  const source = sourceOf({ file, line, column });
  return source === undefined ? `${frame}` : `${frame}`.replace(`${file}:${line}:${column}`, source);
}

function sourceOf({ file, line, column }: Place): string | undefined {
  const entry = mapOf(file)?.findEntry(line - 1, column - 1);
  if (entry === undefined || !('originalSource' in entry)) return undefined;
  const source = entry.originalSource.replace(/^(\.\.\/)+/, '');
  return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

function mapOf(file: string) {
  try {
    const { SourceMap } = process.getBuiltinModule('node:module');
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')));
  } catch {
    // A trace is worth more than its names.
    return undefined;
  }
}
