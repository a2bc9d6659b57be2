/**
 * Walks the DNS from the root along every possible path and says, with exact probabilities, what users
 * get: the document of `svc traverse --json` (svc-api(5), RESULT), from one call.
 *
 * ```ts
 * import { renderText, traverseName } from 'dns-traversal-service';
 *
 * const { verdict, users } = await traverseName('www.example.com').result;
 * console.log(verdict.text, users);
 *
 * const whole = await traverseName('www.example.com', { type: 'MX', full: true }).result;
 * console.log(renderText(whole, { colour: 'off', detail: 'terse', width: 100 }));
 * ```
 *
 * @module
 */

export type { TraversalEvent } from './document/events.ts';
export type { ExchangeRow } from './document/exchanges.ts';
export type { Finding } from './document/finding.ts';
export type { BriefResult, TraversalResult } from './document/result.ts';
export { renderText } from './report/result-text.ts';
export { replayDocument } from './traversal/node-replay.ts';
export { type NameTraversal, type TraverseNameOptions, traverseName } from './traversal/traverse-name.ts';
