import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import type { Test } from 'tap';

/** Where a service listens. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** A reply, whole. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What a request has beside its method and path. */
export interface Asked {
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** Makes one request on a connection of its own. */
export async function ask(place: Place, method: string, path: string, asked: Asked = {}): Promise<Answer> {
  const { octets, ...answer } = await exchanged(place, method, path, asked);
  return { ...answer, text: octets.toString() };
}

/** GETs what is not text. */
export function askOctets(place: Place, path: string, asked: Asked = {}): Promise<OctetsAnswer> {
  return exchanged(place, 'GET', path, asked);
}

/** A reply, whole, before it is read as text. */
interface OctetsAnswer extends Omit<Answer, 'text'> {
  readonly octets: Buffer;
}

function exchanged(place: Place, method: string, path: string, asked: Asked): Promise<OctetsAnswer> {
  return new Promise((resolve, reject) => {
    const { headers = {}, body } = asked;
    const { host, port } = place;
    const made = request({ host, port, method, path, headers, agent: false }, (response) => {
      whole(response).then(resolve, reject);
    });
    made.on('error', reject);
    made.end(body);
  });
}

async function whole(response: IncomingMessage): Promise<OctetsAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const { statusCode: status = 0, headers } = response;
  return { status, headers, octets: Buffer.concat(chunks) };
}

/** Asks for a traversal. */
export function start(place: Place, body: unknown, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  return ask(place, 'POST', '/api/traverse', { body: JSON.stringify(body), headers });
}

/** A connection on which a test says what it likes. */
export interface Conversation {
  readonly write: (text: string) => void;
  /** Resolves when what has come so far fits the pattern; rejects when the connection closes before. */
  readonly until: (pattern: RegExp) => Promise<string>;
  /** Resolves with all that came, when the other end has closed. */
  readonly closed: Promise<string>;
  readonly end: () => void;
}

/** Opens a connection, gone when the test ends. */
export function converse(t: Test, { host, port }: Place): Conversation {
  let text = '';
  const socket = connect(port, host);
  const wakers = new Set<() => void>();
  const wake = () => {
    for (const waker of wakers) waker();
  };
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
    wake();
  });
  // A reset is one way to close.
  socket.on('error', () => socket.destroy());
  const closed = new Promise<string>((resolve) => {
    socket.on('close', () => {
      resolve(text);
      wake();
    });
  });
  t.teardown(() => socket.destroy());
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (!pattern.test(text) && !socket.destroyed) return;
        wakers.delete(look);
        if (pattern.test(text)) resolve(text);
        else reject(new Error(`closed before ${pattern}: ${text}`));
      };
      wakers.add(look);
      look();
    });
  return { write: (more) => socket.write(more), until, closed, end: () => socket.destroy() };
}
