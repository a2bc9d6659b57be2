import type { TraversalResult } from '../../document/result.ts';
import type { ExitStatus } from '../process/exit-status.ts';
import { jsonLine, LINE_JSON } from '../process/json.ts';
import { resultJson } from '../view/result-json.ts';

/** What a line of JSON says of its result. */
interface LineHead {
  /** The line of the list that it is for; they count from 1. */
  readonly line: number;
  /** Of the name alone. */
  readonly exitStatus: ExitStatus;
}

/** A result as a line of JSON, in chunks; undefined if it would be too large. */
export async function resultLine(
  { line, exitStatus }: LineHead,
  result: TraversalResult,
): Promise<Iterable<string> | undefined> {
  const row = { line, exitStatus, ...result };
  return await resultJson(row, LINE_JSON);
}

/** The same without what makes lines long. */
export function briefLine({ line, exitStatus }: LineHead, result: TraversalResult): string {
  const { schema, query, startedAt, durationMs, complete, ending, summary, coldLatencyMs, stats } = result;
  const resolver = { summary: result.resolver.summary };
  const warm = result.warm && {
    summary: result.warm.summary,
    resolver: { summary: result.warm.resolver.summary },
  };
  const findings = result.findings.map(({ id, consequenceOf, code, severity, zone, server, message }) => ({
    id,
    consequenceOf,
    code,
    severity,
    zone,
    server,
    message,
  }));
  const head = { line, exitStatus, schema, query, startedAt, durationMs, complete, ending };
  return jsonLine({ ...head, summary, resolver, warm, coldLatencyMs, findings, stats });
}
