/* Traverses a name in one call, with the defaults of the program. */

import { Readable } from 'node:stream';
import { createFairClock } from '../base/clock.ts';
import { LIMITS } from '../base/limits.ts';
import { readShape } from '../base/shape.ts';
import { closed } from '../base/shape-object.ts';
import { parseType } from '../dns/codes.ts';
import { parseTrustAnchors } from '../dns/dnssec/trust-anchors.ts';
import { asciiName } from '../dns/idn.ts';
import type { Question } from '../dns/message.ts';
import { parseName } from '../dns/name.ts';
import type { TraversalEvent } from '../document/events.ts';
import { OPTION_FIELDS, type TraversalOptions, traversalOptions } from '../document/options.ts';
import type { BriefResult, TraversalResult } from '../document/result.ts';
import { briefResult } from '../document/views.ts';
import { createExchange, probing } from '../exchange/exchange.ts';
import type { Exchange } from '../exchange/exchanged.ts';
import { createPacer } from '../exchange/pacer.ts';
import { hostFamilies } from '../exchange/udp.ts';
import { BUILT_IN_HINTS, parseRootHints } from '../explore/root-hints.ts';
import { DEMO_OPTIONS, demoRoots, demoWorld } from '../lab/demo-world.ts';
import { labOnDemand } from '../lab/lab.ts';
import { trustAnchorOf } from '../lab/world.ts';
import { type Surroundings, traverse } from './traverse.ts';

/** How `traverseName` traverses: options of a traversal (absent: the defaults of `svc traverse`), and the following. */
export interface TraverseNameOptions extends Partial<TraversalOptions> {
  /** A record type as people write it: "MX", "type65". Absent: "A". */
  readonly type?: string;
  /** Cancels: the result is then what was known. */
  readonly signal?: AbortSignal;
  /** Traverses the built-in simulated internet, without a network. */
  readonly demo?: boolean;
  /** Whether the result has the evidence: exchanges, steps and what belongs to them. */
  readonly full?: boolean;
}

/** A traversal that runs. */
export interface NameTraversal<Result = BriefResult> {
  /** Trouble in the DNS is part of the result; it rejects for what cannot be asked, and if this host has no network. */
  readonly result: Promise<Result>;
  /** What happens, from the beginning, whenever it is read; ends with the traversal. To be read once. */
  readonly events: AsyncIterable<TraversalEvent>;
}

/**
 * Traverses a name from the root, with all views. The result rejects with an error that says what is wrong with a name
 * (internationalised ones are accepted), a record type or an option.
 *
 * ```ts
 * const { events, result } = traverseName('www.example.com', { type: 'MX', signal: AbortSignal.timeout(60_000) });
 * for await (const { event } of events) console.error(event);
 * console.log((await result).verdict.text);
 * ```
 */
export function traverseName(
  name: string,
  options: TraverseNameOptions & { readonly full: true },
): NameTraversal<TraversalResult>;
export function traverseName(name: string, options?: TraverseNameOptions): NameTraversal;
export function traverseName(
  name: string,
  {
    type = 'A',
    signal = new AbortController().signal,
    demo = false,
    full = false,
    ...given
  }: TraverseNameOptions = {},
): NameTraversal<TraversalResult | BriefResult> {
  const events = new Readable({ objectMode: true, read: () => {} });
  const emit = (event: TraversalEvent) => void events.push(event);
  const traversed = async () => {
    const known = parseType(type);
    if (known === undefined) throw new RangeError(`"${type}" is not a record type`);
    const question = { name: parseName(asciiName(name)), type: known };
    readShape(GIVEN, traversalOptions(given));
    const result = await (demo ? inDemo : onInternet)(question, given, { emit, signal });
    return full ? result : briefResult(result);
  };
  const result = traversed().finally(() => events.push(null));
  // Whoever reads only the events is told by their end.
  result.catch(() => undefined);
  return { result, events };
}

/** The options of a traversal, and no others. */
const GIVEN = closed(OPTION_FIELDS);

type Run = (
  question: Question,
  given: Partial<TraversalOptions>,
  around: Pick<Surroundings, 'emit' | 'signal'>,
) => Promise<TraversalResult>;

const onInternet: Run = async (question, given, around) => {
  const families = given.families ?? (await hostFamilies());
  if (families.length === 0) throw new Error('this host has no route to the DNS');
  const options = traversalOptions({ ...given, families });
  const pacer = createPacer({ ratePerAddress: options.rate, totalInFlight: LIMITS.totalInFlight.default });
  const exchange = createExchange({ ...options, pacer });
  const request = { question, options, hints: BUILT_IN_HINTS };
  return await traverse(request, { ...around, exchange, probing: probing(exchange) });
};

const inDemo: Run = async (question, given, around) => {
  const lab = labOnDemand(demoWorld(), demoRoots());
  const trustAnchors = parseTrustAnchors(trustAnchorOf(demoWorld()));
  const options = traversalOptions({ ...DEMO_OPTIONS, families: [4, 6], trustAnchors, ...given });
  const asking = createExchange({ ...options, route: lab.route, clock: createFairClock() });
  const exchange: Exchange = async (query, stop, leaving) => {
    await lab.open(query.address);
    return await asking(query, stop, leaving);
  };
  try {
    const request = { question, options, hints: parseRootHints(lab.hints) };
    return await traverse(request, { ...around, exchange, probing: probing(exchange) });
  } finally {
    await lab.close();
  }
};
