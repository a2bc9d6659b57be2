import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { followEvents } from '../bench/event-reader.ts';
import { type ServiceLimits, spawnService } from '../bench/spawn-service.ts';
import { type Place, start } from '../service/http-client.ts';
import type { HostileServers } from './hostile-servers.ts';

/** What became of a request for a job. */
export type Requested =
  | { readonly kind: 'started'; readonly self: string; readonly events: string }
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfter: string | undefined };

/** Milliseconds until a job began, until its traversal ended, and until its list of servers was there. */
interface Followed {
  readonly startedMs: number;
  readonly completeMs: number;
  readonly serversMs: number;
}

/** A service whose jobs ask hostile name servers. */
export interface Besieged {
  readonly url: string;
  readonly pid: number;
  /** Asks for a job as this client, which a proxy on the same host would name. */
  readonly request: (name: string, client: string) => Promise<Requested>;
  readonly follow: (events: string) => Promise<Followed>;
  readonly stop: () => void;
}

/** Starts the built program on these name servers, with these flags. */
export async function besiege(
  servers: HostileServers,
  flags: readonly string[] = [],
  limits: ServiceLimits = {},
): Promise<Besieged> {
  const folder = mkdtempSync(join(tmpdir(), 'siege-'));
  const hints = join(folder, 'hints');
  writeFileSync(hints, servers.hints);
  const service = await spawnService(
    [
      ...['--root-hints', hints, '--port', `${servers.port}`, '--allow-special-targets', '-4', '--rate', '0'],
      ...flags,
    ],
    limits,
  );
  const { url, child } = service;
  const stop = () => {
    child.removeAllListeners('exit');
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  };
  const request = async (name: string, client: string): Promise<Requested> => {
    const { status, headers, text } = await start(service, { name }, { 'X-Forwarded-For': client });
    if (status !== 202) return { kind: 'refused', status, retryAfter: headers['retry-after'] };
    const { self, events } = JSON.parse(text).links;
    return { kind: 'started', self: `${url}${self}`, events: `${url}${events}` };
  };
  return { url, pid: child.pid ?? 0, request, follow, stop };
}

async function follow(events: string): Promise<Followed> {
  const begin = performance.now();
  const at = { started: Number.NaN, complete: Number.NaN, servers: Number.NaN };
  await followEvents(events, ({ event }) => {
    if (event === 'started' || event === 'complete' || event === 'servers')
      at[event] = performance.now() - begin;
  });
  return { startedMs: at.started, completeMs: at.complete, serversMs: at.servers };
}

/** Sends these octets on a connection of its own. Resolves with all that came back, when it is closed. */
export function sendRaw({ host, port }: Place, octets: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(port, host, () => socket.write(octets));
    socket.setEncoding('utf8').on('data', (text) => {
      heard += text;
    });
    // A reset is one way to close.
    socket.on('error', () => socket.destroy()).on('close', () => resolve(heard));
  });
}
