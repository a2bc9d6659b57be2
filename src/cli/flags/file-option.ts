import { Option } from 'commander';
import { usageError } from '../process/command-error.ts';

/** An option that names a file, `--save <file>`; it can be given once. */
export function fileOption(flags: string, meaning: string): Option {
  const spelling = flags.split(/[ ,]+/)[0] ?? flags;
  return new Option(flags, meaning).argParser((path: string, before: string | undefined) => {
    if (path === '') throw usageError(`${spelling} "": the name of a file is missing`);
    if (before !== undefined) throw usageError(`${spelling} takes one file, not ${before} and ${path}`);
    return path;
  });
}
