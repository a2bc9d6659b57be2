import { getOrMake } from '../base/memo.ts';
import { INVALID, type Invalid, type Of, readShape, type Shape, turned } from '../base/shape.ts';
import { object, optional } from '../base/shape-object.ts';
import { list, oneOf } from '../base/shape-values.ts';
import { TrustAnchorError } from '../dns/dnssec/trust-anchors.ts';
import { type Name, ROOT } from '../dns/name.ts';
import type { Consulted } from '../exchange/exchanged.ts';
import { queryKey } from '../exchange/query.ts';
import { type Delegation, delegationOf } from '../explore/delegation.ts';
import {
  type DnssecScope,
  dnssecScopeOf,
  type Recording,
  scopeOf,
  type Unasked,
  type WhyUnasked,
} from '../explore/recording.ts';
import type { Known } from '../explore/replayed-exploration.ts';
import { QUERY } from './common-shapes.ts';
import { SAVED_EXCHANGES, SAVED_PROBE } from './exchange-rows.ts';
import type { TraversalOptions } from './options.ts';
import { PLANNED_DS, ZONE_FILES } from './planned.ts';
import { consultedIn, SAVED_RESOLVER } from './resolvers.ts';
import { CIRCUMSTANCES, type Circumstances, PLANNED, SCHEMA, UNASKED_QUESTION } from './result.ts';
import { DELEGATION, type DelegationRow } from './steps.ts';

/** Reads a parsed result document, of this schema or an earlier one. Throws a `ShapeError` that says what is wrong and where. */
export function readResult(document: unknown): Saved {
  return readShape(SAVED, document);
}

/** A saved result, read back: enough to evaluate it again. */
export interface Saved {
  readonly recording: Recording;
  readonly circumstances: Circumstances;
  /** What resolvers said that were asked the same; absent: none was. */
  readonly consulted?: readonly Consulted[];
  /** Of a traversal that was just made; absent: exploring the recording again tells. */
  readonly known?: Known;
}

/** What a replay needs of a result; all else follows from that. (Schemas 1 and 2 differ in what follows.) */
const NEEDED = {
  whatIf: optional(object({ delegate: PLANNED, zone: ZONE_FILES, ds: PLANNED_DS })),
  schema: oneOf(1, 2, SCHEMA),
  query: QUERY,
  ...CIRCUMSTANCES,
  delegations: list(DELEGATION),
  exchanges: SAVED_EXCHANGES,
  probes: optional(list(SAVED_PROBE)),
  resolvers: optional(list(SAVED_RESOLVER)),
  // Schema 1 does not name the servers.
  unasked: list(UNASKED_QUESTION),
};

/** A result, read back as what can be evaluated again. */
export const SAVED: Shape<Saved> = turned(object(NEEDED), (needed, pointer, note) => {
  const root = needed.delegations.find(({ zone }) => zone === ROOT);
  if (root === undefined) return note(`${pointer}/delegations`, 'must hold the root hints (zone ".")');
  const { query, options, startedAt, finishedAt, durationMs, ending } = needed;
  const { name, type } = query;
  const { delegate = [], zone: zoneFiles = [], ds: plannedDs = [] } = needed.whatIf ?? {};
  const planned = delegate.map(delegationIn);
  const dnssec = provenBy(options, startedAt, (why) => note(`${pointer}/options/trustAnchors`, why));
  if (dnssec === INVALID) return INVALID;
  const scope = scopeOf(
    { name, type },
    delegationIn(root),
    options,
    {
      ...(planned.length > 0 && { planned }),
      ...(zoneFiles.length > 0 && { zoneFiles }),
      ...(plannedDs.length > 0 && { plannedDs }),
    },
    dnssec,
  );
  const exchanges = needed.exchanges.flatMap(({ exchanged = [] }) => exchanged);
  const unasked = new Map(
    needed.unasked.map((row) => unaskedOf(row, ending)).map((one) => [queryKey(one.query), one]),
  );
  const beyond: WhyUnasked = { kind: 'query-limit', limit: options.maxQueries };
  // What was asked in vain, and what is not known any more, unless a row of `unasked` says more.
  for (const { query, counts } of needed.exchanges)
    if (!counts) getOrMake(unasked, queryKey(query), () => ({ query, why: beyond }));
  return {
    recording: {
      scope,
      exchanges: new Map(exchanges.map((one) => [queryKey(one), one])),
      unasked,
      probes: (needed.probes ?? []).flat(),
    },
    circumstances: {
      options,
      startedAt,
      finishedAt,
      durationMs,
      ending,
      ...(needed.silentFamily && { silentFamily: needed.silentFamily }),
    },
    ...(needed.resolvers === undefined
      ? {}
      : { consulted: needed.resolvers.map((one) => consultedIn(one, { name, type })) }),
  };
});

/** The trust anchors and the time by which replies were validated; undefined if they were not. */
function provenBy(
  { trustAnchors, at }: TraversalOptions,
  startedAt: string,
  refuse: (why: string) => Invalid,
): DnssecScope | undefined | Invalid {
  if (trustAnchors === undefined) return undefined;
  try {
    return dnssecScopeOf(trustAnchors, at ?? startedAt);
  } catch (error) {
    if (error instanceof TrustAnchorError) return refuse(error.message);
    throw error;
  }
}

function delegationIn({ zone, nameservers }: Omit<DelegationRow, 'id'>): Delegation {
  return delegationOf(
    zone,
    new Map<Name, readonly string[]>(nameservers.map(({ name, glue }) => [name, glue])),
  );
}

function unaskedOf(row: Of<typeof UNASKED_QUESTION>, ending: Circumstances['ending']): Unasked {
  const { server, question, ...why } = row;
  return { query: { address: server.address, question }, why: withReason(why, ending) };
}

/** Files from before it was said of each question do not say that it was cancelled, or on a deny list. */
function withReason(why: WhyUnasked, ending: Circumstances['ending']): WhyUnasked {
  if (why.kind === 'blocked') return { reason: 'denied', ...why };
  return why.kind === 'time-limit' && ending === 'cancelled' ? { ...why, reason: ending } : why;
}
