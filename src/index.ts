/**
 * Walks the DNS from the root along every possible path and says, with exact probabilities, what users
 * get. `traverse` is the whole program; everything else here is what it takes and returns.
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
 * console.log(result.summary);
 * console.log(renderText(result, { colour: 'off', detail: 'terse', width: 100 }));
 * ```
 *
 * @module
 */

export type { OutcomeRow, SummaryRow } from './document/ends.ts';
export type { TraversalEvent } from './document/events.ts';
export type { Finding } from './document/findings.ts';
export { readResult, type Saved } from './document/read-result.ts';
export type { TraversalResult } from './document/result.ts';
export type { End, EndKind } from './evaluate/end.ts';
export { createExchange } from './exchange/ask.ts';
export type { Exchange, Exchanged } from './exchange/exchanged.ts';
export { hostFamilies } from './exchange/families.ts';
export type { ExchangeOptions } from './exchange/options.ts';
export { createPacer, type Pace, type Pacer } from './exchange/pace.ts';
export { probing } from './exchange/probe.ts';
export type { Probe, Probed, ProbeKind, Probing } from './exchange/probed.ts';
export type { Query } from './exchange/query.ts';
export type { Delegation, Nameserver } from './explore/delegation.ts';
export { BUILT_IN_HINTS, parseRootHints, RootHintsError } from './explore/roots.ts';
export { type Showcase, showcases } from './lab/demo/showcases.ts';
export { demoWorld } from './lab/demo/world.ts';
export { type Lab, type LabOptions, startLab } from './lab/lab.ts';
export type { DenialSpec, DsSpec, KeySpec, Signings, ZoneSigning } from './lab/signing/zone-signing.ts';
export { trustAnchorOf } from './lab/trust-anchor.ts';
export type { ServerSpec, World } from './lab/world.ts';
export { zoneText } from './lab/zone-text.ts';
export { LIMITS, type Limit, type LimitName } from './limits.ts';
export { DEFAULT_OPTIONS, type TraversalOptions, traversalOptions } from './options.ts';
export { replay } from './provable.ts';
export { renderDot } from './report/graph/dot.ts';
export { renderMermaid } from './report/graph/mermaid.ts';
export { type Look, renderText } from './report/render/render-text.ts';
export { ShapeError } from './shape/shape.ts';
export { type Surroundings, type TraversalRequest, traverse } from './traverse.ts';
export type { Family } from './wire/address.ts';
export { NameError } from './wire/label.ts';
export { type Name, parseName, reverseName } from './wire/name.ts';
export type { Question } from './wire/question.ts';
export type { ResourceRecord } from './wire/record.ts';
export { parseType } from './wire/type.ts';
