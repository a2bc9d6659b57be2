import { type Command, Option } from 'commander';
import { painter } from '../../report/table/paint.ts';
import { addServerFlag } from '../flags/server-flag.ts';
import { addTraversalFlags } from '../flags/traversal-flags.ts';
import { coloursWanted } from '../process/colour.ts';
import type { Configure } from '../process/configure.ts';
import type { ExitStatus } from '../process/exit-status.ts';
import { type Interruption, interruption } from '../process/interruption.ts';
import type { Io } from '../process/io.ts';
import { addJobArguments, type JobAsked, jobRun } from '../runner/job-run.ts';
import type { JobSight } from '../runner/job-sight.ts';
import { shortcoming, watchedStatus } from '../view/job-status.ts';
import { jsonLine } from '../view/json.ts';
import { LiveDisplay } from '../view/live-display.ts';
import { listShowcases } from '../view/showcases.ts';
import { watchFrame } from '../view/watch-frame.ts';
import { eventLine } from '../view/watch-lines.ts';
import { Picture } from '../view/watch-picture.ts';

type Flags = JobAsked['flags'] & {
  readonly format: 'text' | 'jsonl';
  readonly color: boolean;
};

/** `svc watch NAME|ID`. */
export const configureWatch: Configure = (command, { io, exit }) => {
  addJobArguments(command);
  addTraversalFlags(command);
  addServerFlag(command);
  addWatchFlags(command);
  command.action(async (target: string | undefined, type: string | undefined, flags: Flags) => {
    const isAskedForList = flags.demo && target === undefined && flags.x === undefined;
    exit(isAskedForList ? await listShowcases(io) : await watch({ target, type, flags }, flags, io));
  });
};

function addWatchFlags(command: Command): void {
  command
    .optionsGroup('What to print:')
    .addOption(
      new Option('--format <format>', 'text for people, jsonl for the events themselves')
        .choices(['text', 'jsonl'])
        .default('text'),
    )
    .option('--no-color', 'without colour (NO_COLOR and FORCE_COLOR are heeded too)')
    .addHelpText('after', AFTERWORD);
}

const AFTERWORD = `
Exit status:
  0    every path ends in the same answer, or in the same NODATA or NXDOMAIN
  1    done, and found trouble: paths that fail, or answers that differ
  2    wrong usage
  3    could not be done, or not to the end: no network, a limit, a server not reached
  130  interrupted; a job that was started by this command is cancelled

Examples:
  svc watch www.mixed.example --demo
  svc watch example.com --server http://localhost:8053
  svc watch 0f8fad5b-d9cb-469f-a165-70867728950e --server http://localhost:8053
`;

async function watch(asked: JobAsked, flags: Flags, io: Io): Promise<ExitStatus> {
  const run = await jobRun(asked, 'events', io);
  const picture = new Picture();
  const stop = interruption(io);
  const show = showing(picture, flags, io);
  try {
    await run(sightOf(picture, show, stop));
  } finally {
    show.stop();
    stop.stop();
  }
  const short = stop.by() === undefined ? shortcoming(picture) : undefined;
  if (short !== undefined) io.stderr.write(`svc: ${short}\n`);
  return watchedStatus(picture, stop.by());
}

/** How what happens is shown. */
interface Showing {
  readonly event: JobSight['emit'];
  readonly connection: JobSight['connection'];
  readonly stop: () => void;
}

function sightOf(picture: Picture, show: Showing, { signal }: Interruption): JobSight {
  return {
    signal,
    emit: (event) => {
      picture.note(event);
      if (!signal.aborted || event.event === 'complete') show.event(event);
    },
    identified: () => {
      picture.identified += 1;
    },
    connection: (state) => {
      picture.connection = state === 'lost' ? 'lost' : 'there';
      show.connection(state);
    },
  };
}

function showing(picture: Picture, { format, color }: Flags, io: Io): Showing {
  const isForPeople = format === 'text' && io.stdout.isTTY === true && io.env.TERM !== 'dumb';
  if (isForPeople) return liveShowing(picture, color, io);
  const line =
    format === 'jsonl' ? jsonLine : (event: Parameters<JobSight['emit']>[0]) => `${eventLine(event)}\n`;
  return {
    event: (event) => io.stdout.write(line(event)),
    connection: (state) =>
      io.stderr.write(state === 'lost' ? 'svc: connection lost, trying again\n' : 'svc: connected again\n'),
    stop: () => {},
  };
}

const REPAINT_MS = 100;

function liveShowing(picture: Picture, color: boolean, io: Io): Showing {
  const { stdout, env } = io;
  const display = new LiveDisplay(stdout);
  const paint = painter(coloursWanted(color, env, stdout) ? 'on' : 'off');
  const start = performance.now();
  const show = (rows: number) => {
    const room = { columns: (stdout.columns || 80) - 1, rows };
    display.show(watchFrame(picture, performance.now() - start, room, paint));
  };
  const timer = setInterval(() => show((stdout.rows || 24) - 1), REPAINT_MS);
  return {
    event: () => {},
    connection: () => {},
    stop: () => {
      clearInterval(timer);
      display.clear();
      if (picture.question === undefined) return;
      // What is left on the screen may be longer than the screen.
      show(Number.POSITIVE_INFINITY);
      stdout.write('\n');
    },
  };
}
