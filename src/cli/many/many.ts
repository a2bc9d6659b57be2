import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { ApiFailure } from '../../client/failure.ts';
import type { TraversalResult } from '../../document/result.ts';
import { LIMITS } from '../../limits.ts';
import type { ManyFlags } from '../flags/many-flags.ts';
import type { TraversalFlags } from '../flags/traversal-flags.ts';
import { CommandError, EXIT, type ExitStatus, notDone, statusOf } from '../process/exit-status.ts';
import { reason } from '../process/files.ts';
import { type Interruption, interruption } from '../process/interruption.ts';
import type { Io } from '../process/io.ts';
import { complaint } from '../runner/complaint.ts';
import { Ahead } from './ahead.ts';
import { type NameLine, nameLines } from './lines.ts';
import { type ManyOutput, resumedOutput, streamOutput } from './output.ts';
import { type Tally, type Teller, tellProgress } from './progress.ts';
import { resultLine } from './result-line.ts';
import { type Traverser, traverserAt, traverserHere } from './traverser.ts';
import { runMany } from './work.ts';

/**
 * Traverses the names of a file (`-`: of stdin) and writes a line of JSON for each. The exit status is
 * the highest of theirs; a line that is no name counts as wrong usage.
 */
export async function traverseMany(
  path: string,
  flags: TraversalFlags & ManyFlags,
  server: URL | undefined,
  io: Io,
): Promise<ExitStatus> {
  const output = flags.resume === undefined ? streamOutput(io.stdout) : await resumedOutput(flags.resume);
  const stop = interruption(io);
  const many = new Many(path, output, flags, server, stop, io);
  try {
    return await many.run();
  } finally {
    stop.stop();
    await output.close();
  }
}

/** What became of a line. */
type Done =
  | { readonly kind: 'result'; readonly line: number; readonly result: TraversalResult }
  | { readonly kind: 'failed'; readonly line: number; readonly why: string; readonly status: ExitStatus }
  /** Done by a run before. */
  | { readonly kind: 'skipped'; readonly status: ExitStatus }
  /** Not done to the end, because of an interruption. */
  | { readonly kind: 'stopped' };

class Many {
  readonly #path: string;
  readonly #output: ManyOutput;
  readonly #flags: TraversalFlags & ManyFlags;
  readonly #server: URL | undefined;
  readonly #stop: Interruption;
  readonly #io: Io;
  readonly #lines: Ahead<NameLine>;
  readonly #start = performance.now();
  readonly #counts = { agreed: 0, trouble: 0, failed: 0, skipped: 0 };
  readonly #teller: Teller;
  readonly #input: Readable;
  #status: ExitStatus = EXIT.agreed;

  constructor(
    path: string,
    output: ManyOutput,
    flags: TraversalFlags & ManyFlags,
    server: URL | undefined,
    stop: Interruption,
    io: Io,
  ) {
    this.#path = path;
    this.#output = output;
    this.#flags = flags;
    this.#server = server;
    this.#stop = stop;
    this.#io = io;
    this.#input = path === '-' ? io.stdin : createReadStream(path);
    this.#lines = new Ahead(nameLines(this.#input, stop.signal));
    this.#teller = tellProgress(() => this.#tally(), flags.resume === undefined ? 'stdout' : 'file', io);
  }

  async run(): Promise<ExitStatus> {
    const { jobs = LIMITS.namesAtOnce.default, ordered } = this.#flags;
    let traverser: Traverser | undefined;
    try {
      traverser = await this.#traverser();
      const { traverse } = traverser;
      await runMany<NameLine, Done>({
        items: this.#lines,
        work: (line) => this.#work(line, traverse),
        write: (done) => this.#write(done),
        jobs,
        order: ordered ? 'as-given' : 'as-they-end',
        signal: this.#stop.signal,
      });
    } catch (error) {
      throw error instanceof Error && 'syscall' in error
        ? notDone(`cannot read ${this.#path}: ${reason(error)}`)
        : error;
    } finally {
      this.#teller.stop();
      this.#input.destroy();
      await traverser?.close();
    }
    return this.#end();
  }

  #traverser(): Promise<Traverser> {
    if (this.#server === undefined) return traverserHere(this.#flags, this.#io);
    return Promise.resolve(traverserAt(this.#server, this.#flags, this.#teller.say));
  }

  async #work(name: NameLine, traverse: Traverser['traverse']): Promise<Done> {
    const { line } = name;
    if (name.kind === 'bad') return { kind: 'failed', line, why: name.why, status: EXIT.usage };
    const before = this.#output.had(name.question);
    if (before !== undefined) return { kind: 'skipped', status: before };
    const answer = await traverse(name.question, this.#stop.signal);
    if (answer.kind === 'failed') return this.#failed(line, answer.failure);
    const isCutShort = this.#stop.signal.aborted && answer.value.ending === 'cancelled';
    return isCutShort ? { kind: 'stopped' } : { kind: 'result', line, result: answer.value };
  }

  /** A failure that is one name's own; throws one that all names would meet. */
  #failed(line: number, failure: ApiFailure): Done {
    if (failure.kind === 'stopped' || this.#server === undefined) return { kind: 'stopped' };
    const { status, message } = complaint(failure, this.#server);
    if (isOfOneName(failure)) return { kind: 'failed', line, why: message, status };
    throw new CommandError(status, message);
  }

  async #write(done: Done): Promise<void> {
    switch (done.kind) {
      case 'result': {
        const status = statusOf(done.result);
        this.#counts[COUNTED_AS[status]] += 1;
        this.#note(status);
        await this.#output.write(resultLine(done.line, done.result, status, this.#flags));
        return;
      }
      case 'failed':
        this.#counts.failed += 1;
        this.#note(done.status);
        this.#teller.say(`${this.#path === '-' ? 'stdin' : this.#path} line ${done.line}: ${done.why}`);
        return;
      case 'skipped':
        this.#counts.skipped += 1;
        this.#note(done.status);
        return;
      case 'stopped':
        return;
    }
  }

  #note(status: ExitStatus): void {
    if (status > this.#status) this.#status = status;
  }

  #tally(): Tally {
    return { ...this.#counts, total: this.#lines.total, elapsedMs: performance.now() - this.#start };
  }

  #end(): ExitStatus {
    const by = this.#stop.by();
    if (by === undefined) return this.#status;
    if (by === 'lost-reader') return EXIT.notDone;
    const { resume } = this.#flags;
    const advice = resume === undefined ? 'with --resume FILE it could go on' : 'the same command goes on';
    this.#io.stderr.write(`svc: interrupted; ${advice}\n`);
    return EXIT.interrupted;
  }
}

/** Options are the same for all. */
function isOfOneName(failure: ApiFailure): boolean {
  if (failure.kind !== 'refused') return failure.kind === 'fault';
  return !failure.errors.some(({ pointer }) => pointer.startsWith('/options'));
}

const COUNTED_AS = {
  [EXIT.agreed]: 'agreed',
  [EXIT.trouble]: 'trouble',
  [EXIT.usage]: 'failed',
  [EXIT.notDone]: 'failed',
  [EXIT.interrupted]: 'failed',
} as const;
