import { onAbort } from '../../abort.ts';
import type { Name } from '../../wire/name.ts';
import type { LineForm } from '../../work/result-line.ts';
import type { FormatFlags } from '../flags/format-flags.ts';
import type { ManyFlags } from '../flags/many-flags.ts';
import type { TraversalFlags } from '../flags/traversal-flags.ts';
import { colourFor } from '../process/colour.ts';
import { EXIT, type ExitStatus } from '../process/exit-status.ts';
import { cannotRead, nameOf, openToRead, STDIN } from '../process/files.ts';
import { interruption } from '../process/interruption.ts';
import { type Io, lineWidth, whenUnread } from '../process/io.ts';
import { Ahead } from './ahead.ts';
import { blameLines } from './blame-lines.ts';
import { listSize } from './list-size.ts';
import { MostCounted } from './most-counted.ts';
import { type NameLine, nameLines } from './name-lines.ts';
import { openOutput } from './output.ts';
import { paceNotice } from './pace-notice.ts';
import { runPool } from './pool.ts';
import { openScreen } from './screen.ts';
import { Tally } from './tally.ts';
import { type ListContext, workOn, write } from './work.ts';
import { openWorkshop } from './workshop.ts';

type ManyRequestFlags = TraversalFlags & ManyFlags & Pick<FormatFlags, 'color' | 'quiet' | 'failOn'>;

/** What is asked for many names. */
interface ManyRequest {
  /** The file of names; "-" is stdin. */
  readonly path: string;
  readonly flags: ManyRequestFlags;
  readonly print: 'rows' | 'lines';
  /** Undefined: this host. */
  readonly server: URL | undefined;
}

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
  const screen = openScreen({ tally, total }, flags, io);
  try {
    const { makeLine, linesAtOnce, pace, close } = await openWorkshop(
      { ...request, form: formOf(request, io), screen, toResume: howToResume(flags) },
      io,
    );
    const notice = size && pace && !flags.shareReferrals ? paceNotice(size, pace) : undefined;
    if (notice !== undefined && !flags.quiet) screen.say(notice);
    const context: ListContext = { ...request, makeLine, output, screen, tally, blame, signal: halt.signal };
    const atOnce = {
      jobs: flags.namesAtOnce ?? linesAtOnce,
      order: flags.ordered ? 'as-given' : 'as-they-end',
    } as const;
    await workOnAll({ lines, ...atOnce }, context).finally(close);
    screen.clear();
    await output.write(blameLines(blame, tally.counts));
  } catch (error) {
    throw unreadable(error, path);
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

/** A list, and how it is worked on. */
interface ListWork {
  readonly lines: Ahead<NameLine>;
  readonly jobs: number;
  readonly order: 'as-given' | 'as-they-end';
}

async function workOnAll({ lines, jobs, order }: ListWork, context: ListContext): Promise<void> {
  await runPool({
    items: lines,
    work: (line) => workOn(line, context),
    write: (done) => write(done, context),
    jobs,
    order,
    signal: context.signal,
  });
}

/** The most servers that are counted. */
const MOST_SERVERS = 10_000;

function formOf({ flags, print }: ManyRequest, { stdout, env }: Io): LineForm {
  const { brief, onlyProblems, failOn } = flags;
  const row = { kind: 'row', colour: colourFor(flags, stdout, env), width: lineWidth(stdout) } as const;
  return {
    text: print === 'rows' ? row : { kind: brief ? 'brief' : 'whole' },
    names: onlyProblems ? 'problems' : 'all',
    ...(failOn === undefined ? {} : { failOn }),
  };
}

function howToResume({ resume }: ManyFlags): string {
  return resume === undefined
    ? 'to resume, keep the lines printed so far in a file and add --resume FILE'
    : 'run the same command to resume';
}

/** The `CommandError` for what kept the names from being read; any other error as it is. */
function unreadable(error: unknown, path: string): unknown {
  const isSystemError = error instanceof Error && 'syscall' in error;
  return isSystemError ? cannotRead(nameOf(path), error) : error;
}
