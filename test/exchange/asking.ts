import type { Test } from 'tap';

import { createExchange } from '../../src/exchange/ask.ts';
import { type Clock, systemClock } from '../../src/exchange/clock.ts';
import type { SpecialQuery } from '../../src/exchange/compose.ts';
import type { Exchanged, Try } from '../../src/exchange/exchanged.ts';
import type { ExchangeOptions } from '../../src/exchange/options.ts';
import { parseName } from '../../src/wire/name.ts';
import {
  framed,
  QUIET,
  replyTo,
  startServer,
  type TcpScript,
  type TestServer,
  type UdpScript,
} from './servers.ts';

export const QUESTION = { name: parseName('www.some-longer-name.example'), type: 'A' };
export const NEVER: AbortSignal = new AbortController().signal;

export const GOOD = { addresses: ['192.0.2.1'] };
export const good = (query: Buffer) => [replyTo(query, GOOD)];
export const silent: UdpScript = () => [QUIET];
export const truncated: UdpScript = (query) => [replyTo(query, { truncated: true })];
export const goodTcp: TcpScript = (socket, query) => socket.write(framed(replyTo(query, GOOD)));

/** A server, and how to ask it. */
export interface World extends TestServer {
  readonly ask: (options?: Partial<ExchangeOptions>, query?: Partial<SpecialQuery>) => Promise<Exchanged>;
}

/** Starts a server whose clients time out when it is quiet, and only then. */
export async function serve(t: Test, udp: UdpScript, tcp?: TcpScript, address = '127.0.0.1'): Promise<World> {
  const { clock, quiet } = createQuietClock();
  const server = await startServer(t, quiet, udp, tcp, address);
  return {
    ...server,
    ask: (options = {}, query = {}) => {
      const exchange = createExchange({ port: server.port, clock, ...options });
      return exchange({ address, question: QUESTION, ...query }, NEVER);
    },
  };
}

/** A clock whose timers all run once it is told of quiet, after everything sent before has arrived. */
function createQuietClock(): { readonly clock: Clock; readonly quiet: () => void } {
  const timers = new Set<() => void>();
  const strike = () => {
    for (const run of timers) {
      timers.delete(run);
      run();
    }
  };
  const after = (_ms: number, run: () => void) => {
    timers.add(run);
    return () => {
      timers.delete(run);
    };
  };
  // On loopback, what is sent is in the other socket at once and read in the next turn.
  const quiet = () => setImmediate(() => setImmediate(() => setImmediate(strike)));
  return { clock: { now: systemClock.now, after }, quiet };
}

/** A try in brief: "udp edns mixed reply NOERROR". */
export function short({ transport, edns, nameCase, outcome }: Try): string {
  const how = `${transport} ${edns ? 'edns' : 'plain'} ${nameCase} ${outcome.kind}`;
  if (outcome.kind === 'reply') return `${how} ${outcome.rcode}${outcome.truncated ? ' tc' : ''}`;
  return outcome.kind === 'unreachable' ? `${how} ${outcome.code}` : how;
}

/** The outcome in brief: "NOERROR 192.0.2.1", "timeout", "unreachable (ECONNREFUSED)". */
export function shortOutcome({ outcome }: Exchanged): string {
  if (outcome.kind === 'reply') return [outcome.rcode, ...outcome.answer.map(({ data }) => data)].join(' ');
  return outcome.detail === undefined ? outcome.kind : `${outcome.kind} (${outcome.detail})`;
}
