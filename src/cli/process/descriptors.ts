import { readdirSync, readFileSync } from 'node:fs';
import type { Descriptors } from '../../service/descriptors.ts';
import { notDone } from './command-error.ts';

/** What a process that has just started has open, where the system does not tell. */
const USUALLY_OPEN = 32;

/** The descriptors of this process; undefined if there is no limit. Node has raised its own to the most allowed. */
export function ownDescriptors(): Descriptors | undefined {
  return quickDescriptors() ?? described(limitInReport());
}

/** The same; undefined also where finding out takes long. */
export function quickDescriptors(): Descriptors | undefined {
  const limits = readIfThere('/proc/self/limits');
  return limits === undefined ? undefined : described(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
}

/** Where no file says it, Node's diagnostic report does, which takes longer to write. */
function limitInReport(): string | undefined {
  const report = JSON.stringify(process.report.getReport());
  return /"open_files":\{"soft":(\d+)/.exec(report)?.[1];
}

function described(digits: string | undefined): Descriptors | undefined {
  return digits === undefined ? undefined : { limit: Number(digits), open: countOpen() };
}

function countOpen(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return USUALLY_OPEN;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The `CommandError` for a limit that leaves too little. */
export function tooFewDescriptors({ limit }: Descriptors, { needed }: { readonly needed: number }): Error {
  return notDone(`${limit} open files are too few, ${needed} are needed: raise the limit (ulimit -n)`);
}
