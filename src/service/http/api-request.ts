import type { IncomingHttpHeaders } from 'node:http';
import type { Client } from '../clients/client-ip.ts';
import type { HttpReply } from './http-reply.ts';
import type { ServiceParts } from './parts.ts';
import type { BodyRead } from './request-body.ts';

/** A request as a route sees it. */
export interface ApiRequest {
  readonly headers: IncomingHttpHeaders;
  readonly from: Client;
  /** The identifier in the path; empty if the path has none. */
  readonly id: string;
  /** The query, without the fragment. */
  readonly query: URLSearchParams;
  readonly readBody: () => Promise<BodyRead>;
}

/** Answers requests of one method for one resource. */
export type Handler = (request: ApiRequest, parts: ServiceParts) => HttpReply | Promise<HttpReply>;
