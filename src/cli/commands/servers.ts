import { type Command, Option } from 'commander';
import type { ListedServer } from '../../document/servers.ts';
import { count } from '../../reading/words/quantities.ts';
import { painter } from '../../report/table/paint.ts';
import { table } from '../../report/table/table.ts';
import { addJsonFlag } from '../flags/format.ts';
import { addServerFlag } from '../flags/server-flag.ts';
import { addTraversalFlags } from '../flags/traversal-flags.ts';
import { coloursWanted } from '../process/colour.ts';
import type { Configure } from '../process/configure.ts';
import { EXIT, type ExitStatus } from '../process/exit-status.ts';
import { type Interruption, interruption } from '../process/interruption.ts';
import type { Io } from '../process/io.ts';
import { addJobArguments, type JobAsked, jobRun } from '../runner/job-run.ts';
import { shortcoming } from '../view/job-status.ts';
import { json, jsonLine } from '../view/json.ts';
import { LiveDisplay } from '../view/live-display.ts';
import { serverRows } from '../view/servers-table.ts';
import { listShowcases } from '../view/showcases.ts';
import { softwareLine } from '../view/software-line.ts';
import { headline, painted } from '../view/watch-frame.ts';
import { Picture } from '../view/watch-picture.ts';

type Flags = JobAsked['flags'] & {
  readonly format: 'text' | 'json' | 'jsonl';
  readonly color: boolean;
  readonly verbose?: true;
};

/** `svc servers NAME|ID`. */
export const configureServers: Configure = (command, { io, exit }) => {
  addJobArguments(command);
  addTraversalFlags(command);
  addServerFlag(command);
  addListFlags(command);
  command.action(async (target: string | undefined, type: string | undefined, flags: Flags) => {
    const isAskedForList = flags.demo && target === undefined && flags.x === undefined;
    exit(isAskedForList ? await listShowcases(io) : await servers({ target, type, flags }, flags, io));
  });
};

function addListFlags(command: Command): void {
  command
    .optionsGroup('What to print:')
    .addOption(
      new Option('--format <format>', 'text for people, json for one list, jsonl for a server a line')
        .choices(['text', 'json', 'jsonl'])
        .default('text'),
    )
    .option('--no-color', 'without colour (NO_COLOR and FORCE_COLOR are heeded too)')
    .option('-v, --verbose', 'all names and zones, and what else the servers say of themselves')
    .addHelpText('after', AFTERWORD);
  addJsonFlag(command);
}

const AFTERWORD = `
Exit status:
  0    here is the list
  2    wrong usage
  3    could not be done, or not to the end: no network, a limit, a server not reached
  130  interrupted; what was known is printed

Examples:
  svc servers www.mixed.example --demo
  svc servers example.com NS -v
  svc servers example.com --server http://localhost:8053 --json
`;

async function servers(asked: JobAsked, flags: Flags, io: Io): Promise<ExitStatus> {
  const run = await jobRun(asked, 'list', io);
  const stop = interruption(io);
  const picture = new Picture();
  const known: ListedServer[] = [];
  const live = liveLine(picture, flags, io);
  try {
    await run({
      signal: stop.signal,
      emit: (event) => picture.note(event),
      connection: (state) => {
        picture.connection = state === 'lost' ? 'lost' : 'there';
      },
      identified: (server) => {
        picture.identified += 1;
        known.push(server);
      },
    });
  } finally {
    live.stop();
    stop.stop();
  }
  write(
    { status: picture.list === undefined ? 'pending' : 'ready', servers: picture.list?.servers ?? known },
    flags,
    io,
  );
  return tellEnd(picture, stop, flags, io);
}

interface List {
  /** Pending: these are not all. */
  readonly status: 'ready' | 'pending';
  readonly servers: readonly ListedServer[];
}

function write(list: List, { format, color, verbose }: Flags, io: Io): void {
  const { stdout } = io;
  switch (format) {
    case 'json':
      stdout.write(json(list));
      return;
    case 'jsonl':
      for (const server of list.servers) stdout.write(jsonLine(server));
      return;
    case 'text': {
      if (list.servers.length === 0) return;
      const paint = painter(coloursWanted(color, io.env, stdout) ? 'on' : 'off');
      const width = stdout.columns || Number.POSITIVE_INFINITY;
      stdout.write(table(serverRows(list.servers, verbose ? 'full' : 'terse', width), width, paint));
      const addresses = count(list.servers.length, 'address', 'addresses');
      stdout.write(`\n${table([[{ text: `${addresses}: ${softwareLine(list.servers)}` }]], width, paint)}`);
    }
  }
}

function tellEnd(picture: Picture, stop: Interruption, { format }: Flags, io: Io): ExitStatus {
  if (stop.by() === 'lost-reader') return EXIT.notDone;
  if (picture.list === undefined && stop.by() === 'signal') {
    io.stderr.write(
      `svc: interrupted: ${count(picture.identified, 'server')} said who they are until then\n`,
    );
    return EXIT.interrupted;
  }
  const short = shortcoming(picture);
  if (short === undefined) {
    if (picture.list?.servers.length === 0 && format === 'text') {
      io.stderr.write('svc: the job met no name servers\n');
    }
    return EXIT.agreed;
  }
  io.stderr.write(`svc: ${short}\n`);
  return EXIT.notDone;
}

const REPAINT_MS = 100;

/** How far it is, on stderr, if that is a terminal. */
function liveLine(picture: Picture, { color }: Flags, io: Io) {
  const { stderr, env } = io;
  if (stderr.isTTY !== true || env.TERM === 'dumb') return { stop: () => {} };
  const display = new LiveDisplay(stderr);
  const paint = painter(coloursWanted(color, env, stderr) ? 'on' : 'off');
  const start = performance.now();
  const timer = setInterval(() => {
    const line = headline(picture, performance.now() - start);
    display.show([painted(line, (stderr.columns || 80) - 1, paint)]);
  }, REPAINT_MS);
  return {
    stop: () => {
      clearInterval(timer);
      display.clear();
    },
  };
}
