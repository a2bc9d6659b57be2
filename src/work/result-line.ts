import { asItIs } from '../document/octet-chunks.ts';
import type { TraversalResult } from '../document/result.ts';
import { type ResultOctets, resultOctets } from '../document/result-octets.ts';
import type { Pausable } from '../pausable.ts';
import { exitStatus } from '../reading/exit-status.ts';
import { jsonLine, LINE_JSON } from '../shape/safe-json.ts';
import { type Failed, TOO_LARGE } from './evaluation.ts';

/** How much a line says of its result: all, or not what makes lines long. */
export type LineDetail = 'whole' | 'brief';

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
  /** UTF-8, with the line end, in chunks. */
  readonly chunks: readonly LineChunk[];
}

/** The line for a result. `line` is that of the list; they count from 1. */
export function* resultLine(
  result: TraversalResult,
  line: number,
  detail: LineDetail,
): Pausable<ResultLine | Failed> {
  const head = { line, exitStatus: exitStatus(result) };
  const text = yield* WRITTEN[detail](head, result);
  if (text.kind === 'too-large') return { kind: 'failed', error: TOO_LARGE };
  const { ending, stats } = result;
  return {
    kind: 'line',
    ending,
    exitStatus: head.exitStatus,
    exchanges: stats.exchanges,
    shared: stats.sharedExchanges ?? 0,
    chunks: text.chunks,
  };
}

/** Results of so many octets heard, and so many steps, are written at once: piece by piece takes longer. */
const [SMALL_HEARD, SMALL_STEPS] = [16_384, 64];

function* wholeLine(head: LineHead, result: TraversalResult): Pausable<ResultOctets<LineChunk>> {
  const row = { ...head, ...result };
  const heard = result.exchanges.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
  if (heard > SMALL_HEARD || result.steps.length > SMALL_STEPS)
    return yield* resultOctets(row, LINE_JSON, asItIs);
  return { kind: 'written', chunks: [encoder.encode(jsonLine(row))] };
}

const WRITTEN: Readonly<
  Record<LineDetail, (head: LineHead, result: TraversalResult) => Pausable<ResultOctets<LineChunk>>>
> = {
  whole: wholeLine,
  brief: briefLine,
};

const encoder = new TextEncoder();

function* briefLine(
  { line, exitStatus }: LineHead,
  result: TraversalResult,
): Pausable<ResultOctets<LineChunk>> {
  const { schema, query, startedAt, durationMs, complete, ending, summary, coldLatencyMs, stats } = result;
  const resolver = { summary: result.resolver.summary };
  const warm = result.warm && {
    summary: result.warm.summary,
    resolver: { summary: result.warm.resolver.summary },
  };
  const findings = result.findings.map(({ id, consequenceOf, code, severity, zone, server, message }) => ({
    id,
    consequenceOf,
    code,
    severity,
    zone,
    server,
    message,
  }));
  const head = { line, exitStatus, schema, query, startedAt, durationMs, complete, ending };
  const row = { ...head, summary, resolver, warm, coldLatencyMs, findings, stats };
  return { kind: 'written', chunks: [encoder.encode(jsonLine(row))] };
}
