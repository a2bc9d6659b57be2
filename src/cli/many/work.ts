import type { ApiFailure } from '../../client/failure.ts';
import type { RunEvent } from '../../progress/run-event.ts';
import type { Name } from '../../wire/name.ts';
import type { ResultLine } from '../../work/result-line.ts';
import { CommandError } from '../process/command-error.ts';
import { EXIT, type ExitStatus } from '../process/exit-status.ts';
import { nameOf } from '../process/files.ts';
import { complaint } from '../runner/complaint.ts';
import type { LineMaker } from './line-maker.ts';
import type { MostCounted } from './most-counted.ts';
import type { NameLine } from './name-lines.ts';
import type { ManyOutput } from './output.ts';
import type { ListScreen } from './screen.ts';
import type { Tally } from './tally.ts';

/** What became of a line. */
export type Done =
  | ResultLine
  | { readonly kind: 'failed'; readonly line: number; readonly why: string; readonly status: ExitStatus }
  /** Done by an earlier run. */
  | { readonly kind: 'skipped'; readonly status: ExitStatus }
  /** Not done to the end, because the run was stopped. */
  | { readonly kind: 'stopped' };

/** What the lines of a list have in common. */
export interface ListContext {
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
export async function workOn(name: NameLine, context: ListContext): Promise<Done> {
  const { tally, signal, output } = context;
  const { line } = name;
  if (name.kind === 'bad') return { kind: 'failed', line, why: name.why, status: EXIT.usage };
  const before = output.had(name.question);
  if (before !== undefined) return { kind: 'skipped', status: before };
  const progress = tally.begin(name.question);
  try {
    const tell = (event: RunEvent) => progress.note(event);
    const answer = await context.makeLine(name, { signal, tell });
    if (answer.kind === 'failed') return failedLine(line, answer.failure, context);
    const isCutShort = signal.aborted && answer.value.ending === 'cancelled';
    return isCutShort ? { kind: 'stopped' } : answer.value;
  } finally {
    tally.end(progress);
  }
}

function failedLine(line: number, failure: ApiFailure, { server }: ListContext): Done {
  if (failure.kind === 'stopped') return { kind: 'stopped' };
  const { status, message } = complaint(failure, server);
  if (isOfOneName(failure)) return { kind: 'failed', line, why: message, status };
  throw new CommandError(status, message);
}

/** Whether a failure is one name's own. Options are the same for all. */
function isOfOneName(failure: Exclude<ApiFailure, { readonly kind: 'stopped' }>): boolean {
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
export async function write(done: Done, context: ListContext): Promise<void> {
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
