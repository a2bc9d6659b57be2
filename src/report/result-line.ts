/* The line of a result among those of many names: a row for people, or JSON. */

import { jsonLine, LINE_JSON } from '../base/json.ts';
import type { Name } from '../dns/name.ts';
import type { Failed } from '../document/api/jobs.ts';
import type { FailOn } from '../document/finding.ts';
import type { TraversalResult } from '../document/result.ts';
import { keepOctets, type ResultOctets, resultOctets } from '../document/result-octets.ts';
import { briefResult } from '../document/views.ts';
import { type Look, renderText } from './result-text.ts';
import { type NameRowLook, nameRow } from './short-text.ts';
import { exitStatus } from './views/conclusion.ts';
import { faultyServersOf } from './views/faulty-servers.ts';
import { RESULT_STATUS } from './views/status.ts';

/** The line for a result. `line` is that of the list; they count from 1. */
export function resultLine(
  result: TraversalResult,
  line: number,
  { text: wanted, names, failOn }: LineForm,
): ResultLine | Failed {
  const head = { line, exitStatus: exitStatus(result, failOn) };
  const isLeftOut = names === 'problems' && head.exitStatus === RESULT_STATUS.agreed;
  const text = isLeftOut ? NOTHING : written(head, result, wanted);
  if (text.kind === 'failed') return text;
  const { ending, figures } = result;
  return {
    kind: 'line',
    ending,
    exitStatus: head.exitStatus,
    exchanges: figures.exchanges,
    shared: figures.sharedExchanges ?? 0,
    culprits:
      wanted.kind === 'row' && head.exitStatus === RESULT_STATUS.trouble
        ? faultyServersOf(result).map(({ name }) => name)
        : [],
    chunks: text.chunks,
  };
}

/** The text of a line: the result as JSON, with its evidence or without that and its views, its text, or a row for people. */
type LineText =
  | { readonly kind: 'full' | 'line' }
  | ({ readonly kind: 'text' } & Look)
  | ({ readonly kind: 'row' } & NameRowLook);

/** How the lines of a run are made. */
export interface LineForm {
  readonly text: LineText;
  /** `problems`: names without trouble have an empty line. */
  readonly names: 'all' | 'problems';
  /** The least severity of a finding that is trouble, and the only trouble; absent: as usual. */
  readonly failOn?: FailOn;
}

/** What a line of JSON says before its result. */
interface LineHead {
  /** The line of the list that it is for; they count from 1. */
  readonly line: number;
  /** Of the name alone. */
  readonly exitStatus: ReturnType<typeof exitStatus>;
}

type LineChunk = Uint8Array<ArrayBuffer>;

/** A result as a line of JSON, and what a run over many names counts of it. */
export interface ResultLine extends Pick<TraversalResult, 'ending'> {
  readonly kind: 'line';
  readonly exitStatus: LineHead['exitStatus'];
  readonly exchanges: number;
  /** For how many of them nothing was sent. */
  readonly shared: number;
  /** Servers at which paths go wrong; of rows for names with trouble only. */
  readonly culprits: readonly Name[];
  /** UTF-8, with the line end, in chunks; none of an empty line. */
  readonly chunks: readonly LineChunk[];
}

type Written = ResultOctets<LineChunk>;

const NOTHING: Written = { kind: 'written', chunks: [] };

function written(head: LineHead, result: TraversalResult, text: LineText): Written {
  switch (text.kind) {
    case 'full':
      return wholeLine(head, result);
    case 'line': {
      const { views: _, ...brief } = briefResult(result);
      return { kind: 'written', chunks: [encoder.encode(jsonLine({ ...head, ...brief }))] };
    }
    case 'text':
      return {
        kind: 'written',
        chunks: [encoder.encode(`${head.line > 1 ? '\n' : ''}${renderText(result, text)}`)],
      };
    case 'row':
      return { kind: 'written', chunks: [encoder.encode(nameRow(result, text))] };
  }
}

/** Results of so many octets heard, and so many steps, are written at once: piece by piece takes longer. */
const [SMALL_HEARD, SMALL_STEPS] = [16_384, 64];

function wholeLine(head: LineHead, result: TraversalResult): Written {
  const row = { ...head, ...result };
  const heard = result.exchanges.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
  if (heard > SMALL_HEARD || result.steps.length > SMALL_STEPS)
    return resultOctets(row, LINE_JSON, keepOctets);
  return { kind: 'written', chunks: [encoder.encode(jsonLine(row))] };
}

const encoder = new TextEncoder();
