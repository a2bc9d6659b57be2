import { setMaxListeners } from 'node:events';
import fc from 'fast-check';
import { decodeMessage } from '../../../src/dns/decode.ts';
import { encodeMessage } from '../../../src/dns/encode.ts';
import { type Name, parseName } from '../../../src/dns/name.ts';
import type { Exchange, Exchanged, Failure, Reply, Try } from '../../../src/exchange/exchanged.ts';
import { type Query, queryKey } from '../../../src/exchange/query.ts';
import { randomFrom } from '../../evaluate/random-world.ts';
import { ADDRESSES, says } from './hostile-replies.ts';
import { names } from './names.ts';
import { replyTo, type Said } from './said.ts';

/** An internet whose servers say what they like: the same each time to the same question at one address. */
export interface HostileInternet {
  readonly roots: readonly { readonly name: Name; readonly addresses: readonly string[] }[];
  readonly said: readonly Said[];
  /** Decides who says what. */
  readonly salt: number;
  /** Octets that each reply is said to have brought, besides its own. */
  readonly padding: number;
  readonly tries: readonly Try[];
}

/** Hostile servers everywhere; `hanging`: some keep silent until they are given up. */
export function hostileInternets(hanging: 'hangs' | 'replies'): fc.Arbitrary<HostileInternet> {
  const root = fc.record({
    name: fc.oneof(fc.constantFrom('a.root.', 'b.root.').map(parseName), names),
    addresses: fc.uniqueArray(fc.constantFrom(...ADDRESSES), { maxLength: 3 }),
  });
  return fc.record({
    roots: fc.uniqueArray(root, { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
    said: fc.array(says(hanging), { minLength: 1, maxLength: 14 }),
    salt: fc.nat(0xffff),
    padding: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, fc.constant(5 * 1_024 * 1_024)),
    tries: fc.array(tries, { maxLength: 2 }),
  });
}

const tries: fc.Arbitrary<Try> = fc.record({
  transport: fc.constantFrom('udp', 'tcp'),
  edns: fc.boolean(),
  nameCase: fc.constantFrom('mixed', 'lower'),
  sentMs: fc.nat(4_000),
  elapsedMs: fc.nat(2_000),
  outcome: fc.oneof(
    fc.record({
      kind: fc.constant('reply' as const),
      rcode: fc.constantFrom('NOERROR', 'FORMERR', 'BADVERS', 'RCODE17'),
      truncated: fc.boolean(),
      bytes: fc.nat(65_535),
    }),
    fc.record({ kind: fc.constantFrom('case-mismatch' as const, 'timeout' as const, 'closed' as const) }),
    fc.record({
      kind: fc.constant('unreachable' as const),
      code: fc.constantFrom('ECONNREFUSED', 'EPERM', 'EMFILE'),
    }),
  ),
  ignored: fc.array(
    fc.record({
      reason: fc.constantFrom('wrong-id' as const, 'wrong-question', 'undecodable', 'not-a-reply'),
      detail: fc.constantFrom('a query came back', 'octets after the end of the message (octet 12)'),
      bytes: fc.nat(65_535),
      head: fc.constantFrom('', '00', 'ff'.repeat(64)),
    }),
    { maxLength: 3 },
  ),
});

/** What went over the wire of such an internet. */
export interface Wire {
  readonly exchange: Exchange;
  readonly asked: Query[];
  /** Packets that left. */
  readonly sent: () => number;
}

/** Carries exchanges out without a network; `hurry` decides which of the pending replies comes first. */
export function wireOf(internet: HostileInternet, hurry: number): Wire {
  const asked: Query[] = [];
  let sent = 0;
  const exchange: Exchange = async (query, signal, leaving) => {
    leaving?.();
    signal.throwIfAborted();
    sent += 1;
    asked.push(query);
    const random = randomFrom(`${internet.salt} ${queryKey(query)}`);
    const said = internet.said[Math.floor(random() * internet.said.length)];
    if (said === undefined || said.kind === 'hangs') return await givenUp(signal);
    // At least one, so that no two replies come at the same moment.
    const turns = 1 + Math.floor(randomFrom(`${hurry} ${queryKey(query)}`)() * 4);
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    return exchanged(query, outcomeOf(said, query), internet);
  };
  return { exchange, asked, sent: () => sent };
}

function givenUp(signal: AbortSignal): Promise<never> {
  setMaxListeners(0, signal);
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function exchanged(query: Query, outcome: Reply | Failure, { padding, tries }: HostileInternet): Exchanged {
  const bytesReceived = (outcome.kind === 'reply' ? outcome.bytes : 0) + padding;
  const traffic = { packetsSent: 1, packetsReceived: 1, bytesSent: 40, bytesReceived };
  const elapsedMs = Math.floor(randomFrom(queryKey(query))() * 4_000);
  return { ...query, outcome, transport: 'udp', tries, elapsedMs, traffic };
}

/** A reply as it is after it has gone over the wire. */
function outcomeOf(said: Exclude<Said, { kind: 'hangs' }>, { question }: Query): Reply | Failure {
  if (said.kind !== 'reply') return said;
  const octets = encodeMessage(replyTo(said, question));
  const { rcode, flags, edns, answer, authority, additional } = decodeMessage(octets);
  return {
    ...{ kind: 'reply', rcode, flags, rttMs: 1, bytes: octets.length, answer, authority, additional },
    ...(edns === undefined ? {} : { edns }),
  };
}
