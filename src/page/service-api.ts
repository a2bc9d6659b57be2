/* Calls the service from the page. */

import { readShape, type Shape, ShapeError } from '../base/shape.ts';
import { object } from '../base/shape-object.ts';
import { TEXT } from '../base/shape-values.ts';
import type { Question } from '../dns/message.ts';
import { HISTORY, type History } from '../document/api/history.ts';
import { JOB_CREATED } from '../document/api/jobs.ts';
import { type ReceivedReply, readReply } from '../document/api/read-response.ts';
import { type RequestBody, writtenRequest } from '../document/api/request.ts';
import { PAGE_FACTS, type PageFacts } from '../document/api/service-documents.ts';
import { EVENT_READERS, type JobEvent, type ReadEvent } from '../document/events.ts';
import { failed, map, ok, type RunAnswer } from '../document/run-answer.ts';
import { SERVER_LIST, type ServerList } from '../document/servers.ts';
import { tabStorage } from './elements.tsx';
import { type Job, type ReadReply, type ReadRequest, readAs, readJob } from './model/read-job.ts';
import { askWorker, startWorker } from './model/worker-scripts.ts';

/** Asks for a traversal; gives the identifier of its job. */
export async function requestTraversal(body: RequestBody, signal: AbortSignal): Promise<RunAnswer<string>> {
  const created = await callService(
    { method: 'POST', path: TRAVERSALS, body: writtenRequest(body) },
    JOB_CREATED,
    signal,
  );
  return map(created, ({ id, cancel }) => {
    cancelTokens.keep(id, cancel);
    return ok(id);
  });
}

/** The tokens that cancel the jobs of this tab. They outlive a reload where the browser keeps anything. */
const cancelTokens = {
  keep: (id: string, token: string) => tabStorage()?.setItem(`cancel ${id}`, token),
  of: (id: string) => tabStorage()?.getItem(`cancel ${id}`) ?? undefined,
};

const TRAVERSALS = '/api/traverse';

/** A job, and its age. */
export type FetchedJob = Job & {
  /** For how long it had been running, by the service's clock, to the second; undefined if that is not known. */
  readonly runningMs?: number;
};

/** Fetches a job. */
export async function fetchJob(id: string, signal: AbortSignal): Promise<RunAnswer<FetchedJob>> {
  const received = await receive({ method: 'GET', path: `${jobPath(id)}?full` }, signal);
  if (received.kind === 'failed') return received;
  const { reply, date } = received.value;
  return map(await readJobOrHaveItRead(reply), (job) => {
    if (job.startedAt === undefined || date === undefined) return ok(job);
    return ok({ ...job, runningMs: Math.max(0, date - Date.parse(job.startedAt)) });
  });
}

/** Has a large job read in a worker: reading it here would keep the page from scrolling. */
async function readJobOrHaveItRead(received: ReceivedReply): Promise<RunAnswer<Job>> {
  const reply = { ...received, headers: [...received.headers] };
  if (received.body.length < LARGE_OCTETS) return readJob(reply);
  const worker = startWorker('result');
  const read = await new Promise<ReadReply | 'failed'>((resolve) => {
    askWorker<ReadRequest, ReadReply>(worker, { kind: 'read', number: 1, reply }, resolve);
  });
  worker.terminate();
  return read === 'failed' ? readJob(reply) : read.answer;
}

/** A slow machine reads as many in 30 ms. */
const LARGE_OCTETS = 500_000;

/** Fetches the first of the ended jobs of a question, or those at a path that an earlier reply named. */
export async function fetchHistory(
  of: Pick<Question, 'name' | 'type'> | { readonly path: string },
  signal: AbortSignal,
): Promise<RunAnswer<History>> {
  const path = 'path' in of ? of.path : `/api/traversals?${new URLSearchParams({ ...of })}`;
  return await callService({ method: 'GET', path }, HISTORY, signal);
}

/** Whether the service has a job. */
export async function hasJob(id: string, signal: AbortSignal): Promise<boolean> {
  const asked = fetch(`/t/${id}`, { method: 'HEAD', headers: { Accept: 'text/html' }, signal });
  return await asked.then(
    ({ ok: isThere }) => isThere,
    () => false,
  );
}

/** Where the service has a result drawn. */
export function pictureAddress(id: string): string {
  return `${jobPath(id)}?format=svg`;
}

/** Cancels a job that was started in this tab, or at this address. */
export async function abandonJob(id: string, signal: AbortSignal): Promise<RunAnswer<unknown>> {
  return await sendCall({ method: 'DELETE', path: jobPath(id), cancelToken: cancelTokens.of(id) }, signal);
}

const STATUS = object({ status: TEXT });

/** Fetches what the servers of a job that has ended said of themselves. */
export async function fetchServers(
  id: string,
  signal: AbortSignal,
): Promise<RunAnswer<ServerList | 'pending'>> {
  const reply = await sendCall({ method: 'GET', path: `${jobPath(id)}/servers` }, signal);
  return map(reply, readWhenReady);
}

function readWhenReady(value: unknown): RunAnswer<ServerList | 'pending'> {
  const status = readAs(STATUS, value);
  if (status.kind === 'failed') return status;
  return status.value.status === 'pending' ? ok('pending') : readAs(SERVER_LIST, value);
}

/** The path of a job's events. */
function eventsPath(id: string): string {
  return `${jobPath(id)}/events`;
}

function jobPath(id: string): string {
  return `${TRAVERSALS}/${encodeURIComponent(id)}`;
}

export interface StreamListener {
  /** An event with its number. A stream that is opened anew tells all of them again. */
  readonly event: (event: JobEvent, number: number) => void;
  /** There is a connection; or there is none, and the browser tries again by itself. */
  readonly connection: (state: 'up' | 'lost') => void;
  /** The browser has given up: the service refused, or has nothing more to say. */
  readonly closed: () => void;
  /** The stream sent something that is not an event of a job. */
  readonly strange: (detail: string) => void;
}

/**
 * Opens the events of a job; the function returned closes them. When the connection breaks, the browser
 * goes on after the last event (`Last-Event-ID`, WHATWG HTML 9.2).
 */
export function openJobStream(id: string, listener: StreamListener): () => void {
  const source = new EventSource(eventsPath(id));
  for (const [name, read] of Object.entries(EVENT_READERS)) {
    source.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
      const event = eventIn(data, read);
      if (event instanceof Error) listener.strange(`event "${name}": ${event.message}`);
      else listener.event(event, Number(lastEventId));
    });
  }
  source.addEventListener('open', () => listener.connection('up'));
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) listener.closed();
    else listener.connection('lost');
  });
  return () => source.close();
}

function eventIn(data: string, read: ReadEvent): JobEvent | ShapeError | SyntaxError {
  try {
    return read(JSON.parse(data));
  } catch (error) {
    if (error instanceof ShapeError || error instanceof SyntaxError) return error;
    throw error;
  }
}

/** One call of the service that the page comes from. */
interface PageCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly cancelToken?: string | undefined;
}

/** Calls the service and reads what it sends. */
async function callService<T>(asked: PageCall, shape: Shape<T>, signal: AbortSignal): Promise<RunAnswer<T>> {
  const reply = await sendCall(asked, signal);
  return map(reply, (value) => readAs(shape, value));
}

/** Calls the service; gives the JSON that it sends, as it is. */
async function sendCall(asked: PageCall, signal: AbortSignal): Promise<RunAnswer<unknown>> {
  return map(await receive(asked, signal), ({ reply }) => readReply(reply, Date.now()));
}

/** A reply, and its Date header in milliseconds, if it has one. */
interface Received {
  readonly reply: ReceivedReply;
  readonly date: number | undefined;
}

/** Calls the service; gives its reply unread. */
async function receive(
  { method, path, body, cancelToken }: PageCall,
  signal: AbortSignal,
): Promise<RunAnswer<Received>> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const token = cancelToken === undefined ? {} : { 'Cancel-Token': cancelToken };
  const headers = { Accept: 'application/json', 'Content-Type': 'application/json', ...token };
  try {
    const reply = await fetch(path, { method, headers, signal, cache: 'no-store', ...sent });
    const octets = new Uint8Array(await reply.arrayBuffer());
    const { status, headers: sentHeaders } = reply;
    const date = Date.parse(sentHeaders.get('Date') ?? '');
    return ok({
      reply: { status, headers: sentHeaders, body: octets },
      date: Number.isNaN(date) ? undefined : date,
    });
  } catch (error) {
    if (signal.aborted) return failed({ kind: 'stopped' });
    // All that browsers say of a connection that fails (WHATWG Fetch 5.6).
    if (error instanceof TypeError) return failed({ kind: 'unreachable', reason: 'no connection' });
    throw error;
  }
}

let read: PageFacts | undefined;

/** The facts that the service writes into the page's head. */
export function serviceFacts(): PageFacts {
  read ??= readShape(PAGE_FACTS, JSON.parse(factsInHead()));
  return read;
}

function factsInHead(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="service"]');
  if (meta === null) throw new Error('the head of the page has no facts about the service');
  return meta.content;
}
