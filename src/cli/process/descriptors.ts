import { readdirSync, readFileSync } from 'node:fs';
import type { Descriptors } from '../../service/descriptors.ts';

/** What a process that has just started has open, where the system does not tell. */
const USUALLY_OPEN = 32;

/** The descriptors of this process; undefined if there is no limit. Node has raised its own to the most allowed. */
export function ownDescriptors(): Descriptors | undefined {
  const limit = softLimit();
  return limit === undefined ? undefined : { limit, open: countOpen() };
}

/** Linux says it in a file; elsewhere Node's diagnostic report, which takes longer to write, has it. */
function softLimit(): number | undefined {
  const limits = readIfThere('/proc/self/limits');
  if (limits !== undefined) return countIn(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
  const report = JSON.stringify(process.report.getReport());
  return countIn(/"open_files":\{"soft":(\d+)/.exec(report)?.[1]);
}

function countIn(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
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
