import { jsonLine, jsonText } from '../../base/json.ts';
import type { Finding } from '../../document/finding.ts';
import type { ListedServer } from '../../document/servers.ts';
import { count } from '../../document/words/quantities.ts';
import type { FormatIn } from '../../report/formats.ts';
import { adviceRows } from '../../report/text/advice-rows.ts';
import { serverRows } from '../../report/text/server-rows.ts';
import { painter, table } from '../../report/text/table.ts';
import { adviceOn } from '../../report/views/advice.ts';
import { Progress, type RunEvent } from '../../report/views/progress.ts';
import { softwareLine } from '../../report/views/wording.ts';
import { ServersMet, serverIn } from '../../traversal/servers-met.ts';
import { skipped } from '../../traversal/survey.ts';
import { addPrintFlags, printedJson } from '../flags/format-flags.ts';
import { addQuestionArguments, namesQuestion, readQuestionWords } from '../flags/question.ts';
import { addServerFlag } from '../flags/server-flag.ts';
import { addTraversalFlags } from '../flags/traversal-flags.ts';
import { EXIT, type ExitStatus } from '../process/errors.ts';
import { addHelpSections, type Configure } from '../process/help.ts';
import { interruption } from '../process/interruption.ts';
import { type ColourFlag, colourFor, type Io, lineWidth, marksFor } from '../process/io.ts';
import { showProgress } from '../view/summary-frame.ts';
import { type AskedOfJob, listShowcases, runTarget, whyIncomplete } from './run-target.ts';

/** `svc servers NAME|ID`. */
export const configureServers: Configure = (command, { io, exit }) => {
  addQuestionArguments(command, 'what to look up, or the identifier of a job (with --server)');
  addTraversalFlags(command);
  addServerFlag(command);
  addPrintFlags(
    command,
    'servers',
    'all names and zones, and everything else the servers say about themselves',
  );
  addHelpSections(command, AFTERWORD);
  command.action(async (_name, _type, flags: Flags) => {
    const asked = { command: 'servers', words: readQuestionWords(command.args), flags } as const;
    exit(flags.demo && !namesQuestion(asked) ? await listShowcases(io) : await listServers(asked, flags, io));
  });
};

type Flags = AskedOfJob['flags'] &
  ColourFlag & {
    readonly format: FormatIn<'servers'>;
    readonly verbose?: true;
  };

const AFTERWORD = {
  examples: ['svc servers www.mixed.example --demo', 'svc servers example.com NS -v'],
} as const;

async function listServers(asked: AskedOfJob, flags: Flags, io: Io): Promise<ExitStatus> {
  const { signal, stop } = interruption(io);
  const progress = new Progress();
  const byNow = new ServersByNow();
  const live = showProgress(progress, flags, io);
  const tell = (event: RunEvent) => {
    progress.note(event);
    byNow.note(event);
  };
  await runTarget(asked, 'servers', { tell, signal }, io).finally(() => {
    live.stop();
    stop();
  });
  const { list } = progress;
  const { servers, findings } = list ?? { servers: byNow.list() };
  const status = list === undefined ? 'pending' : 'ready';
  io.stdout.write(textOf({ status, servers, ...(findings && { findings }) }, flags, io));
  return reportEnd(progress, signal.aborted ? 'interrupted' : 'ended', flags, io);
}

/** The servers that the events of a run have shown so far: what there is of a list that is not ready. */
class ServersByNow {
  #met = new ServersMet();
  readonly #known = new Map<string, ListedServer>();

  note(event: RunEvent): void {
    if (event.event === 'started') this.#met = new ServersMet();
    if (event.event === 'exchange') this.#met.note(serverIn(event));
    if (event.event === 'identified') this.#known.set(event.server.address, event.server);
  }

  /** Those that are settled, then those that replied and have not said what they are. */
  list(): readonly ListedServer[] {
    const unsettled = this.#met
      .list()
      .filter(({ address, reaction }) => reaction === 'replied' && !this.#known.has(address));
    return [
      ...this.#known.values(),
      ...unsettled.map(({ reaction: _, allNames: __, ...met }) => ({ ...met, ...skipped('time') })),
    ];
  }
}

interface List {
  /** Pending: these are not all. */
  readonly status: 'ready' | 'pending';
  readonly servers: readonly ListedServer[];
  readonly findings?: readonly Finding[];
}

function textOf(list: List, flags: Flags, io: Io): string {
  switch (flags.format) {
    case 'json':
      return jsonText(list, printedJson(io.stdout));
    case 'jsonl':
      return list.servers.map(jsonLine).join('');
    case 'text':
      return list.servers.length === 0 ? '' : tableOf(list, flags, io);
  }
}

function tableOf({ servers, findings = [] }: List, flags: Flags, { stdout, env }: Io): string {
  const paint = painter(colourFor(flags, stdout, env), marksFor(env));
  const width = lineWidth({ stdout, env });
  const addresses = count(servers.length, 'address', 'addresses');
  return [
    serverRows(servers, flags.verbose ? 'full' : 'terse', width),
    ...(flags.verbose && findings.length > 0 ? [adviceRows(adviceOn(findings, 'full'), width)] : []),
    [[{ text: `${addresses}: ${softwareLine(servers)}` }]],
  ]
    .map((rows) => table(rows, width, paint))
    .join('\n');
}

function reportEnd(progress: Progress, how: 'interrupted' | 'ended', { format }: Flags, io: Io): ExitStatus {
  const { list, identified } = progress;
  if (how === 'interrupted' && list === undefined) {
    io.stderr.write(`svc: interrupted: ${count(identified, 'server')} identified by then\n`);
    return EXIT.interrupted;
  }
  const short = whyIncomplete(progress);
  if (short !== undefined) {
    io.stderr.write(`svc: ${short}\n`);
    return EXIT.notDone;
  }
  if (list?.servers.length === 0 && format === 'text') io.stderr.write('svc: the job met no name servers\n');
  return EXIT.agreed;
}
