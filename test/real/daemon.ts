import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** How a program is run in the foreground. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** A running program that the suite started, and has to stop. */
export interface Daemon {
  /** Throws, with the end of its log, if it has ended by itself. */
  readonly assertRunning: () => Promise<void>;
  /** SIGTERM, and SIGKILL to one that does not go; resolves when it is gone. */
  readonly stop: () => Promise<void>;
  /** SIGKILL, for programs of one process with nothing to save. */
  readonly kill: () => Promise<void>;
}

const graceMs = 3000;

/** Starts a program in `directory`, where its output goes to the file "log". */
export async function startDaemon(command: Command, directory: string): Promise<Daemon> {
  const logFile = join(directory, 'log');
  const log = await open(logFile, 'a');
  const child = spawn(command.program, command.args, { cwd: directory, stdio: ['ignore', log.fd, log.fd] });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  await log.close();
  return {
    assertRunning: async () => {
      if (isRunning(child)) return;
      throw new Error(
        `${command.program} ended by itself:\n${(await readFile(logFile, 'utf8')).slice(-2000)}`,
      );
    },
    stop: () => terminate(child, gone),
    kill: () => end(child, gone, 'SIGKILL'),
  };
}

/** Runs a program to its end and returns what it printed on stdout; throws if it ends with another status. */
export async function run(command: Command, statuses: readonly number[] = [0]): Promise<string> {
  const child = spawn(command.program, command.args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, complaints]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (data: Buffer) => output.push(data));
  child.stderr.on('data', (data: Buffer) => complaints.push(data));
  const [status] = await once(child, 'close');
  if (statuses.includes(status)) return Buffer.concat(output).toString();
  const text = Buffer.concat([...output, ...complaints]).toString();
  throw new Error(`${[command.program, ...command.args].join(' ')}: ${status}\n${text}`);
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

async function terminate(child: ChildProcess, gone: Promise<void>): Promise<void> {
  const lastResort = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await end(child, gone, 'SIGTERM');
  clearTimeout(lastResort);
}

async function end(child: ChildProcess, gone: Promise<void>, signal: NodeJS.Signals): Promise<void> {
  if (isRunning(child)) child.kill(signal);
  await gone;
}

/**
 * Gives the loopback interface these addresses and returns what takes them away again. Any socket
 * can use all of 127.0.0.0/8, but BIND listens only on addresses that an interface has.
 */
export async function addAddresses(addresses: readonly string[]): Promise<() => Promise<void>> {
  await Promise.all(addresses.map((address) => run(ip('add', address))));
  return async () => {
    await Promise.all(addresses.map((address) => run(ip('del', address))));
  };
}

function ip(verb: 'add' | 'del', address: string): Command {
  return { program: 'ip', args: ['address', verb, `${address}/32`, 'dev', 'lo'] };
}

/**
 * Copies a program and returns where the copy is. Debian confines named and unbound (AppArmor, by
 * path) to their usual directories; the suite keeps its files in a temporary one. Another process copies it: children
 * that begin meanwhile would hold a file that this one writes, and then it cannot be run (ETXTBSY).
 */
export async function privateCopy(program: string, directory: string): Promise<string> {
  const copy = join(directory, basename(program));
  await run({ program: 'cp', args: [program, copy] });
  return copy;
}

/**
 * Like Promise.all, but a rejection waits for the others to end: nothing is still being started when
 * the caller cleans up.
 */
export async function all<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return await Promise.all(promises);
}

/** What has to be undone, noted as soon as it is done, so that a start that fails half-way leaves nothing. */
export class Cleanup {
  readonly #steps: (() => Promise<void>)[] = [];

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** Takes every step, the last added first, also after one that fails. */
  async run(): Promise<void> {
    const errors: unknown[] = [];
    for (const step of this.#steps.splice(0).reverse()) {
      await step().catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw new AggregateError(errors, 'cleaning up failed');
  }
}
