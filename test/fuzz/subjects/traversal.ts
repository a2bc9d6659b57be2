import { setMaxListeners } from 'node:events';
import fc from 'fast-check';
import { eventLine } from '../../../src/cli/view/event-output.ts';
import type { Family } from '../../../src/dns/address.ts';
import { decodeMessage } from '../../../src/dns/decode.ts';
import { encodeMessage } from '../../../src/dns/encode.ts';
import type { Question } from '../../../src/dns/message.ts';
import { type Name, parseName, ROOT } from '../../../src/dns/name.ts';
import { isGloballyReachable } from '../../../src/dns/special-purpose.ts';
import type { TraversalEvent } from '../../../src/document/events.ts';
import { type TraversalOptions, traversalOptions } from '../../../src/document/options.ts';
import type { TraversalResult } from '../../../src/document/result.ts';
import { causeOf, isUnknown } from '../../../src/evaluate/end.ts';
import type { Exchange, Exchanged, Failure, Reply, Try } from '../../../src/exchange/exchanged.ts';
import { type Query, queryKey } from '../../../src/exchange/query.ts';
import { budgetOf } from '../../../src/explore/budget.ts';
import { delegationOf } from '../../../src/explore/delegation.ts';
import { policyOf } from '../../../src/explore/policy.ts';
import { type TraversalRequest, traverse } from '../../../src/traversal/traverse.ts';
import { randomFrom } from '../../evaluate/random-world.ts';
import { replaysTheSame, reportsArePrintable, sumToOne } from '../checks.ts';
import { ADDRESSES, says } from '../hostile-replies.ts';
import { names, questions } from '../names.ts';
import { replyTo, type Said } from '../said.ts';
import { must, mustBePrintable, subject, withinCpu } from '../subject.ts';

interface Traversal {
  readonly internet: HostileInternet;
  readonly question: Question;
  readonly options: TraversalOptions;
  readonly denied: { readonly prefixes: readonly string[]; readonly names: readonly Name[] };
}

const options: fc.Arbitrary<TraversalOptions> = fc
  .record({
    families: fc.constantFrom<readonly Family[]>([4], [6], [4, 6]),
    maxDepth: fc.nat(12),
    maxQueries: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant(600)),
    maxWork: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 50, max: 1_500 })),
    maxPackets: fc.oneof({ weight: 6, arbitrary: fc.constant(5_000) }, fc.integer({ min: 1, max: 20 })),
    specialTargets: fc.constantFrom('blocked' as const, 'allowed' as const),
    check: fc.boolean(),
  })
  .map(traversalOptions);

const denied = fc.record({
  prefixes: fc.subarray(['11.0.0.0/31', '2a00::2/128', '0.0.0.0/0'], { maxLength: 1 }),
  names: fc.array(names, { maxLength: 1 }),
});

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

const traversals = (hanging: 'hangs' | 'replies') =>
  fc.record({
    internet: hostileInternets(hanging),
    question: questions,
    options,
    denied: fc.oneof({ weight: 6, arbitrary: fc.constant({ prefixes: [], names: [] }) }, denied),
  });

/** Whole traversals among hostile servers: exact, within their limits, and reported without trouble. */
export const traversal = subject('traversal', 150, traversals('replies'), async (traversal) => {
  const first = await run(traversal, 1);
  const second = await run(traversal, 2);
  // Packets and octets are used up by whoever is quickest.
  if ([first, second].some(usedUpByTheQuickest)) return;
  mustAgree(first, second, ['first-tries', 'resolver', 'first-tries/warm', 'warm'], 'who replies first');
  const plain = { ...traversal, options: { ...traversal.options, check: false } };
  if (traversal.options.check) mustAgree(first, await run(plain, 3), ['first-tries', 'resolver'], '--check');
});

function usedUpByTheQuickest({ unasked }: TraversalResult): boolean {
  return unasked.some((one) => one.kind === 'query-limit' && one.unit !== undefined);
}

function mustAgree(
  first: TraversalResult,
  second: TraversalResult,
  views: readonly ('first-tries' | 'resolver' | 'first-tries/warm' | 'warm')[],
  cause: string,
): void {
  for (const view of views) {
    const [one, other] = [first, second].map((result) => JSON.stringify(result.views[view]));
    must(one === other, `${view} depend on ${cause}: ${one} or ${other}`);
  }
}

/** The same with servers that say nothing until the time is up. */
export const silence = subject('silence', 30, traversals('hangs'), async (traversal) => {
  await run({ ...traversal, options: { ...traversal.options, maxTimeMs: 20 } }, 1);
});

async function run(
  { internet, question, options, denied }: Traversal,
  hurry: number,
): Promise<TraversalResult> {
  const hints = delegationOf(ROOT, new Map(internet.roots.map(({ name, addresses }) => [name, addresses])));
  const request: TraversalRequest = { question, options, hints };
  const wire: Wire = wireOf(internet, hurry);
  const events: TraversalEvent[] = [];
  const result = await traverse(request, {
    exchange: wire.exchange,
    policy: policyOf(denied),
    emit: (event) => events.push(event),
    signal: new AbortController().signal,
  });
  for (const event of events) mustBePrintable(eventLine(event, 'full'));
  sumToOne(result);
  keepLimits(wire, result);
  replaysTheSame(result);
  withinCpu(MOST_MS, () => reportsArePrintable(result, internet.salt));
  return result;
}

const MOST_MS = 10_000;

/** Nothing is asked twice, nobody who is not to be, and no more than the limits allow. */
function keepLimits({ asked, sent }: Wire, result: TraversalResult): void {
  const { options, figures } = result;
  must(new Set(asked.map(queryKey)).size === asked.length, 'asked something twice');
  must(asked.length <= 2 * options.maxQueries, `asked ${asked.length}, ${options.maxQueries} count`);
  const counted = asked.length - figures.unused;
  must(counted <= options.maxQueries, `${counted} of ${options.maxQueries} count`);
  must(figures.exchanges <= asked.length, `has ${figures.exchanges} of ${asked.length} exchanges`);
  must(sent() <= (options.maxPackets ?? Number.POSITIVE_INFINITY), `sent ${sent()} packets`);
  const { maxOctets = 0, usualOctets = 0 } = budgetOf(options);
  const heard = result.exchanges.map(({ traffic }) => Math.max(0, traffic.bytesReceived - usualOctets));
  const before = heard.slice(0, -1).reduce((total, octets) => total + octets, 0);
  must(before <= maxOctets, `heard ${before} octets`);
  for (const { address } of asked) {
    must(options.families.includes(address.includes(':') ? 6 : 4), `asked ${address}`);
    must(options.specialTargets === 'allowed' || isGloballyReachable(address), `asked ${address}`);
  }
  tellUnknown(result);
}

/** A result says that it is complete where, and only where, nothing is unknown. */
function tellUnknown({
  complete,
  ending,
  views: { 'first-tries': tries, resolver, 'first-tries/warm': warmTries, warm },
}: TraversalResult): void {
  const all = [tries, resolver, warmTries, warm].flatMap((view) => view?.outcomes ?? []);
  const unknown = all.filter((end) => isUnknown(causeOf(end)));
  must(complete === (unknown.length === 0 && ending !== 'cancelled'), `complete: ${complete}`);
}

/** An internet whose servers say what they like: the same each time to the same question at one address. */
interface HostileInternet {
  readonly roots: readonly { readonly name: Name; readonly addresses: readonly string[] }[];
  readonly said: readonly Said[];
  /** Decides who says what. */
  readonly salt: number;
  /** Octets that each reply is said to have brought, besides its own. */
  readonly padding: number;
  readonly tries: readonly Try[];
}

/** Hostile servers everywhere; `hanging`: some keep silent until they are given up. */
function hostileInternets(hanging: 'hangs' | 'replies'): fc.Arbitrary<HostileInternet> {
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

/** What went over the wire of such an internet. */
interface Wire {
  readonly exchange: Exchange;
  readonly asked: Query[];
  /** Packets that left. */
  readonly sent: () => number;
}

/** Carries exchanges out without a network; `hurry` decides which of the pending replies comes first. */
function wireOf(internet: HostileInternet, hurry: number): Wire {
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
