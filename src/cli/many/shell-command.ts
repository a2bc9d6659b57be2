import { spawn } from 'node:child_process';
import { onAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { hasCode, reason } from '../process/errors.ts';

/** Has the shell run a command with a text on its stdin, for at most a minute with all that it starts. */
export function runShellCommand(
  command: string,
  input: string,
  { write, clock, signal }: ShellSurroundings,
): Promise<ShellEnd> {
  // In a process group of its own, so that whatever it starts ends with it.
  const child = spawn('/bin/sh', ['-c', command], { detached: true, stdio: 'pipe' });
  let written = 0;
  let why: string | undefined;
  const pass = (chunk: Buffer) => {
    const part = chunk.subarray(0, MOST_WRITTEN - written);
    written += part.length;
    if (part.length > 0) write(part);
  };
  child.stdout.on('data', pass);
  child.stderr.on('data', pass);
  // It need not read what it is given.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve) => {
    const cancels: (() => void)[] = [];
    const end = (cause: string) => {
      why ??= cause;
      endGroup(child.pid, 'SIGTERM');
      cancels.push(clock.after(LEFT_MS, () => endGroup(child.pid, 'SIGKILL')));
    };
    cancels.push(clock.after(MOST_MS, () => end('took longer than a minute')));
    cancels.push(onAbort(signal, () => end('was interrupted')));
    const settle = (outcome: ShellEnd) => {
      for (const cancel of cancels) cancel();
      resolve(outcome);
    };
    child.once('error', (error) => settle({ kind: 'failed', why: reason(error) }));
    child.once('close', (status, killer) => {
      why ??= status === 0 ? undefined : `ended with ${killer ?? `exit status ${status}`}`;
      settle(why === undefined ? { kind: 'done' } : { kind: 'failed', why });
    });
  });
}

/** What came of a command: nothing to tell, or why it failed. */
type ShellEnd = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly why: string };

/** What a command is run with. */
interface ShellSurroundings {
  /** Is given what it writes to stdout and stderr, up to `MOST_WRITTEN`. */
  readonly write: (chunk: Buffer) => void;
  readonly clock: Clock;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** How long a command may take, in milliseconds, and how long it has left once it is told to end. */
const [MOST_MS, LEFT_MS] = [60_000, 1_000];

/** How many octets of what a command writes are passed on. */
const MOST_WRITTEN = 65_536;

function endGroup(pid: number | undefined, how: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, how);
  } catch (error) {
    // All of it has ended meanwhile.
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}
