/*
 * exchange: one question to one server.
 *
 * An `Exchange` (exchanged.ts) takes a query and resolves with what came of it; trouble on the wire is a value. Here is
 * the exchange over the network. It composes the query (compose.ts: ID, case and port that nobody can guess), sends it
 * over UDP or TCP (udp.ts, tcp.ts), waits for one attempt to end (attempt.ts), accepts only the reply that was expected
 * (match.ts), and decides what follows (stage.ts: again, a fallback, or the end). pacing/ keeps the program polite:
 * rates for each address, prefix and in all, turns for each traversal, the most urgent query first. shared-exchanges.ts
 * lets traversals share equal exchanges. The rooms below read the record alone: query.ts, exchanged.ts and probed.ts.
 */

import { type Answered, type Attempt, attempt, type Carrier, type Endpoint } from './attempt.ts';
import { compose, type SpecialQuery } from './compose.ts';
import type { Exchanged, ExchangeStage, Failure, Reply, Transport } from './exchanged.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { EXCHANGE_DEFAULTS, type ExchangeOptions, firstStage } from './options.ts';
import { decide, type Fallbacks, type Tried, triesOf } from './stage.ts';
import { openTcp } from './tcp.ts';
import { openUdp } from './udp.ts';

/** An Exchange that also takes special queries. */
export type SpecialExchange = (
  query: SpecialQuery,
  signal: AbortSignal,
  leaving?: () => void,
) => Promise<Exchanged>;

/** The exchange over the network (svc-model(7), HOW AN EXCHANGE IS CARRIED OUT). */
export function createExchange(options: Partial<ExchangeOptions> = {}): SpecialExchange {
  const settings = { ...EXCHANGE_DEFAULTS, ...options };
  const route = settings.route ?? ((address) => ({ address, port: settings.port }));
  const usual = firstStage(settings);
  return async (query, signal, leaving) => {
    signal.throwIfAborted();
    const endpoint = route(query.address);
    const first = query.onlyStage === undefined ? usual : { ...usual, ...query.onlyStage };
    if (endpoint === undefined) return createLedger().close(query, first, NO_ROUTE);
    const job = { settings, query, endpoint, first, ledger: createLedger(), leaving };
    return await carryOut(job, signal);
  };
}

const NO_ROUTE: Failure = { kind: 'unreachable', detail: 'no route' };
const CARRIERS: Readonly<Record<Transport, Carrier>> = { udp: openUdp, tcp: openTcp };

interface Job {
  readonly settings: ExchangeOptions;
  readonly query: SpecialQuery;
  readonly endpoint: Endpoint;
  readonly first: ExchangeStage;
  readonly ledger: Ledger;
  readonly leaving: (() => void) | undefined;
}

/** Tries again and falls back until a reply or a failure decides. */
async function carryOut(job: Job, signal: AbortSignal): Promise<Exchanged> {
  const { query, first, ledger } = job;
  const { retries, fallbacks } = persistence(job);
  let stage = first;
  let tries: Tried[] = [];
  for (let number = 1; ; number += 1) {
    tries.push(await tryOnce(job, stage, number, signal));
    const decision = decide(stage, tries, triesOf(stage, first, retries), fallbacks);
    switch (decision.kind) {
      case 'again':
        break;
      case 'fall-back':
        stage = decision.stage;
        tries = [];
        break;
      case 'usable':
        return ledger.close(query, stage, replyOf(decision.reply));
      case 'failed':
        return ledger.close(query, stage, decision.failure);
    }
  }
}

/** A query that goes out in one stage only is not worth many tries. */
function persistence({ settings: { retries }, query: { onlyStage } }: Job): {
  readonly retries: number;
  readonly fallbacks: Fallbacks;
} {
  if (onlyStage === undefined) return { retries, fallbacks: 'as-needed' };
  return { retries: Math.min(retries, RETRIES_IN_ONE_STAGE), fallbacks: 'none' };
}

const RETRIES_IN_ONE_STAGE = 1;

async function tryOnce(
  job: Job,
  stage: ExchangeStage,
  number: number,
  signal: AbortSignal,
): Promise<Attempt> {
  const { settings, query, endpoint, ledger, leaving } = job;
  const { clock, pacer, random, timeoutMs, onTry } = settings;
  const queuedAt = clock.now();
  const turn = await pacer?.acquire(query.address, signal, query);
  onTry?.(query, number);
  try {
    leaving?.();
    turn?.leave();
    const expected = compose(query, stage, settings);
    const sending = { endpoint, expected, timeoutMs, clock, random };
    const ended = await attempt(CARRIERS[stage.transport], sending, signal);
    ledger.enter(stage, ended, ended.sentAt - queuedAt);
    return ended;
  } finally {
    turn?.end();
  }
}

function replyOf({ message, bytes, rttMs }: Answered): Reply {
  const { rcode, flags, edns, answer, authority, additional } = message;
  return {
    kind: 'reply',
    rcode,
    flags,
    rttMs,
    bytes,
    ...(edns === undefined ? {} : { edns }),
    answer,
    authority,
    additional,
  };
}
