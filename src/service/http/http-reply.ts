import type { ServerResponse } from 'node:http';
import type { Packed } from '../../work/packing.ts';

/** Header fields by name. */
export type ReplyHeaders = Readonly<Record<string, string>>;

/** A part of a body. What is packed is unpacked when it is sent. */
export type BodyPiece = Uint8Array | Packed;

/** The reply to a request. */
export type HttpReply =
  | {
      readonly kind: 'whole';
      readonly status: number;
      readonly headers: ReplyHeaders;
      /** In pieces; without any there is no content. */
      readonly body: readonly BodyPiece[];
    }
  /** A body that is written over time. */
  | {
      readonly kind: 'stream';
      readonly status: 200;
      readonly headers: ReplyHeaders;
      readonly start: (response: ServerResponse) => void;
      /** Whether there is more to come than can be sent now. */
      readonly live: () => boolean;
    }
  /** The client has gone: nobody to answer. */
  | { readonly kind: 'none' };

/** A reply of JSON text, in pieces. */
export function jsonReply(status: number, body: readonly BodyPiece[], headers: ReplyHeaders = {}): HttpReply {
  return { kind: 'whole', status, headers: { 'Content-Type': 'application/json', ...headers }, body };
}

/** A reply of a value as JSON. */
export function valueReply(status: number, value: unknown, headers: ReplyHeaders = {}): HttpReply {
  return jsonReply(status, [Buffer.from(JSON.stringify(value))], headers);
}

/** A reply of text, plain unless `headers` has another type. */
export function textReply(status: number, text: string, headers: ReplyHeaders = {}): HttpReply {
  return {
    kind: 'whole',
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
    body: [Buffer.from(text)],
  };
}

/** A reply without a body: 204. */
export function noContent(headers: ReplyHeaders = {}): HttpReply {
  return { kind: 'whole', status: 204, headers, body: [] };
}
