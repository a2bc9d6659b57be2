import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { UNBROKEN } from './inside.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));

/** What a run of the program came to. */
export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

/** Starts the built program with no terminal and none of this process's environment. */
export function start(args: readonly string[], env: Environment = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env.PATH ?? '', ...UNBROKEN, ...env },
  });
}

/** The same where no file may be larger than so many blocks of 512 octets: a disk that fills up in mid-write. */
export function startOnFullDisk(blocks: number, args: readonly string[]): ChildProcessWithoutNullStreams {
  const limited = [
    '-c',
    `trap '' XFSZ; ulimit -f ${blocks} && exec "$0" "$@"`,
    process.execPath,
    PROGRAM,
    ...args,
  ];
  return spawn('/bin/sh', limited, { env: { PATH: process.env.PATH ?? '' } });
}

/** The same with what it writes to stdout going to an open file. */
export function startInto(stdout: number, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...args], { env: {}, stdio: ['ignore', stdout, 'pipe'] });
}

/** Resolves when the program has ended and all it wrote has been read. */
export function ended(child: ChildProcess): Promise<Ran> {
  const written = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    written.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    written.stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (status) => resolve({ status, ...written }));
  });
}

/** Calls back with each line of JSON that the program writes. */
export function eachEvent(child: ChildProcessWithoutNullStreams, tell: (event: EventLine) => void): void {
  createInterface({ input: child.stdout }).on('line', (line) => tell(JSON.parse(line)));
}

/** What tests read of the lines of `--format jsonl`. */
export interface EventLine {
  readonly event: 'started' | 'exchange' | 'progress' | 'complete';
  readonly id?: string;
  readonly pending?: number;
  readonly status?: string;
  readonly query?: { readonly name: string; readonly type: string };
}

/** So many programs run at once. */
const AT_ONCE = 3;

/** Does something for each of some rows, a few at once. */
export async function forEach<Row>(rows: readonly Row[], check: (row: Row) => Promise<void>): Promise<void> {
  const ahead = [...rows];
  const work = async () => {
    for (let row = ahead.shift(); row !== undefined; row = ahead.shift()) await check(row);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
