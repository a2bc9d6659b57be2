import type { TraversalResult } from '../../document/result.ts';
import type { Clock } from '../../exchange/clock.ts';
import { changeLine } from '../../reading/changes/change-line.ts';
import { summaryLine } from '../../reading/summary-line.ts';
import { printable } from '../../reading/words/printable.ts';
import { changesText } from '../../report/render/changes-text.ts';
import { jsonLine } from '../../shape/safe-json.ts';
import type { AgainFlags } from '../flags/again-flags.ts';
import { briefDuration } from '../flags/limit-option.ts';
import { type ColourFlag, colourFor } from '../process/colour.ts';
import { CommandError } from '../process/command-error.ts';
import { type Io, lineWidth } from '../process/io.ts';
import { complaint } from '../runner/complaint.ts';
import { keepResult } from './kept-results.ts';
import type { Obstacle, Round } from './rounds.ts';
import { runShellCommand } from './shell-command.ts';

/** The options that say what is told, as commander gives them. */
export interface RoundFlags extends AgainFlags, ColourFlag {
  readonly everyMs: number;
  readonly format: 'text' | 'jsonl';
  readonly verbose?: true;
}

type Outputs = Pick<Io, 'stdout' | 'stderr' | 'env'>;

interface Around {
  /** In words. */
  readonly question: string;
  readonly server: URL | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly io: Outputs;
}

type Changed = Extract<Round, { kind: 'changed' }>;

/** Prints, saves and passes on what there is to tell of a name that is traversed again and again. */
export function roundPrinter(flags: RoundFlags, around: Around): (round: Round) => Promise<void> {
  const { question, server, io } = around;
  const say = (text: string) => io.stderr.write(`svc: ${printable(text)}\n`);
  const every = `every ${briefDuration(flags.everyMs)}`;
  const keep = async (result: TraversalResult) => {
    if (flags.keep !== undefined) await keepResult(flags.keep, result).catch(notFatal(say));
  };
  return async (round) => {
    switch (round.kind) {
      case 'first':
        say(`${question} gets ${summaryLine(round.result.summary, 'terse')}; looking again ${every}`);
        return await keep(round.result);
      case 'changed':
        io.stdout.write(changeText(round, flags, io));
        await keep(round.after);
        return await passOn(round, flags, around, say);
      case 'lost':
        say(`${obstacleWords(round.obstacle, server)}; trying again ${every}`);
        return;
      case 'back':
        say('back again');
        return;
    }
  };
}

function changeText(round: Changed, flags: RoundFlags, { stdout, env }: Outputs): string {
  const { changes, before, after } = round;
  if (flags.format === 'jsonl') return changeJson(round);
  if (!flags.verbose) return `${after.finishedAt}  ${printable(changeLine(changes, before, after))}\n`;
  const colour = colourFor(flags, stdout, env);
  return `${changesText(changes, [before, after], { colour, detail: 'full', width: lineWidth(stdout) })}\n`;
}

function changeJson({ changes, after }: Changed): string {
  return jsonLine({ at: after.finishedAt, ...changes });
}

async function passOn(
  round: Changed,
  { onChange }: RoundFlags,
  { clock, signal, io }: Around,
  say: (text: string) => void,
): Promise<void> {
  if (onChange === undefined) return;
  const write = (chunk: Buffer) => void io.stderr.write(chunk);
  const end = await runShellCommand(onChange, changeJson(round), { write, clock, signal });
  if (end.kind === 'failed') say(`--on-change ${onChange}: ${end.why}`);
}

/** What may well work the next time, such as a full disk. */
function notFatal(say: (text: string) => void): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof CommandError)) throw error;
    say(error.message);
  };
}

function obstacleWords(obstacle: Obstacle, server: URL | undefined): string {
  switch (obstacle.kind) {
    case 'silence':
      return 'no server replied: the network may be down';
    case 'interception':
      return 'DNS is intercepted on the way: the name servers did not answer for themselves';
    case 'cancelled':
      return 'the job was cancelled at the service';
    case 'failure':
      return complaint(obstacle.failure, server).message;
  }
}
