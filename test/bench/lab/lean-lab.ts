/**
 * The servers of one world on loopback, in a process of their own: `WORLD DELAY_MS [PORT] [moments]`. They keep the octets
 * of every reply, so that they are not what a traversal waits for. They tell their parent where they are, and
 * whenever it sends a message, what has happened since the last one.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decodeMessage } from '../../../src/dns/decode.ts';
import { parseName } from '../../../src/dns/name.ts';
import { monotonicMs } from '../figures.ts';
import { signedServers } from '../worlds/signed-servers.ts';
import { type BenchWorld, RESOLVER } from '../worlds/world.ts';
import { isWorldName, WORLDS } from '../worlds/worlds.ts';
import { leanReplies } from './replies.ts';

const LEAST_PORT = 10_000;
const PORTS = 20_000;
const RECEIVE_BUFFER = 4 << 20;

const [, , world = '', delay = '0', at = '', keeps = ''] = process.argv;
const port = at === '' ? randomPort() : at;
if (!isWorldName(world)) throw new Error(`there is no world "${world}"`);
const simulated: BenchWorld = WORLDS[world];
const { zones } = simulated;
const reply = leanReplies(simulated);
const outbox = createOutbox(Number(delay));
const span = { asked: 0, firstMs: 0, lastMs: 0 };
const moments: Record<string, number> = {};

const addresses = new Set(zones.flatMap(({ servers }) => servers.map(({ address }) => address)));
addresses.add(RESOLVER);
await Promise.all([...addresses].map(listen));
process.send?.({ port: Number(port), hints: hints(), anchor: anchor() });
process.on('message', tell);
process.on('disconnect', () => process.exit());

function randomPort(): number {
  return LEAST_PORT + (process.pid % PORTS);
}

async function listen(address: string): Promise<void> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: RECEIVE_BUFFER });
  socket.on('message', (query, from) => {
    span.asked += 1;
    if (span.asked === 1) span.firstMs = monotonicMs();
    const octets = reply(address, query);
    outbox(() => {
      span.lastMs = monotonicMs();
      if (keeps === 'moments') keepMoment(address, query);
      socket.send(octets, from.port, from.address);
    });
  });
  socket.bind({ address, port: Number(port), exclusive: true });
  await once(socket, 'listening');
}

function hints(): string {
  const servers = zones[0]?.servers ?? [];
  return servers.map(({ name, address }) => `. 3600 NS ${name}\n${name} 3600 A ${address}\n`).join('');
}

function anchor(): string {
  return simulated.isSigned === true ? signedServers(simulated).anchor : '';
}

function tell(): void {
  const { user, system } = process.cpuUsage();
  const { asked, firstMs, lastMs } = span;
  process.send?.({
    asked,
    tookMs: lastMs - firstMs,
    firstMs,
    lastMs,
    moments,
    cpuMs: (user + system) / 1_000,
  });
  span.asked = 0;
}

function keepMoment(address: string, query: Buffer): void {
  const [question] = decodeMessage(query).questions;
  if (question?.type === 'A') moments[`${address} ${parseName(question.name)}`] ??= span.lastMs;
}

/**
 * Sends everything the same number of milliseconds after it was handed over, with one timer for all of it. Without a delay
 * it goes out at once.
 */
function createOutbox(delayMs: number): (send: () => void) => void {
  if (delayMs === 0) return (send) => send();
  const waiting: { readonly dueMs: number; readonly send: () => void }[] = [];
  let sent = 0;
  const flush = () => {
    for (let next = waiting[sent]; next !== undefined; next = waiting[sent]) {
      const leftMs = next.dueMs - monotonicMs();
      if (leftMs > 0) return void setTimeout(flush, Math.ceil(leftMs));
      sent += 1;
      next.send();
    }
    waiting.length = 0;
    sent = 0;
  };
  return (send) => {
    waiting.push({ dueMs: monotonicMs() + delayMs, send });
    if (waiting.length === 1) setTimeout(flush, delayMs);
  };
}
