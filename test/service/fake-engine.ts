import { packed } from '../../src/base/packing.ts';
import { type Name, parseName } from '../../src/dns/name.ts';
import type { OutcomeRow } from '../../src/document/ends.ts';
import type { ExchangeHead } from '../../src/document/exchanges.ts';
import { DEFAULT_OPTIONS } from '../../src/document/options.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import type { Fingerprint } from '../../src/document/servers.ts';
import { asExpected, conclusionOf } from '../../src/report/views/conclusion.ts';
import type { Engine, JobRequest } from '../../src/service/jobs/job.ts';
import type { MetServer } from '../../src/traversal/servers-met.ts';
import { serialisedConclusion } from '../../src/traversal/threads/evaluation.ts';
import type { Traversed } from '../../src/traversal/threads/evaluation-order.ts';
import { type EarlyEvent, serialisedEvent } from '../../src/traversal/threads/messages.ts';
import { ALONE } from '../../src/traversal/threads/worker-thread.ts';

/** A traversal that a test leads. */
export interface FakeRun {
  readonly request: JobRequest;
  readonly signal: AbortSignal;
  readonly emit: (event: EarlyEvent) => void;
  /** Wants to send so many packets: with 0 it only waits for replies. */
  readonly wants: (packets: number) => void;
  /** Emits an exchange with this server. */
  readonly exchange: (address: string, names?: readonly Name[]) => void;
  readonly finish: (more?: Partial<TraversalResult>, met?: readonly MetServer[]) => void;
  readonly end: (traversed: Traversed) => void;
  readonly fail: (error: unknown) => void;
}

/** A fingerprinting that a test leads. */
export interface FakeFingerprinting {
  readonly server: MetServer;
  readonly signal: AbortSignal;
  /** It says nothing, unless told otherwise; asking took 12 packets. */
  readonly finish: (fingerprint?: Fingerprint) => void;
  readonly fail: (error: unknown) => void;
}

/** An engine that does what a test says, when it says so. Like the real one it obeys the signal. */
export interface FakeEngine extends Engine {
  /** How often it was closed. */
  readonly closed: () => number;
  readonly runs: readonly FakeRun[];
  readonly fingerprintings: readonly FakeFingerprinting[];
}

export const SERVER: MetServer = {
  address: '192.0.2.53',
  names: [parseName('ns1.example')],
  zones: [parseName('example')],
  reaction: 'replied',
};

/** A view in which users get one answer. */
export function answerView(answer: string, expected?: true): { readonly outcomes: readonly OutcomeRow[] } {
  const [name, zone] = [parseName('www.example'), parseName('example')];
  return {
    outcomes: [
      {
        ...{ probability: 1, fraction: '1', kind: 'answer', zone, server: null, authoritative: true },
        question: { name, type: 'A' },
        records: [{ name, type: 'A', ttl: 60, data: answer }],
        ...(expected && { expected }),
      },
    ],
  };
}

/** `manual`: every step is the test's; `prompt`: all goes through at once; `deaf`: manual, and it ignores signals. */
export function createFakeEngine(pace: 'manual' | 'prompt' | 'deaf' = 'manual'): FakeEngine {
  const runs: FakeRun[] = [];
  const fingerprintings: FakeFingerprinting[] = [];
  let closed = 0;
  return {
    closed: () => closed,
    close: async () => {
      closed += 1;
      for (const { end } of runs) end({ kind: 'dropped' });
    },
    runs,
    fingerprintings,
    fingerprintPackets: 28,
    traverse: (request, { emit: emitText, signal, place = ALONE }) =>
      new Promise((resolve, reject) => {
        const emit = (event: EarlyEvent) => emitText(serialisedEvent(event));
        let heard = 0;
        const finish = (more: Partial<TraversalResult> = {}, met: readonly MetServer[] = [SERVER]) =>
          resolve(traversed({ ...emptyResult(request), ...more }, met, heard));
        if (pace !== 'deaf')
          signal.addEventListener('abort', () => finish({ ending: 'cancelled', complete: false }));
        const exchange = (address: string, names: readonly Name[] = []) => {
          heard += 1;
          emit(exchangeEvent(`x${heard}`, { address, names }, request));
        };
        runs.push({
          request,
          signal,
          emit,
          wants: place.wants,
          exchange,
          finish,
          end: resolve,
          fail: reject,
        });
        const { query, options, startedAt } = emptyResult(request);
        emit({ event: 'started', query, options, startedAt });
        if (pace === 'prompt') finish();
      }),
    fingerprint: (server, signal) =>
      new Promise((resolve, reject) => {
        const finish = (fingerprint: Fingerprint = { versionBind: { status: 'timeout' } }) =>
          resolve({ fingerprint, packets: 12 });
        signal.addEventListener('abort', () => reject(signal.reason));
        fingerprintings.push({ server, signal, finish, fail: reject });
        if (pace === 'prompt') finish();
      }),
  };
}

function traversed(result: TraversalResult, met: readonly MetServer[], packets: number): Traversed {
  const text = new TextEncoder().encode(JSON.stringify(result));
  const status = result.ending === 'cancelled' ? 'cancelled' : 'complete';
  const conclusion = { ...serialisedConclusion(conclusionOf(result)), status } as const;
  const users = result.expected && { users: asExpected(result, 'users') };
  return { kind: 'evaluated', conclusion, result: [packed(text), packed(text)], met, packets, ...users };
}

function exchangeEvent(id: string, server: ExchangeHead['server'], { question }: JobRequest): EarlyEvent {
  return {
    event: 'exchange',
    id,
    server,
    question,
    transport: 'udp',
    attempts: 1,
    elapsedMs: 1,
    rcode: 'NOERROR',
    zone: parseName('.'),
    class: 'answer',
  };
}

function emptyResult({ question, options }: JobRequest): TraversalResult {
  return {
    schema: 3,
    query: { ...question, class: 'IN' },
    verdict: { status: 'ok', text: 'all users get the answer', severity: 'info', exitStatus: 0 },
    users: [],
    firstTries: [],
    options: { ...DEFAULT_OPTIONS, ...options },
    startedAt: '2026-11-21T00:00:00.000Z',
    finishedAt: '2026-11-21T00:00:00.005Z',
    durationMs: 5,
    complete: true,
    ending: 'whole',
    ends: [],
    views: {
      'first-tries': answerView('192.0.2.80'),
      resolver: answerView('192.0.2.80'),
    },
    coldLatencyMs: { best: 0, mean: 0, worst: 0 },
    zones: [],
    delegations: [],
    steps: [],
    lookups: [],
    exchanges: [],
    unasked: [],
    findings: [],
    figures: {
      exchanges: 0,
      checkExchanges: 0,
      unused: 0,
      packetsSent: 0,
      packetsReceived: 0,
      bytesSent: 0,
      bytesReceived: 0,
      timeouts: 0,
      servers: 0,
      zones: 0,
      paths: '1',
    },
  };
}
