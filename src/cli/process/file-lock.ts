/* Locks a file, so that two processes do not write it at once. */

import { lstat, open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { JsonError, parseJson } from '../../base/json.ts';
import { type Of, readShape, ShapeError } from '../../base/shape.ts';
import { object } from '../../base/shape-object.ts';
import { integer, TEXT } from '../../base/shape-values.ts';
import { hasCode, unless } from './errors.ts';

/** What came of an attempt to have a file to oneself. */
export type Locked =
  | { readonly kind: 'locked'; readonly release: () => Promise<void> }
  /** Another run is at work. `holder`: who that is; undefined if it has only just begun. */
  | { readonly kind: 'held'; readonly holder: Holder | undefined }
  /** The lock is a folder, a link, a pipe or the like, of whatever origin. */
  | { readonly kind: 'no-file'; readonly lock: string };

/** A holder on this host can be looked for. Any other says so often that it is still there. */
const BEAT_MS = 15_000;
const LAST_BEAT_MS = 4 * BEAT_MS;

/** How long it can take to write into a lock who holds it. */
const BEING_MADE_MS = 10_000;

/** Others may be about to do the same; each is done within a few milliseconds. */
const MOST_TRIES = 200;
const TURN_MS = 5;

/**
 * Keeps other runs from a file, by a file `PATH.lock` beside it that names the holder. A lock whose holder
 * was killed counts for nothing. Rejects with the error of the system if no lock can be made.
 */
export async function lockFile(path: string): Promise<Locked> {
  const lock = `${path}.lock`;
  const own = `${JSON.stringify(await thisProcess())}\n`;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    if (await create(lock, own)) return { kind: 'locked', release: keep(lock, own) };
    // A pipe would be read for ever.
    if ((await lstat(lock).catch(unless('ENOENT')))?.isFile() === false) return { kind: 'no-file', lock };
    const found = await readLock(lock);
    if (found === undefined) continue;
    if (await isAtWork(found)) return { kind: 'held', holder: found.holder };
    await takeAway(lock);
  }
  return { kind: 'held', holder: undefined };
}

/** Makes the lock, if there is none. */
async function create(lock: string, own: string): Promise<boolean> {
  const file = await open(lock, 'wx').catch(unless('EEXIST'));
  if (file === undefined) return false;
  try {
    await file.writeFile(own);
    return true;
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Says now and then that the holder is still there, until it gives the lock back. */
function keep(lock: string, own: string): () => Promise<void> {
  const beat = setInterval(() => {
    const now = new Date();
    // Without its lock a run goes on: it is others that would be kept away.
    utimes(lock, now, now).catch(() => clearInterval(beat));
  }, BEAT_MS);
  beat.unref();
  return async () => {
    clearInterval(beat);
    if ((await readLock(lock))?.text === own) await rm(lock, { force: true });
  };
}

interface Lock {
  readonly text: string;
  readonly holder: Holder | undefined;
  readonly ageMs: number;
}

async function readLock(lock: string): Promise<Lock | undefined> {
  const octets = await readFile(lock).catch(unless('ENOENT'));
  const stats = await stat(lock).catch(unless('ENOENT'));
  if (octets === undefined || stats === undefined) return undefined;
  return { text: octets.toString('utf8'), holder: holderIn(octets), ageMs: Date.now() - stats.mtimeMs };
}

function holderIn(octets: Buffer): Holder | undefined {
  try {
    return readShape(HOLDER, parseJson(octets));
  } catch (error) {
    if (error instanceof JsonError || error instanceof ShapeError) return undefined;
    throw error;
  }
}

async function isAtWork({ holder, ageMs }: Lock): Promise<boolean> {
  if (holder === undefined) return isBeingMade(ageMs);
  const { host } = await thisProcess();
  return holder.host === host ? await isRunning(holder) : ageMs < LAST_BEAT_MS;
}

/** What is from the future is old: the clock has been set back. */
function isBeingMade(ageMs: number): boolean {
  return Math.abs(ageMs) < BEING_MADE_MS;
}

/**
 * Takes away a lock that counts for nothing, or waits a little for another who is doing so. Only one at a
 * time may look and take away: what is there by then could be a new lock.
 */
async function takeAway(lock: string): Promise<void> {
  const turn = `${lock}.taking`;
  const file = await open(turn, 'wx').catch(unless('EEXIST'));
  if (file === undefined) {
    const stats = await stat(turn).catch(unless('ENOENT'));
    const isLeftOver = stats !== undefined && !isBeingMade(Date.now() - stats.mtimeMs);
    await (isLeftOver ? rm(turn, { force: true }) : setTimeout(TURN_MS));
    return;
  }
  try {
    const found = await readLock(lock);
    if (found !== undefined && !(await isAtWork(found))) await rm(lock, { force: true });
  } finally {
    await file.close();
    await rm(turn, { force: true });
  }
}

/** A process that holds a lock. `began` tells it from a later one of the same number; empty where that is not known. */
const HOLDER = object({ pid: integer(1, 2 ** 31 - 1), host: TEXT, began: TEXT });

/** A process that holds a lock. */
type Holder = Of<typeof HOLDER>;

/** This process. */
export async function thisProcess(): Promise<Holder> {
  return { pid: process.pid, host: hostname(), began: (await stateOf(process.pid))[1] };
}

/** Whether a process of this host is still there. */
async function isRunning({ pid, began }: Holder): Promise<boolean> {
  if (!exists(pid)) return false;
  const [state, now] = await stateOf(pid);
  if (state === ZOMBIE) return false;
  return now === '' || began === '' || now === began;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be signalled, but is there.
    return hasCode(error, 'EPERM');
  }
}

/** What a process does, and when it began in clock ticks since the host did (proc_pid_stat(5)); empty where there is no /proc. */
async function stateOf(pid: number): Promise<readonly [state: string, began: string]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The name of the program, in parentheses, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [fields[0] ?? '', fields[BEGAN] ?? ''];
}

/** It has ended, but its parent has not looked yet; in a container that can be for ever. */
const ZOMBIE = 'Z';

/** The field after the name is the third of the page. */
const BEGAN = 22 - 3;
