import { type Exchanged, type Query, queryKey } from '../exchanged.ts';
import { delegationOf } from '../explore/delegation.ts';
import { type Recording, scopeOf, type Unasked } from '../explore/recording.ts';
import { LIMITS } from '../limits.ts';
import type { TraversalOptions } from '../options.ts';
import { array, integer, number, object, oneOf, parsed, type Shape, ShapeError, text } from '../shape.ts';
import { type Name, parseName } from '../wire/name.ts';
import type { Circumstances } from './circumstances.ts';
import { readAddress, readExchange, readQuestion } from './read-exchange.ts';
import { SCHEMA } from './result.ts';

/** A saved result, read back: enough to evaluate it again. */
export interface Saved {
  readonly recording: Recording;
  readonly circumstances: Circumstances;
}

/** Reads a parsed result document. Throws a `ShapeError` that says what is wrong and where. */
export function readResult(document: unknown): Saved {
  const saved = SHAPE(document, '');
  const root = saved.delegations.find(({ zone }) => zone === '.');
  if (root === undefined) throw new ShapeError('/delegations', 'must hold the root hints (zone ".")');
  const glue = new Map<Name, readonly string[]>(root.nameservers.map((server) => [server.name, server.glue]));
  const scope = scopeOf(saved.query, delegationOf(root.zone, glue), saved.options);
  const exchanges = new Map<string, Exchanged>(saved.exchanges.map((one) => [queryKey(one), one]));
  const unasked = new Map<string, Unasked>(saved.unasked.map((one) => [queryKey(one.query), one]));
  return { recording: { scope, exchanges, unasked }, circumstances: saved };
}

/** The options of a traversal. */
export const readOptions: Shape<TraversalOptions> = object({
  families: array(oneOf(4, 6)),
  maxDepth: limited('maxDepth'),
  maxQueries: limited('maxQueries'),
  maxTimeMs: limited('maxTimeMs'),
  maxWork: limited('maxWork'),
  timeoutMs: limited('timeoutMs'),
  retries: limited('retries'),
  rate: limited('rate'),
  port: limited('port'),
  payloadSize: limited('payloadSize'),
  edns: oneOf('on', 'off'),
  nameCase: oneOf('mixed', 'lower'),
  transport: oneOf('udp-then-tcp', 'tcp'),
  specialTargets: oneOf('blocked', 'allowed'),
});

const UNASKED = object({
  server: object({ address: readAddress }),
  question: readQuestion,
  kind: oneOf('query-limit', 'time-limit'),
  limit: number,
});

const SHAPE = object({
  schema: oneOf(1, SCHEMA),
  query: readQuestion,
  options: readOptions,
  startedAt: text,
  finishedAt: text,
  durationMs: number,
  ending: oneOf('whole', 'query-limit', 'time-limit', 'cancelled'),
  delegations: array(
    object({
      zone: parsed(parseName),
      nameservers: array(object({ name: parsed(parseName), glue: array(readAddress) })),
    }),
  ),
  exchanges: array(readExchange),
  unasked: array((value, pointer): Unasked => {
    const { server, question, kind, limit } = UNASKED(value, pointer);
    const query: Query = { address: server.address, question };
    return { query, why: { kind, limit } };
  }),
});

function limited(name: keyof typeof LIMITS): Shape<number> {
  return integer(LIMITS[name].least, LIMITS[name].most);
}
