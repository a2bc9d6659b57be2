import { onAbort } from '../../base/abort.ts';
import type { Name } from '../../dns/name.ts';
import type { RunFailure } from '../../document/run-answer.ts';
import type { LineForm, ResultLine } from '../../report/result-line.ts';
import type { FormatFlags } from '../flags/format-flags.ts';
import type { ManyFlags, ManyPrint } from '../flags/many-flags.ts';
import type { TraversalFlags } from '../flags/traversal-flags.ts';
import { CommandError, EXIT, type ExitStatus } from '../process/errors.ts';
import { cannotRead, nameOf, openToRead, STDIN } from '../process/files.ts';
import { interruption } from '../process/interruption.ts';
import { type Io, textLook, whenUnread } from '../process/io.ts';
import { failureError } from '../runner/failure.ts';
import { blameLines, MostCounted } from './culprits.ts';
import type { LineMaker } from './line-maker.ts';
import { Ahead, listSize, type NameLine, nameLines } from './name-list.ts';
import { openLineMaker } from './open-line-maker.ts';
import { type ManyOutput, openOutput } from './output.ts';
import { runPool } from './run-pool.ts';
import { type ListScreen, openScreen, paceNotice, Tally } from './tally.ts';

/**
 * Traverses the names of a file and writes a line of JSON or a row for each, and below rows which servers break
 * most names. The exit status is the highest of
 * theirs; a line that holds no name counts as wrong usage.
 */
export async function traverseMany(request: ManyRequest, io: Io): Promise<ExitStatus> {
  const { path, flags } = request;
  // Before anything listens for signals: nothing else ends an attempt to open a pipe without a writer.
  const input = path === STDIN ? io.stdin : await openToRead(path);
  const output = await openOutput(flags, io.stdout).catch((error: unknown) => {
    input.destroy();
    throw error;
  });
  const { signal: interrupted, stop } = interruption(io);
  const halt = new AbortController();
  const stopListening = [
    stop,
    onAbort(interrupted, () => halt.abort()),
    whenUnread(io.stdout, () => halt.abort()),
  ];
  const lines = new Ahead(nameLines(input, nameOf(path)));
  onAbort(halt.signal, () => lines.stop());
  const tally = new Tally();
  const blame = new MostCounted<Name>(MOST_SERVERS);
  const size = path === STDIN ? undefined : await listSize(path);
  const total = () => lines.total ?? (size?.kind === 'counted' ? size.names : undefined);
  const screen = openScreen(tally, total, flags, io);
  try {
    const { makeLine, linesAtOnce, pace, close } = await openLineMaker(
      { ...request, form: formOf(request, io), screen, toResume: howToResume(flags) },
      io,
    );
    const notice = size && pace && !flags.share ? paceNotice(size, pace) : undefined;
    if (notice !== undefined && !flags.quiet) screen.say(notice);
    const context: ListContext = { ...request, makeLine, output, screen, tally, blame, signal: halt.signal };
    await runPool({
      items: lines,
      work: (line) => workOn(line, context),
      write: (done) => write(done, context),
      jobs: flags.namesAtOnce ?? linesAtOnce,
      order: flags.ordered || request.print === 'texts' ? 'as-given' : 'as-they-end',
      signal: halt.signal,
    }).finally(close);
    screen.clear();
    await output.write(blameLines(blame, tally.counts));
  } catch (error) {
    // The names could not be read.
    throw error instanceof Error && 'syscall' in error ? cannotRead(nameOf(path), error) : error;
  } finally {
    screen.stop();
    for (const stop of stopListening) stop();
    input.destroy();
    await output.close();
  }
  if (interrupted.aborted || !halt.signal.aborted) screen.close();
  if (interrupted.aborted) screen.say(`interrupted; ${howToResume(flags)}`);
  else if (lines.total === 0) screen.say(`there are no names in ${nameOf(path)}`);
  return interrupted.aborted ? EXIT.interrupted : tally.status;
}

/** What is asked for many names. */
interface ManyRequest {
  /** The file of names; "-" is stdin. */
  readonly path: string;
  readonly flags: TraversalFlags &
    ManyFlags &
    Pick<FormatFlags, 'color' | 'full' | 'quiet' | 'verbose' | 'failOn'>;
  readonly print: ManyPrint;
  /** Undefined: this host. */
  readonly server: URL | undefined;
}

/** The most servers that are counted. */
const MOST_SERVERS = 10_000;

function formOf({ flags, print }: ManyRequest, io: Io): LineForm {
  const { full, onlyProblems, failOn } = flags;
  const look = textLook(flags, io);
  const texts = {
    rows: { kind: 'row', ...look },
    texts: { kind: 'text', ...look },
    lines: { kind: full ? 'full' : 'line' },
  } as const satisfies Readonly<Record<ManyPrint, LineForm['text']>>;
  return {
    text: texts[print],
    names: onlyProblems ? 'problems' : 'all',
    ...(failOn === undefined ? {} : { failOn }),
  };
}

function howToResume({ resume }: ManyFlags): string {
  return resume === undefined
    ? 'to resume, keep the lines printed so far in a file and add --resume FILE'
    : 'run the same command to resume';
}

/** What became of a line. */
type Done =
  | ResultLine
  | { readonly kind: 'failed'; readonly line: number; readonly why: string; readonly status: ExitStatus }
  /** Done by an earlier run. */
  | { readonly kind: 'skipped'; readonly status: ExitStatus }
  /** Not done to the end, because the run was stopped. */
  | { readonly kind: 'stopped' };

/** What the lines of a list have in common. */
interface ListContext {
  readonly path: string;
  readonly server: URL | undefined;
  readonly makeLine: LineMaker;
  readonly output: ManyOutput;
  readonly screen: ListScreen;
  readonly tally: Tally;
  /** Servers that break names, by how many. */
  readonly blame: MostCounted<Name>;
  readonly signal: AbortSignal;
}

/** Does what a line asks for. Throws a `CommandError` for a failure that every line would meet. */
async function workOn(name: NameLine, context: ListContext): Promise<Done> {
  const { tally, signal, output } = context;
  const { line } = name;
  if (name.kind === 'bad') return { kind: 'failed', line, why: name.why, status: EXIT.usage };
  const before = output.had(name.question);
  if (before !== undefined) return { kind: 'skipped', status: before };
  const progress = tally.begin(name.question);
  try {
    const answer = await context.makeLine(name, { signal, tell: (event) => progress.note(event) });
    if (answer.kind === 'failed') return failedLine(line, answer.failure, context);
    const isCutShort = signal.aborted && answer.value.ending === 'cancelled';
    return isCutShort ? { kind: 'stopped' } : answer.value;
  } finally {
    tally.running.delete(progress);
  }
}

function failedLine(line: number, failure: RunFailure, { server }: ListContext): Done {
  if (failure.kind === 'stopped') return { kind: 'stopped' };
  const { status, message } = failureError(failure, server);
  if (isOfOneName(failure)) return { kind: 'failed', line, why: message, status };
  throw new CommandError(status, message);
}

/** Whether a failure is one name's own. Options are the same for all. */
function isOfOneName(failure: Exclude<RunFailure, { readonly kind: 'stopped' }>): boolean {
  switch (failure.kind) {
    case 'fault':
      return true;
    case 'refused':
      return !failure.errors.some(({ pointer }) => pointer.startsWith('/options'));
    case 'unreachable':
    case 'rate-limited':
    case 'busy':
    case 'no-such-job':
    case 'not-a-service':
      return false;
  }
}

/** Counts what became of a line, and writes or tells it. */
async function write(done: Done, context: ListContext): Promise<void> {
  const { tally, output, screen, path } = context;
  switch (done.kind) {
    case 'line':
      tally.note(done.exitStatus);
      tally.add(done);
      for (const server of done.culprits) context.blame.add(server);
      screen.clear();
      await output.write(done.chunks);
      return;
    case 'failed':
      tally.note(done.status);
      screen.say(`${nameOf(path)} line ${done.line}: ${done.why}`);
      return;
    case 'skipped':
      tally.note(done.status, 'skipped');
      return;
    case 'stopped':
      return;
  }
}
