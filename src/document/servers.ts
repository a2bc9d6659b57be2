/* The shape of the list of servers, and of what each says it is. */

import { described, named, type Of } from '../base/shape.ts';
import { object, optional, variants } from '../base/shape-object.ts';
import { choice, list, oneOf, TEXT } from '../base/shape-values.ts';
import type { Failure } from '../exchange/exchanged.ts';
import { ADDRESS, NAME } from './common-shapes.ts';
import { SERVER_NAMES } from './exchanges.ts';
import { FINDING } from './finding.ts';

/** Why a server was not asked what it is. */
export type NotAsked = 'silent' | 'limit' | 'time' | 'blocked';

const SELF_DESCRIPTION = named(
  'Told',
  described(
    variants(
      'status',
      {},
      {
        answer: { text: TEXT },
        /** A reply without an error that contains no text, or an empty one. */
        empty: {},
        refused: { rcode: TEXT },
        error: {
          rcode: optional(TEXT),
          failure: optional(
            described(
              choice<Exclude<Failure['kind'], 'timeout'>>({ unreachable: true, malformed: true }),
              'Why there was no usable reply.',
            ),
          ),
        },
        timeout: {},
        skipped: {
          reason: described(
            choice<NotAsked>({ silent: true, limit: true, time: true, blocked: true }),
            'It did not reply in the traversal; there were too many servers, or no packets left, to ask; there was no time left; or it is to be left alone.',
          ),
        },
      },
    ),
    'What a server says about itself, or why it was not asked (skipped).',
  ),
);

/** What a server says about itself. */
export type SelfDescription = Of<typeof SELF_DESCRIPTION>;

const SOFTWARE = object({ product: TEXT, version: optional(TEXT) });

/** The product that a server says it runs. */
export type Software = Of<typeof SOFTWARE>;

const SERVER = named(
  'Server',
  object({
    address: ADDRESS,
    ...SERVER_NAMES,
    zones: list(NAME),
    versionBind: SELF_DESCRIPTION,
    hostnameBind: optional(SELF_DESCRIPTION),
    idServer: optional(SELF_DESCRIPTION),
    nsid: optional(SELF_DESCRIPTION),
    software: optional(SOFTWARE),
  }),
);

/** A row of the server list. Has only `versionBind` if asking failed through a bug. */
export type ListedServer = Of<typeof SERVER>;

/** What a row of the server list says of its server beside where it was met. */
export type Fingerprint = Omit<ListedServer, 'address' | 'names' | 'namesOmitted' | 'zones'>;

/** The server list, once it is ready. */
export const SERVER_LIST = named(
  'Servers',
  object({
    status: oneOf('ready'),
    servers: list(SERVER),
    findings: optional(
      described(list(FINDING), 'What is found in the list; it has no exchanges to prove it.'),
    ),
  }),
);

/** The server list, once it is ready. */
export type ServerList = Of<typeof SERVER_LIST>;

/** The server list before it is ready. */
export const PENDING_SERVERS = named('ServersPending', object({ status: oneOf('pending') }));
