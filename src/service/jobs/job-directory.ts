import { lstat, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, UNFINISHED, writeWholeFile } from '../../base/files.ts';
import { JsonError } from '../../base/json.ts';
import { ShapeError } from '../../base/shape.ts';
import type { Log } from '../log.ts';
import {
  DamagedFile,
  endedFile,
  type JobFile,
  jobFileOctets,
  readEndedFile,
  readServersFile,
  readWaitingFile,
  serversFile,
  waitingFile,
} from './job-files.ts';
import type { FoundJobs, JobPersistence, KeptJob, WaitingJob } from './persistence.ts';
import type { RetentionRules } from './retention.ts';

/**
 * Keeps jobs as files of a directory that this process has to itself. Each file is written whole or not at
 * all; what is done to one job is done in order.
 */
export class JobDirectory implements JobPersistence {
  readonly kind = 'directory';
  readonly #path: string;
  readonly #rules: Pick<RetentionRules, 'maxRetainedBytes'>;
  readonly #log: Log;
  /** The last thing to be done to each job that something is to be done to. */
  readonly #busy = new Map<string, Promise<void>>();
  #state: JobPersistence['state'] = 'ok';

  constructor(path: string, rules: Pick<RetentionRules, 'maxRetainedBytes'>, log: Log) {
    this.#path = path;
    this.#rules = rules;
    this.#log = log;
  }

  get state(): JobPersistence['state'] {
    return this.#state;
  }

  /** Rejects with the system's error if the directory cannot be read. */
  async load(): Promise<FoundJobs> {
    const found = await this.#newestFirst(await readdir(this.#path));
    for (const { name } of found) if (name.endsWith(UNFINISHED)) await this.#remove(name);
    const most = this.#rules.maxRetainedBytes;
    const ended = await this.#readAll(found, 'ended', readEndedFile, most);
    const servers = await this.#readAll(found, 'servers', readServersFile, most);
    // What was accepted is owed; the queue was its bound.
    const waiting = await this.#readAll(found, 'waiting', readWaitingFile, Number.POSITIVE_INFINITY);
    const over = new Map(ended.map((job) => [job.id, job]));
    // A waiting file beside that of the end says that the webhook is still owed, or that a kill came between the two.
    const beside = new Set(waiting.filter(({ id }) => over.has(id)).map(({ id }) => id));
    for (const id of beside) if (!over.get(id)?.owed) await this.#remove(`${id}${KINDS.waiting}`);
    for (const { id } of servers) if (!over.has(id)) await this.#remove(`${id}${KINDS.servers}`);
    const lists = new Map(servers.map(({ id, list }) => [id, { servers: list }]));
    return {
      waiting: waiting.filter(({ id }) => !over.has(id)).sort(byTurn),
      ended: ended
        .map(({ owed, ...job }) => ({
          ...job,
          ...(owed && beside.has(job.id) && { owed }),
          ...lists.get(job.id),
        }))
        .sort((a, b) => a.state.finishedAt.getTime() - b.state.finishedAt.getTime()),
    };
  }

  keepWaiting(job: WaitingJob): Promise<void> {
    return this.#do(job.id, () => this.#write(job.id, 'waiting', waitingFile(job)));
  }

  keepEnded(job: KeptJob): Promise<void> {
    return this.#do(job.id, async () => {
      await this.#write(job.id, 'ended', endedFile(job));
      if (!job.owed) await this.#remove(`${job.id}${KINDS.waiting}`);
    });
  }

  keepAnnounced(id: string): Promise<void> {
    return this.#do(id, () => this.#remove(`${id}${KINDS.waiting}`));
  }

  keepServers(id: string, list: Buffer): Promise<void> {
    return this.#do(id, () => this.#write(id, 'servers', serversFile(id, list)));
  }

  forget(id: string): Promise<void> {
    return this.#do(id, async () => {
      for (const suffix of Object.values(KINDS)) await this.#remove(`${id}${suffix}`);
    });
  }

  async settled(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy.values());
  }

  /** Does something once all that was to be done to the job before is done. Never rejects. */
  #do(id: string, what: () => Promise<void>): Promise<void> {
    const before = this.#busy.get(id) ?? Promise.resolve();
    const done = before.then(what).then(
      () => this.#recovered(),
      (error: unknown) => this.#failed(error),
    );
    const last = done.then(() => {
      if (this.#busy.get(id) === last) this.#busy.delete(id);
    });
    this.#busy.set(id, last);
    return last;
  }

  #recovered(): void {
    if (this.#state === 'ok') return;
    this.#state = 'ok';
    this.#log.info('state directory writable again', { directory: this.#path });
  }

  #failed(error: unknown): void {
    if (this.#state === 'degraded') return;
    this.#state = 'degraded';
    this.#log.error('state directory not writable; jobs that end now are lost at a restart', {
      directory: this.#path,
      error: error instanceof Error ? error.message : String(error),
    });
  }

  async #write(id: string, kind: FileKind, file: JobFile): Promise<void> {
    await writeWholeFile(this.#at(`${id}${KINDS[kind]}`), await jobFileOctets(file), MODE);
  }

  async #remove(name: string): Promise<void> {
    await rm(this.#at(name), { force: true });
  }

  #at(name: string): string {
    return join(this.#path, name);
  }

  /** The files of this directory that can be files of jobs; whatever else has such a name is set aside. */
  async #newestFirst(names: readonly string[]): Promise<readonly FoundFile[]> {
    const found: FoundFile[] = [];
    for (const name of names.filter((one) => ENDINGS.some((ending) => one.endsWith(ending)))) {
      const file = await this.#orSetAside(name, async () => {
        const its = await lstat(this.#at(name));
        if (!its.isFile()) throw new DamagedFile('it is not a regular file');
        if (its.size > MOST_OCTETS) throw new DamagedFile('it is too large');
        return { name, size: its.size, mtimeMs: its.mtimeMs };
      });
      if (file !== undefined) found.push(file);
    }
    return found.sort((a, b) => b.mtimeMs - a.mtimeMs);
  }

  /** Reads as many files of a kind as there is room for. The others, which would go first, are removed. */
  async #readAll<T extends { readonly id: string }>(
    found: readonly FoundFile[],
    kind: FileKind,
    read: (file: Buffer) => T,
    most: number,
  ): Promise<T[]> {
    const all: T[] = [];
    let room = most;
    let isFull = false;
    for (const { name, size } of found.filter((one) => one.name.endsWith(KINDS[kind]))) {
      if (isFull) {
        await this.#remove(name);
        continue;
      }
      const one = await this.#orSetAside(name, async () => {
        const job = read(await readFile(this.#at(name)));
        if (name !== `${job.id}${KINDS[kind]}`)
          throw new DamagedFile(`it is a copy of ${job.id}${KINDS[kind]}`);
        return job;
      });
      if (one === undefined) continue;
      room -= size;
      isFull = room < 0 && all.length > 0;
      if (isFull) await this.#remove(name);
      else all.push(one);
    }
    return all;
  }

  /** What is read from a file. A file that cannot be read, or is none of ours, is set aside; the service starts without it. */
  async #orSetAside<T>(name: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!isAboutFile(error)) throw error;
      // Somebody removed it.
      if ('code' in error && error.code === 'ENOENT') return undefined;
      await this.#setAside(name, error);
      return undefined;
    }
  }

  /** Where that cannot be done, the file stays where it is. */
  async #setAside(name: string, { message }: Error): Promise<void> {
    try {
      await makeFolder(this.#at(ASIDE), FOLDER_MODE);
      const place = await this.#freePlace(join(ASIDE, name));
      await rename(this.#at(name), this.#at(place));
      this.#log.warn('unreadable job file set aside', { file: place, error: message });
    } catch (error) {
      if (!isAboutFile(error)) throw error;
      this.#log.warn('unreadable job file cannot be set aside', {
        file: name,
        error: message,
        why: error.message,
      });
    }
  }

  /** This name, or with a number one that nothing has: what was set aside before stays. */
  async #freePlace(name: string): Promise<string> {
    for (let count = 0; ; count += 1) {
      const place = count === 0 ? name : `${name}.${count}`;
      const isFree = await lstat(this.#at(place)).then(
        () => false,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
          return true;
        },
      );
      if (isFree) return place;
    }
  }
}

function isAboutFile(error: unknown): error is Error {
  return (
    error instanceof DamagedFile ||
    error instanceof JsonError ||
    error instanceof ShapeError ||
    (error instanceof Error && 'syscall' in error)
  );
}

/** The ending of each kind of file. */
const KINDS = { waiting: '.waiting', ended: '.ended', servers: '.servers' } as const;

type FileKind = keyof typeof KINDS;

const ENDINGS = [...Object.values(KINDS), UNFINISHED];

/** Only the service may read what its clients ask. */
const MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Node reads no larger file at once. */
const MOST_OCTETS = 2 ** 31 - 1;

/** The folder for unreadable files, which the operator can look at. */
const ASIDE = 'damaged';

interface FoundFile {
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Of those that came together, what had begun is first. */
function byTurn(a: WaitingJob, b: WaitingJob): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || b.lastEvent - a.lastEvent;
}
