/*
 * exchange: one question to one server.
 *
 * An `Exchange` (exchanged.ts) takes a query and resolves with what came of it; trouble on the wire is a value. Here is
 * the exchange over the network. It composes the query (compose.ts: ID, case and port that nobody can guess), sends it
 * over UDP or TCP (udp.ts, tcp.ts), waits for one attempt to end (attempt.ts), accepts only the reply that was expected
 * (match.ts), and decides what follows (stage.ts: again, a fallback, or the end). pacer.ts keeps the program polite:
 * rates for each address, prefix and in all, turns for each traversal, the most urgent query first. shared-exchanges.ts
 * lets traversals share equal exchanges. The rooms below read the record alone: query.ts and exchanged.ts.
 */
import { between, type Clock, systemClock } from '../base/clock.ts';
import { LIMITS } from '../base/limits.ts';
import { rejectsEdns } from '../dns/codes.ts';
import { UNDEFINED_OPTION } from '../dns/edns.ts';
import { type Answered, type Attempt, attempt, type Carrier, type Endpoint } from './attempt.ts';
import { compose, type Random, type SpecialQuery, systemRandom } from './compose.ts';
import type {
  Exchanged,
  ExchangeStage,
  Failure,
  ProbeKind,
  Probing,
  Reply,
  Traffic,
  Transport,
  Try,
  TryOutcome,
} from './exchanged.ts';
import type { Pacer } from './pacer.ts';
import type { Query } from './query.ts';
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

/** How exchanges are carried out. */
export interface ExchangeOptions {
  /** How long one try waits for a reply. */
  readonly timeoutMs: number;
  /** Further tries if no reply comes. */
  readonly retries: number;
  /** The largest reply, in octets, that the query accepts over UDP (EDNS). */
  readonly payloadSize: number;
  readonly edns: 'on' | 'off';
  readonly nameCase: 'mixed' | 'lower';
  readonly transport: 'udp-then-tcp' | 'tcp';
  /** Port of the name servers, unless `route` says otherwise. */
  readonly port: number;
  /** Where packets for an address really go; undefined: nowhere, and nothing is sent. */
  readonly route?: (address: string) => Endpoint | undefined;
  /** Absent: each try goes out at once. */
  readonly pacer?: Pacer;
  /** Is told when a try may go out: 1 is the first of its exchange, whatever the transport. Must not throw. */
  readonly onTry?: (query: Query, number: number) => void;
  readonly random: Random;
  readonly clock: Clock;
}

/** The options of a caller that gives none. */
export const EXCHANGE_DEFAULTS: ExchangeOptions = {
  timeoutMs: LIMITS.timeoutMs.default,
  retries: LIMITS.retries.default,
  payloadSize: LIMITS.payloadSize.default,
  edns: 'on',
  nameCase: 'mixed',
  transport: 'udp-then-tcp',
  port: LIMITS.port.default,
  random: systemRandom,
  clock: systemClock,
};

/** The stage that an exchange begins with. */
function firstStage(options: ExchangeOptions): ExchangeStage {
  return {
    transport: options.transport === 'tcp' ? 'tcp' : 'udp',
    edns: options.edns === 'on',
    nameCase: options.nameCase,
  };
}

/** What one exchange has seen so far. */
interface Ledger {
  /** Enters an attempt as a try of its stage. `heldUpMs`: how long the pacer, or a shortage of this host, made it wait. */
  enter(stage: ExchangeStage, attempt: Attempt, heldUpMs: number): void;
  /** Closes the ledger with the outcome, in the stage that decided. */
  close(query: Query, stage: ExchangeStage, outcome: Reply | Failure): Exchanged;
}

/** An empty ledger. Its time starts with the first packet and stops while it waits to send another. */
function createLedger(): Ledger {
  const tries: Try[] = [];
  let traffic: Traffic = { packetsSent: 0, packetsReceived: 0, bytesSent: 0, bytesReceived: 0 };
  let zero: number | undefined;
  let elapsedMs = 0;
  return {
    enter: (stage, attempt, heldUpMs) => {
      zero = zero === undefined ? attempt.sentAt : zero + heldUpMs;
      elapsedMs = between(zero, attempt.endedAt);
      traffic = sum(traffic, attempt.traffic);
      const { transport, edns, nameCase } = stage;
      tries.push({
        transport,
        edns,
        nameCase,
        sentMs: between(zero, attempt.sentAt),
        elapsedMs: between(attempt.sentAt, attempt.endedAt),
        outcome: outcomeOf(attempt, transport),
        ignored: attempt.ignored,
      });
    },
    close: ({ address, question }, { transport }, outcome) => {
      return { address, question, outcome, transport, tries, elapsedMs, traffic };
    },
  };
}

function sum(a: Traffic, b: Traffic): Traffic {
  return {
    packetsSent: a.packetsSent + b.packetsSent,
    packetsReceived: a.packetsReceived + b.packetsReceived,
    bytesSent: a.bytesSent + b.bytesSent,
    bytesReceived: a.bytesReceived + b.bytesReceived,
  };
}

function outcomeOf({ ending, traffic }: Attempt, transport: Transport): TryOutcome {
  if (ending.kind === 'timeout' && transport === 'tcp' && traffic.packetsSent > 0)
    return { kind: 'timeout', connected: true };
  if (ending.kind !== 'reply') return ending;
  const { message, bytes } = ending;
  const { rcode, flags, edns } = message;
  const hasOpt = edns !== undefined && rejectsEdns(rcode);
  return { kind: 'reply', rcode, truncated: flags.includes('tc'), bytes, ...(hasOpt && { opt: true }) };
}

/** Carries probes out over an exchange, which does the pacing too. */
export function probing(exchange: SpecialExchange): Probing {
  return async ({ address, question, probe }, signal, leaving) => {
    const { onlyStage, ...manner } = MANNERS[probe];
    const query = { address, question, rank: 'check', ...manner } as const;
    // A repeat is asked as its exchange was, whatever stages that takes.
    const special = probe === 'repeat' ? query : { ...query, onlyStage: { ...PLAIN_NAME, ...onlyStage } };
    return { ...(await exchange(special, signal, leaving)), probe };
  };
}

/** Names in mixed case would need a fallback. */
const PLAIN_NAME = { nameCase: 'lower' } as const;

/** How the query of each kind differs from that of an exchange. */
const MANNERS: Readonly<Record<ProbeKind, Omit<SpecialQuery, 'address' | 'question'>>> = {
  tcp: { onlyStage: { transport: 'tcp' } },
  'no-edns': { onlyStage: { edns: false } },
  'edns-version': { ednsVersion: 1 },
  'edns-option': { ednsOptions: [{ code: UNDEFINED_OPTION, data: '' }] },
  recursion: { flags: ['rd'] },
  'other-type': {},
  control: {},
  ancestor: {},
  'own-name': {},
  'next-name': {},
  'host-address': {},
  wildcard: {},
  authorities: {},
  repeat: {},
};
