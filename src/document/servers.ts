import type { Failure } from '../exchanged.ts';
import { list } from '../shape/list.ts';
import { object, optional, variants } from '../shape/object.ts';
import { described, named } from '../shape/schema.ts';
import type { Of } from '../shape/shape.ts';
import { choice, oneOf, TEXT } from '../shape/values.ts';
import { ADDRESS, NAME } from './dns.ts';

const TOLD = named(
  'Told',
  described(
    variants(
      'status',
      {},
      {
        answer: { text: TEXT },
        /** A reply without an error that says nothing, or nothing but an empty text. */
        empty: {},
        refused: { rcode: TEXT },
        error: {
          rcode: optional(TEXT),
          failure: optional(
            described(
              choice<Exclude<Failure['kind'], 'timeout'>>({ unreachable: true, malformed: true }),
              'Why there is no usable reply.',
            ),
          ),
        },
        timeout: {},
      },
    ),
    'What a server told when asked about itself.',
  ),
);

/** What a server told when asked about itself. */
export type Told = Of<typeof TOLD>;

const SOFTWARE = object({ product: TEXT, version: optional(TEXT) });

/** The product behind a server, as far as it says so itself. */
export type Software = Of<typeof SOFTWARE>;

const SERVER = named(
  'Server',
  object({
    address: ADDRESS,
    names: list(NAME),
    zones: list(NAME),
    versionBind: TOLD,
    hostnameBind: optional(TOLD),
    idServer: optional(TOLD),
    nsid: optional(TOLD),
    software: optional(SOFTWARE),
  }),
);

/** What a server is, as far as it tells: a row of the server list. */
export type ListedServer = Of<typeof SERVER>;

/** The server list, as it is when it is ready. */
export const SERVER_LIST = named('Servers', object({ status: oneOf('ready'), servers: list(SERVER) }));

/** The server list, as it is when it is ready. */
export type ServerList = Of<typeof SERVER_LIST>;

/** The server list before it is ready. */
export const PENDING_SERVERS = named('ServersPending', object({ status: oneOf('pending') }));
