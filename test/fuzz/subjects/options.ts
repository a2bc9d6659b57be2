import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processIo } from '../../../src/cli/process/io.ts';
import { wholeProgram } from '../../../src/cli/program.ts';
import { inside } from '../../cli/inside.ts';
import { commandLines } from '../arbitraries/command-lines.ts';
import { mustBePrintable } from '../printable.ts';
import { must, subject } from '../subject.ts';

const { commands } = await wholeProgram(processIo);

const home = process.cwd();
let scratch: string | undefined;

/** A command line is refused with a reason, or does what it says; what it says is safe to print. */
export const options = subject(
  'options',
  200,
  commandLines(commands),
  async (args) => {
    scratch ??= mkdtempSync(join(tmpdir(), 'fuzz-'));
    // Some write a file, or take an option for its name.
    process.chdir(scratch);
    const isLong = args[0] === 'serve' || args[0] === 'wait';
    const onStderr = (_: string, interrupt: () => void) => isLong && interrupt();
    const { status, stdout, stderr } = await inside(args, { onStderr });
    process.chdir(home);
    must(!stderr.includes('bug in svc'), `ended with ${status} and ${stderr}`);
    must(STATUSES.includes(status ?? -1), `ended with ${status} and ${stderr}`);
    const isRefused = status === 2;
    must(!isRefused || (/^svc: .+\n/.test(stderr) && stdout === ''), `refused with ${stderr}`);
    for (const text of [stdout, stderr]) mustBePrintable(text);
  },
  async () => {
    if (scratch !== undefined) rmSync(scratch, { recursive: true });
  },
);

const STATUSES: readonly number[] = [0, 1, 2, 3, 130];
