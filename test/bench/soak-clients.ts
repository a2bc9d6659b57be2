/** What clients of every kind do to a service, well-behaved and otherwise. */
import { connect } from 'node:net';
import { ask, type Place, start } from '../service/http-client.ts';
import { followEvents } from './event-reader.ts';

/** A service, and where it is as a URL. */
interface Served extends Place {
  readonly url: string;
}

/** A job as its links name it. */
interface Links {
  readonly self: string;
  readonly events: string;
}

/** What a client does with a job that it started. */
type Client = (place: Served, links: Links) => Promise<unknown>;

/** Clients of every kind: those that follow to the end, leave in the middle, cancel, or never look. */
export const CLIENTS: readonly Client[] = [
  ({ url }, { events }) => followEvents(`${url}${events}`, () => {}),
  async (place, { self, events }) => {
    await followEvents(`${place.url}${events}`, () => {});
    await ask(place, 'GET', self);
    await ask(place, 'GET', `${self}/servers`);
  },
  (place, { events }) => leave(place, events),
  async (place, { self, events }) => {
    await leave(place, events);
    await ask(place, 'DELETE', self);
  },
  (place, { self }) => ask(place, 'DELETE', self),
  async () => undefined,
  ({ url }, { events }) => Promise.all([1, 2, 3].map(() => followEvents(`${url}${events}`, () => {}))),
];

function leave({ url }: Served, events: string): Promise<unknown> {
  return followEvents(`${url}${events}`, ({ event }, stop) => (event === 'exchange' ? stop() : undefined));
}

/** Options that jobs ask for. */
export const OPTIONS: readonly object[] = [
  {},
  { check: true },
  { maxTimeMs: 50 },
  { maxQueries: 3 },
  { transport: 'tcp' },
  { families: [4], edns: 'off' },
];

const POST = 'POST /api/traverse HTTP/1.1\r\nHost: localhost\r\n';

/** What those do who mean harm, or know no better. */
export const ABUSES: readonly ((place: Served) => Promise<unknown>)[] = [
  (place) => connection(place, ''),
  (place) => connection(place, `${POST}X-Half: `),
  (place) => connection(place, `${POST}Content-Length: 16000\r\n\r\n{"name": "`),
  (place) => connection(place, 'GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(20)),
  (place) => connection(place, '\0\xff\r\n\r\n'),
  (place) => ask(place, 'POST', '/api/traverse', { body: '{"name": ' }),
  (place) => ask(place, 'POST', '/api/traverse', { body: ' '.repeat(20_000) }),
  (place) => start(place, { name: 'a..b', options: { maxQueries: -1, nothing: true } }),
  (place) => ask(place, 'GET', '/api/health', { headers: { Host: 'attacker.example' } }),
  (place) => ask(place, 'PUT', '/api/traverse/none'),
  (place) => ask(place, 'GET', '/metrics'),
];

/** Says something and no more, until the service has had enough, or half a minute has passed. */
function connection({ host, port }: Place, said: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    const stop = setTimeout(() => socket.destroy(), 30_000);
    socket
      .on('error', () => socket.destroy())
      .on('close', () => {
        clearTimeout(stop);
        resolve();
      });
    socket.pause();
    socket.write(said, 'latin1');
  });
}
