/**
 * Walks the DNS from the root along every possible path and says, with exact probabilities, what users
 * get. `traverseName` does that in one call; `traverse` is the same with everything it needs from outside as a
 * parameter, and everything else here is what they take and return.
 *
 * ```ts
 * import {
 *   BUILT_IN_HINTS, createExchange, createPacer, hostFamilies, LIMITS, parseName, renderText,
 *   traversalOptions, traverse,
 * } from 'dns-traversal-service';
 *
 * const options = traversalOptions({ families: await hostFamilies() });
 * const pacer = createPacer({
 *   ratePerAddress: options.rate,
 *   totalInFlight: LIMITS.totalInFlight.default,
 * });
 * const result = await traverse(
 *   { question: { name: parseName('www.example.com'), type: 'A' }, options, hints: BUILT_IN_HINTS },
 *   {
 *     exchange: createExchange({ ...options, pacer }),
 *     emit: (event) => console.error(event.event),
 *     signal: AbortSignal.timeout(60_000),
 *   },
 * );
 * console.log(result.verdict.text, result.users);
 * console.log(renderText(result, { colour: 'off', detail: 'terse', width: 100 }));
 * ```
 *
 * @module
 */

export { LIMITS, type Limit, type LimitName } from './base/limits.ts';
export { ShapeError } from './base/shape.ts';
export type { Family } from './dns/address.ts';
export { parseType } from './dns/codes.ts';
export type { Question } from './dns/message.ts';
export { type Name, NameError, parseName, reverseName } from './dns/name.ts';
export type { ResourceRecord } from './dns/record.ts';
export type { OutcomeRow, SummaryRow } from './document/ends.ts';
export type { TraversalEvent } from './document/events.ts';
export type { Finding } from './document/finding.ts';
export { DEFAULT_OPTIONS, type TraversalOptions, traversalOptions } from './document/options.ts';
export { readResult, type Saved } from './document/read-result.ts';
export type { TraversalResult } from './document/result.ts';
export type { End, EndKind } from './evaluate/end.ts';
export type { ExchangeOptions } from './exchange/exchange.ts';
export { createExchange, probing } from './exchange/exchange.ts';
export type { Exchange, Exchanged, Probe, Probed, ProbeKind, Probing } from './exchange/exchanged.ts';
export { createPacer, type Pace, type Pacer } from './exchange/pacer.ts';
export type { Query } from './exchange/query.ts';
export { hostFamilies } from './exchange/udp.ts';
export type { Delegation, Nameserver } from './explore/delegation.ts';
export { BUILT_IN_HINTS, parseRootHints, RootHintsError } from './explore/root-hints.ts';
export { demoWorld } from './lab/demo-world.ts';
export { type Lab, type LabOptions, startLab } from './lab/lab.ts';
export { type Showcase, showcases } from './lab/showcases.ts';
export type { DenialSpec, DsSpec, KeySpec, Signings, ZoneSigning } from './lab/signing/zone-signing.ts';
export type { ServerSpec, World } from './lab/world.ts';
export { trustAnchorOf } from './lab/world.ts';
export { zoneText } from './lab/zone-text.ts';
export { renderDot } from './report/dot.ts';
export { renderMermaid } from './report/mermaid.ts';
export { type Look, renderText } from './report/result-text.ts';
export { replay } from './traversal/node-replay.ts';
export { type Plan, type Surroundings, type TraversalRequest, traverse } from './traversal/traverse.ts';
export { type NameTraversal, type TraverseNameOptions, traverseName } from './traversal/traverse-name.ts';
