import { type FileHandle, open } from 'node:fs/promises';
import { QUESTION } from '../../document/dns.ts';
import { object } from '../../shape/object.ts';
import { type Of, readShape, ShapeError } from '../../shape/shape.ts';
import { oneOf } from '../../shape/values.ts';
import { type Question, questionKey } from '../../wire/question.ts';
import { notDone } from '../process/command-error.ts';
import { EXIT, type ExitStatus } from '../process/exit-status.ts';
import { cannotWrite } from '../process/files.ts';
import type { OutputStream } from '../process/io.ts';

/** Where lines of results go. */
export interface ManyOutput {
  /** The exit status of an earlier line for the question, if there is one; each line counts once. */
  readonly had: (question: Question) => ExitStatus | undefined;
  readonly write: (line: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Options that say where lines go. */
interface OutputFlags {
  readonly resume?: string;
  readonly quiet?: true;
}

/** Where the lines of a run go. Throws a `CommandError` if the file cannot be opened, or holds anything but results. */
export async function openOutput({ resume, quiet }: OutputFlags, stdout: OutputStream): Promise<ManyOutput> {
  if (resume !== undefined) return await fileOutput(resume);
  return quiet ? NO_OUTPUT : streamOutput(stdout);
}

const NO_OUTPUT: ManyOutput = { had: () => undefined, write: async () => {}, close: async () => {} };

/** Lines go to a stream, no faster than it takes them. */
function streamOutput(stream: OutputStream): ManyOutput {
  const write = (line: string) =>
    new Promise<void>((resolve) => {
      // A broken stream calls back too; its errors are heard elsewhere.
      stream.write(line, () => resolve());
    });
  return { had: () => undefined, write, close: async () => {} };
}

/** Lines are added to a file of earlier lines; what an interruption left of the last one is cut off. */
async function fileOutput(path: string): Promise<ManyOutput> {
  const refuse = (error: unknown): never => {
    throw cannotWrite(path, error);
  };
  const file = await open(path, 'a+').catch(refuse);
  try {
    if (!(await file.stat()).isFile()) throw notDone(`cannot write ${path}: it is not a regular file`);
    const done = await readDone(file, path);
    return {
      had: (question) => done.get(questionKey(question))?.pop(),
      write: (line) => file.appendFile(line).catch(refuse),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The exit statuses of the lines for each question. */
async function readDone(file: FileHandle, path: string): Promise<Map<string, ExitStatus[]>> {
  const done = new Map<string, ExitStatus[]>();
  let [number, whole] = [0, 0];
  for await (const { text, bytes, ending } of linesOf(file)) {
    number += 1;
    if (ending === 'torn') {
      if (!text.startsWith(BEGINNING.slice(0, text.length))) noResults(path, number);
      await file.truncate(whole);
      return done;
    }
    const { query, exitStatus } = readDoneLine(text) ?? noResults(path, number);
    done.set(questionKey(query), [...(done.get(questionKey(query)) ?? []), exitStatus]);
    whole += bytes;
  }
  return done;
}

/** How every line begins. */
const BEGINNING = '{"line":';

function noResults(path: string, line: number): never {
  throw notDone(`${path} line ${line} is not a result: is it the right file?`);
}

const LINE = object({
  exitStatus: oneOf(EXIT.agreed, EXIT.trouble, EXIT.notDone),
  query: QUESTION,
});

function readDoneLine(text: string): Of<typeof LINE> | undefined {
  try {
    return readShape(LINE, JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ShapeError) return undefined;
    throw error;
  }
}

/** The lines of a file from its beginning; the last may be torn. `bytes` counts the line end. */
async function* linesOf(file: FileHandle) {
  let rest: Buffer[] = [];
  for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) {
    let from = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
      const line = Buffer.concat([...rest, chunk.subarray(from, end)]);
      rest = [];
      from = end + 1;
      yield { text: line.toString('utf8'), bytes: line.length + 1, ending: 'whole' } as const;
    }
    rest.push(chunk.subarray(from));
  }
  const last = Buffer.concat(rest);
  if (last.length > 0) yield { text: last.toString('utf8'), bytes: last.length, ending: 'torn' } as const;
}

const LF = 0x0a;
