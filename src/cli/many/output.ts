/* Writes the lines for a list of names to stdout, or for `--resume` to a file. */

import { type FileHandle, open, realpath } from 'node:fs/promises';
import { JsonError, parseJson } from '../../base/json.ts';
import { MOST_OCTETS } from '../../base/octets.ts';
import { type Of, readShape, ShapeError } from '../../base/shape.ts';
import { object } from '../../base/shape-object.ts';
import { oneOf } from '../../base/shape-values.ts';
import { type Question, questionKey } from '../../dns/message.ts';
import { QUESTION } from '../../document/common-shapes.ts';
import { EXIT, type ExitStatus, notDone } from '../process/errors.ts';
import { lockFile } from '../process/file-lock.ts';
import { cannotWrite, linesOf } from '../process/files.ts';
import { type OutputStream, writeChunks } from '../process/io.ts';

/** Where the lines of a run go. Throws a `CommandError` if the file cannot be opened, or holds anything but results. */
export async function openOutput({ resume, quiet }: OutputFlags, stdout: OutputStream): Promise<ManyOutput> {
  if (resume !== undefined) return await fileOutput(resume);
  return quiet ? NO_OUTPUT : streamOutput(stdout);
}

/** Where lines of results go. */
export interface ManyOutput {
  /** The exit status of an earlier line for the question, if there is one; each line counts once. */
  readonly had: (question: Question) => ExitStatus | undefined;
  /** Writes the chunks of a line. */
  readonly write: (line: Iterable<Uint8Array>) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Options that say where lines go. */
interface OutputFlags {
  readonly resume?: string;
  readonly quiet?: true;
}

const NO_OUTPUT: ManyOutput = { had: () => undefined, write: async () => {}, close: async () => {} };

/** Lines go to a stream, no faster than it takes them. */
function streamOutput(stream: OutputStream): ManyOutput {
  return { had: () => undefined, write: (line) => writeChunks(stream, line), close: async () => {} };
}

/** Lines are added to a file of earlier lines; what an interruption left of the last one is cut off. */
async function fileOutput(path: string): Promise<ManyOutput> {
  const refuse = (error: unknown): never => {
    throw cannotWrite(path, error);
  };
  const file = await open(path, 'a+').catch(refuse);
  try {
    if (!(await file.stat()).isFile()) throw notDone(`cannot write ${path}: it is not a regular file`);
    const release = await lockOutput(path).catch(refuse);
    return await lockedOutput(file, path, release).catch(async (error: unknown) => {
      await release();
      throw error;
    });
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function lockedOutput(
  file: FileHandle,
  path: string,
  release: () => Promise<void>,
): Promise<ManyOutput> {
  const done = await readDone(file, path);
  return {
    had: (question) => done.take(question),
    write: async (line) => {
      try {
        for (const chunk of line) await file.appendFile(chunk);
      } catch (error) {
        throw cannotWrite(path, error);
      }
    },
    close: async () => {
      await file.close();
      await release();
    },
  };
}

/** Two runs would both write every line. */
async function lockOutput(path: string): Promise<() => Promise<void>> {
  const locked = await lockFile(await realpath(path));
  if (locked.kind === 'locked') return locked.release;
  if (locked.kind === 'no-file')
    throw notDone(`cannot write ${path}: ${locked.lock} is not a regular file: remove it`);
  const { holder } = locked;
  const who = holder === undefined ? '' : ` (process ${holder.pid} on ${holder.host})`;
  throw notDone(`cannot write ${path}: another run is at work on it${who}`);
}

/** The exit statuses of the lines for each question. */
async function readDone(file: FileHandle, path: string): Promise<DoneBefore> {
  const done = new DoneBefore();
  let [number, whole] = [0, 0];
  const source = file.createReadStream({ start: 0, autoClose: false });
  for await (const line of linesOf(source, MOST_OCTETS.saved)) {
    number += 1;
    switch (line.kind) {
      case 'whole': {
        const { query, exitStatus } = readDoneLine(line.octets) ?? noResults(path, number);
        done.add(query, exitStatus);
        whole += line.octets.length + 1;
        break;
      }
      case 'torn':
        if (!isBeginning(line.octets)) noResults(path, number);
        await file.truncate(whole);
        break;
      case 'too-long':
        noResults(path, number);
    }
  }
  return done;
}

/** Whether this can have been left of a line. */
function isBeginning(torn: Buffer): boolean {
  return BEGINNING.subarray(0, torn.length).equals(torn.subarray(0, BEGINNING.length));
}

/** How every line begins. */
const BEGINNING = Buffer.from('{"line":');

function noResults(path: string, line: number): never {
  throw notDone(`${path} line ${line} is not a result: is it the right file?`);
}

const LINE = object({
  exitStatus: oneOf(EXIT.agreed, EXIT.trouble, EXIT.notDone),
  query: QUESTION,
});

function readDoneLine(octets: Buffer): Of<typeof LINE> | undefined {
  try {
    return readShape(LINE, parseJson(octets));
  } catch (error) {
    if (error instanceof JsonError || error instanceof ShapeError) return undefined;
    throw error;
  }
}

/** What an earlier run did: there may be a million lines, so most take no more than an entry of a map. */
class DoneBefore {
  readonly #last = new Map<string, ExitStatus>();
  /** Of questions that have more lines than one, the others. */
  readonly #others = new Map<string, ExitStatus[]>();

  add(question: Question, status: ExitStatus): void {
    const key = questionKey(question);
    const before = this.#last.get(key);
    if (before !== undefined) this.#others.set(key, [...(this.#others.get(key) ?? []), before]);
    this.#last.set(key, status);
  }

  /** The exit status of a line for the question; each line counts once. */
  take(question: Question): ExitStatus | undefined {
    const key = questionKey(question);
    const other = this.#others.get(key)?.pop();
    if (other !== undefined) return other;
    const last = this.#last.get(key);
    this.#last.delete(key);
    return last;
  }
}
