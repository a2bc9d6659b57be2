import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type Clock, systemClock } from '../exchange/clock.ts';
import { RateLimiter } from './clients/rate-limiter.ts';
import type { Engine } from './engine/engine.ts';
import { answer, type RoutedReply } from './http/answer.ts';
import { EventStreams } from './http/event-streams.ts';
import { type Expects, objectionTo } from './http/objection.ts';
import type { ServiceParts } from './http/parts.ts';
import { problemOf, problemReply } from './http/problem.ts';
import { readBody } from './http/request-body.ts';
import { send } from './http/send.ts';
import { createHttpServer } from './http/server.ts';
import { Jobs } from './jobs/jobs.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics/service-metrics.ts';
import { noticesOf } from './notices.ts';
import { openApiDocument } from './openapi/document.ts';
import type { ServiceSettings } from './settings.ts';
import { createWebhooks, NO_WEBHOOKS, type Webhooks } from './webhook/webhooks.ts';

/** What a service needs beside its settings. */
export interface ServiceSurroundings {
  readonly engine: Engine;
  readonly log: Log;
  readonly clock?: Clock;
  /** The time of day. */
  readonly now?: () => Date;
}

/** A running service. */
export interface Service {
  readonly host: string;
  readonly port: number;
  /**
   * Ends it: nothing new is taken in, running jobs may go on for `graceMs`, then their webhooks are
   * delivered and all connections closed.
   */
  readonly close: (graceMs: number) => Promise<void>;
}

/** Starts a service; rejects with the system's error if it cannot listen. */
export async function startService(settings: ServiceSettings, around: ServiceSurroundings): Promise<Service> {
  const running = new RunningService(settings, around);
  return await running.listen();
}

/** How long replies may take to reach their readers when all is done. */
const FAREWELL_MS = 2_000;

/** Two attempts of five seconds, and a little. */
const WEBHOOKS_MS = 12_000;

class RunningService {
  readonly #settings: ServiceSettings;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #webhooks: Webhooks;
  readonly #parts: ServiceParts;
  readonly #server: Server;
  #connections = 0;
  #closing = false;

  constructor(settings: ServiceSettings, { engine, log, clock = systemClock, now }: ServiceSurroundings) {
    this.#settings = settings;
    this.#log = log;
    this.#clock = clock;
    this.#webhooks = webhooksOf(settings, log, clock);
    const limiter = new RateLimiter(settings.rateLimit, {
      now: () => BigInt(Math.round(clock.now() * 1e6)),
    });
    const metrics = createMetrics({
      jobs: () => jobs.counts,
      retainedBytes: () => jobs.retainedBytes,
      streams: () => streams.count,
      connections: () => this.#connections,
      rateLimitedClients: () => limiter.clients,
      webhooks: () => this.#webhooks.counts(),
    });
    const notices = noticesOf({ settings, metrics, log, webhooks: this.#webhooks });
    const jobs = new Jobs(settings, { engine, clock, now: now ?? (() => new Date()), notices });
    const streams = new EventStreams(settings.timeouts, clock, () => metrics.streamsDropped.add());
    const start = clock.now();
    const uptimeMs = () => Math.round(clock.now() - start);
    const openApi = Buffer.from(JSON.stringify(openApiDocument(settings.version, settings.options)));
    this.#parts = { settings, jobs, limiter, streams, metrics, openApi, uptimeMs };
    this.#server = createHttpServer(settings, {
      request: (message, response, expects) => void this.#serve(message, response, expects),
      refused: () => metrics.connectionsRefused.add(),
      failed: (error) => log.error('connection failed', { error: error.message }),
    });
    this.#server.on('connection', (socket) => {
      this.#connections += 1;
      socket.once('close', () => {
        this.#connections -= 1;
      });
    });
  }

  async listen(): Promise<Service> {
    const { host } = this.#settings;
    this.#server.listen({ host, port: this.#settings.port });
    await once(this.#server, 'listening');
    const address = this.#server.address();
    const port = typeof address === 'object' && address !== null ? address.port : this.#settings.port;
    return { host, port, close: (graceMs) => this.#close(graceMs) };
  }

  async #serve(message: IncomingMessage, response: ServerResponse, expects: Expects): Promise<void> {
    const { method = '', url = '', headers, socket } = message;
    let left: 'unread' | 'read' = expects === 'nothing' ? 'read' : 'unread';
    const goOn = () => {
      left = 'read';
      if (expects === 'continue') response.writeContinue();
    };
    const body = () => readBody(message, goOn);
    const incoming = { method, target: url, headers, peer: socket.remoteAddress, readBody: body };
    const objection = objectionTo(message, expects);
    const { reply, resource } =
      objection === undefined
        ? await answer(incoming, this.#parts).catch((error: unknown) => this.#fault(error))
        : { reply: problemReply(objection), resource: 'none' };
    const status = reply.kind === 'none' ? 'none' : `${reply.status}`;
    this.#parts.metrics.requests.add({ resource, method: METHODS.has(method) ? method : 'other', status });
    // A client that was not asked for its body may send it all the same: it must not pass for a request.
    send(reply, message, response, this.#closing || left === 'unread' ? 'close' : 'keep');
  }

  #fault(error: unknown): RoutedReply {
    this.#log.error('request failed', { error: error instanceof Error ? error.stack : String(error) });
    return { reply: problemReply(problemOf(500, 'This is a fault of the service.')), resource: 'none' };
  }

  async #close(graceMs: number): Promise<void> {
    this.#closing = true;
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    await this.#parts.jobs.drain(graceMs);
    await this.#webhooks.drain(WEBHOOKS_MS);
    this.#server.closeIdleConnections();
    const cancelTimer = this.#clock.after(FAREWELL_MS, () => this.#server.closeAllConnections());
    await closed;
    cancelTimer();
  }
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);

function webhooksOf({ webhook }: ServiceSettings, log: Log, clock: Clock): Webhooks {
  if (webhook === undefined) return NO_WEBHOOKS;
  return createWebhooks({
    ...webhook,
    clock,
    onUndelivered: ({ event, id, reason }) => log.warn('webhook not delivered', { job: id, event, reason }),
  });
}
