import { Option } from 'commander';
import { usageError } from '../process/command-error.ts';

/** What a placeholder stands for. */
const NOUNS: Readonly<Record<string, string>> = { '<folder>': 'folder', '<dir>': 'directory' };

/** An option that names a file, `--save <file>`, a folder, `--keep <folder>`, or a directory; it can be given once. */
export function fileOption(flags: string, meaning: string): Option {
  const spelling = flags.split(/[ ,]+/)[0] ?? flags;
  const noun = NOUNS[flags.split(' ').at(-1) ?? ''] ?? 'file';
  return new Option(flags, meaning).argParser((path: string, before: string | undefined) => {
    if (path === '') throw usageError(`${spelling} "": the name of a ${noun} is missing`);
    if (before !== undefined) throw usageError(`${spelling} takes one ${noun}, not ${before} and ${path}`);
    return path;
  });
}
