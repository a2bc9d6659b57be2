/* Makes the line of output for each of many names, in a thread. */

import { jsonLine, LINE_JSON } from '../../base/json.ts';
import { type Question, questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { TraversalEvent } from '../../document/events.ts';
import type { FailOn } from '../../document/finding.ts';
import type { TraversalOptions } from '../../document/options.ts';
import type { Saved } from '../../document/read-result.ts';
import type { TraversalResult } from '../../document/result.ts';
import { keepOctets, type ResultOctets, resultOctets } from '../../document/result-octets.ts';
import { probing, type SpecialExchange } from '../../exchange/exchange.ts';
import type { Exchange, Probing } from '../../exchange/exchanged.ts';
import type { Pace } from '../../exchange/pacer.ts';
import type { Query } from '../../exchange/query.ts';
import { byTtl, momentary, shareExchanges, shareProbes } from '../../exchange/shared-exchanges.ts';
import type { Delegation } from '../../explore/delegation.ts';
import { KnownReferrals, shareReferrals } from '../../explore/shared-referrals.ts';
import { type NameRowLook, nameRow } from '../../report/short-text.ts';
import { exitStatus, RESULT_STATUS } from '../../report/views/conclusion.ts';
import { faultyServersOf } from '../../report/views/faulty-servers.ts';
import { type Configuration, configured } from '../configuration.ts';
import { recordTraversal } from '../traverse.ts';
import { type Failed, TOO_LARGE } from './evaluation.ts';

/** Traverses many names over one exchange, which they share where that is sound. */
export function createLineWork(run: LineRun, hints: Delegation, exchange: SpecialExchange): LineWork {
  const { options, audience, maxKept, configuration } = run;
  const inWork = new Set<string>();
  const keeps = ({ question }: Query) => !inWork.has(questionKey(question));
  const among = options.share
    ? sharedInRun(exchange, options.maxTimeMs)
    : sharedForMoment(exchange, { maxAgeMs: options.maxTimeMs, maxKept, keeps });
  return async ({ question }, tell, signal) => {
    const around = { ...among, signal, ...emitTo(audience, tell) };
    // Another name seldom has the same question, so its replies are not kept.
    const key = questionKey(question);
    inWork.add(key);
    const recorded = recordTraversal({ question, options, hints, ifAgreed: 'leave' }, around);
    const { recording, circumstances } = await recorded.finally(() => inWork.delete(key));
    const saved = { recording, circumstances };
    return configuration === undefined ? saved : configured(saved, configuration);
  };
}

/** Exchanges and probes that the names of a run share. */
export interface SharedAmongNames {
  readonly exchange: Exchange;
  readonly probing: Probing;
}

/** Those that a traversal would use itself at the age that they have: of `maxAgeMs` at most. */
export function sharedForMoment(
  exchange: SpecialExchange,
  { maxAgeMs, ...rest }: Momentary,
): SharedAmongNames {
  const sharing = { ...rest, lifeMs: momentary(maxAgeMs), marked: false };
  return { exchange: shareExchanges(exchange, sharing), probing: shareProbes(probing(exchange), sharing) };
}

interface Momentary {
  readonly maxAgeMs: number;
  /** The most replies that are kept for other names. */
  readonly maxKept: number;
  /** Whether another name may have the question; absent: always. */
  readonly keeps?: (query: Query) => boolean;
}

/** All of a run, as in a resolver's cache (svc-model(7), SHARED EXCHANGES). */
export function sharedInRun(exchange: SpecialExchange, maxAgeMs: number): SharedAmongNames {
  const referring = shareReferrals(exchange, new KnownReferrals(MOST_CUTS));
  const sharing = { lifeMs: byTtl, marked: true, maxKept: MOST_KEPT };
  const { probing } = sharedForMoment(exchange, { maxAgeMs, maxKept: MOST_KEPT });
  return { exchange: shareExchanges(referring, sharing), probing };
}

/** The most replies that a run remembers with `share`, and the most cuts of zones other than the root. */
const [MOST_KEPT, MOST_CUTS] = [20_000, 200];

/** The settings of a run over many names. They are copied to each worker. */
export interface LineRun {
  readonly options: TraversalOptions;
  readonly form: LineForm;
  /** Whether somebody follows the progress of names. */
  readonly audience: 'some' | 'none';
  /** The pace of each thread, where threads need not wait for each other; absent: the main thread gives turns. */
  readonly ownPace?: Pace;
  /** The most replies that a thread keeps for other names. */
  readonly maxKept: number;
  /** What is expected of which names; absent: nothing. */
  readonly configuration?: Configuration;
}

/** The progress of the traversal of a name. */
export type LineProgress = Extract<TraversalEvent, { readonly event: 'progress' }>;

/** A name of the list, with its line. */
export interface LineOrder {
  readonly question: Question;
  readonly line: number;
}

/** Traverses a name; once `signal` is aborted, it gives what was known. */
type LineWork = (
  order: LineOrder,
  tell: (progress: LineProgress) => void,
  signal: AbortSignal,
) => Promise<Saved>;

/** Without an audience no events are made: that would only take time. */
function emitTo(audience: LineRun['audience'], tell: (progress: LineProgress) => void) {
  if (audience === 'none') return {};
  return {
    emit: (event: TraversalEvent) => {
      if (event.event === 'progress') tell(event);
    },
  };
}

/** The text of a line: the whole result as JSON, its short form as JSON, or a row for people. */
type LineText = { readonly kind: 'whole' | 'brief' } | ({ readonly kind: 'row' } & NameRowLook);

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

/** The line for a result. `line` is that of the list; they count from 1. */
export function resultLine(
  result: TraversalResult,
  line: number,
  { text: wanted, names, failOn }: LineForm,
): ResultLine | Failed {
  const head = { line, exitStatus: exitStatus(result, failOn) };
  const isLeftOut = names === 'problems' && head.exitStatus === RESULT_STATUS.agreed;
  const text = isLeftOut ? NOTHING : written(head, result, wanted);
  if (text.kind === 'too-large') return { kind: 'failed', error: TOO_LARGE };
  const { ending, stats } = result;
  return {
    kind: 'line',
    ending,
    exitStatus: head.exitStatus,
    exchanges: stats.exchanges,
    shared: stats.sharedExchanges ?? 0,
    culprits:
      wanted.kind === 'row' && head.exitStatus === RESULT_STATUS.trouble
        ? faultyServersOf(result).map(({ name }) => name)
        : [],
    chunks: text.chunks,
  };
}

type Written = ResultOctets<LineChunk>;

const NOTHING: Written = { kind: 'written', chunks: [] };

function written(head: LineHead, result: TraversalResult, text: LineText): Written {
  switch (text.kind) {
    case 'whole':
      return wholeLine(head, result);
    case 'brief':
      return briefLine(head, result);
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

function briefLine({ line, exitStatus }: LineHead, result: TraversalResult): Written {
  const { schema, query, startedAt, durationMs, complete, ending, summary, coldLatencyMs, stats } = result;
  const resolver = { summary: result.resolver.summary };
  const warm = result.warm && {
    summary: result.warm.summary,
    resolver: { summary: result.warm.resolver.summary },
  };
  const validating = result.validating && { summary: result.validating.summary };
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
  const row = { ...head, summary, resolver, warm, validating, coldLatencyMs, findings, stats };
  return { kind: 'written', chunks: [encoder.encode(jsonLine(row))] };
}
