import type { Command } from 'commander';
import { jsonLine } from '../../base/json.ts';
import type { JobEvent } from '../../document/events.ts';
import type { FormatIn } from '../../report/formats.ts';
import { painter } from '../../report/text/table.ts';
import { Progress, type RunEvent } from '../../report/views/progress.ts';
import { addJsonFlag, addLookFlags, formatOption } from '../flags/format-flags.ts';
import { type AgainFlags, addAgainFlags } from '../flags/many-flags.ts';
import { addQuestionArguments, namesQuestion, readQuestionWords, watchTarget } from '../flags/question.ts';
import { addServerFlag, serverOf } from '../flags/server-flag.ts';
import { addExpectFlags, addTraversalFlags, requestOptionsFromFlags } from '../flags/traversal-flags.ts';
import { EXIT, type ExitStatus, usageError } from '../process/errors.ts';
import { addHelpSections, type Configure } from '../process/help.ts';
import { interruption } from '../process/interruption.ts';
import { type ColourFlag, canRepaint, colourFor, columnsOf, type Io, marksFor } from '../process/io.ts';
import { eventLine, eventWriter } from '../view/event-output.ts';
import { showLive } from '../view/live.ts';
import { lastFrame, zonesFrame } from '../view/zones-frame.ts';
import { type AskedOfJob, listShowcases, runTarget, whyIncomplete } from './run-target.ts';

/** `svc watch NAME|ID`. */
export const configureWatch: Configure = (command, { io, exit }) => {
  addQuestionArguments(command, 'what to look up, or the identifier of a job (with --server)');
  addTraversalFlags(command);
  addExpectFlags(command);
  addServerFlag(command);
  addAgainFlags(command);
  addWatchFlags(command);
  addHelpSections(command, AFTERWORD);
  command.action(async (_name, _type, flags: Flags) => {
    const asked = { command: 'watch', words: readQuestionWords(command.args), flags } as const;
    if (flags.demo && !namesQuestion(asked)) return exit(await listShowcases(io));
    exit(await (flags.everyMs === undefined ? watch(asked, flags, io) : again(asked, flags.everyMs, io)));
  });
};

type Flags = AskedOfJob['flags'] &
  AgainFlags &
  ColourFlag & {
    readonly format: FormatIn<'watch'>;
    readonly verbose?: true;
  };

function addWatchFlags(command: Command): void {
  command.optionsGroup('What to print:').addOption(formatOption('watch'));
  addJsonFlag(command, 'jsonl');
  addLookFlags(command, 'leave nothing out: each server, and how each exchange was made');
}

const AFTERWORD = {
  examples: [
    'svc watch www.mixed.example --demo',
    "svc watch example.com --every 5m --on-change 'mail -s DNS admin'",
  ],
} as const;

async function again(
  asked: AskedOfJob & { readonly flags: Flags },
  everyMs: number,
  io: Io,
): Promise<ExitStatus> {
  const server = serverOf(asked.flags, io.env);
  const target = watchTarget(asked, server, Object.keys(requestOptionsFromFlags(asked.flags)));
  if (target.kind === 'job')
    throw usageError(`${target.id} is a job, which runs once: write NAME, or leave out --every`);
  const { watchAgain } = await import('../many/watch-again.ts');
  return await watchAgain(target.question, server, { ...asked.flags, everyMs }, io);
}

async function watch(asked: AskedOfJob, flags: Flags, io: Io): Promise<ExitStatus> {
  const progress = new Progress();
  const { signal, stop } = interruption(io);
  const show = showing(progress, flags, io);
  const tell = (event: RunEvent) => {
    progress.note(event);
    if (!signal.aborted || event.event === 'complete') show.event(event);
  };
  const { room } = show;
  await runTarget(asked, 'events', { tell, room, signal }, io).finally(() => {
    show.stop();
    stop();
  });
  if (signal.aborted && progress.list === undefined) return EXIT.interrupted;
  const short = whyIncomplete(progress);
  if (short !== undefined) io.stderr.write(`svc: ${short}\n`);
  return progress.complete?.verdict?.exitStatus ?? EXIT.notDone;
}

/** How what happens is shown. */
interface Showing {
  readonly event: (event: RunEvent) => void;
  /** See `RunObserver`. */
  readonly room: () => Promise<void> | undefined;
  readonly stop: () => void;
}

function showing(progress: Progress, flags: Flags, io: Io): Showing {
  const isLive = flags.format === 'text' && canRepaint(io.stdout, io.env);
  return isLive ? showZones(progress, flags, io) : showLines(flags, io);
}

function showLines({ format, verbose }: Flags, { stdout, stderr }: Io): Showing {
  const detail = verbose ? 'full' : 'terse';
  const lines: Readonly<Record<Flags['format'], (event: JobEvent) => string>> = {
    text: (event) => `${eventLine(event, detail)}\n`,
    jsonl: jsonLine,
  };
  const events = eventWriter(stdout, lines[format]);
  const event = (event: RunEvent) => {
    events.write(event);
    if (event.event === 'connection') stderr.write(CONNECTION_WORDS[event.state]);
  };
  return { event, room: events.room, stop: events.stop };
}

const CONNECTION_WORDS = {
  lost: 'svc: connection lost, trying again\n',
  back: 'svc: connected again\n',
};

function showZones(progress: Progress, flags: Flags, { stdout, env }: Io): Showing {
  const paint = painter(colourFor(flags, stdout, env), marksFor(env));
  const look = { paint, detail: flags.verbose ? 'full' : 'terse' } as const;
  const elapsed = () => performance.now() - progress.startedAt;
  const live = showLive(stdout, (room) => zonesFrame(progress, elapsed(), room, look));
  return {
    event: () => {},
    room: () => undefined,
    stop: () => {
      live.stop();
      if (progress.question === undefined) return;
      // What stays on the screen may be longer than the screen.
      stdout.write(`${lastFrame(progress, elapsed(), columnsOf(stdout) - 1, look).join('\n')}\n`);
    },
  };
}
