import { readAddress } from '../document/read-exchange.ts';
import type { ServerList, ToldRow } from '../fingerprint/server-list.ts';
import { array, object, oneOf, optional, parsed, type Shape, text } from '../shape.ts';
import { parseName } from '../wire/name.ts';

const name = parsed(parseName);

const told: Shape<ToldRow> = object({
  status: oneOf('answer', 'refused', 'timeout', 'error', 'empty'),
  text: optional(text),
  rcode: optional(text),
  failure: optional(oneOf('unreachable', 'malformed')),
});

/** The server list as a server sends it, when it is ready. */
export const readServerList: Shape<ServerList> = object({
  status: oneOf('ready'),
  servers: array(
    object({
      address: readAddress,
      names: array(name),
      zones: array(name),
      versionBind: told,
      hostnameBind: optional(told),
      idServer: optional(told),
      nsid: optional(told),
      software: optional(object({ product: text, version: optional(text) })),
    }),
  ),
});
