import type { TraversalResult } from '../../document/result.ts';
import type { ManyFlags } from '../flags/many-flags.ts';
import type { ExitStatus } from '../process/exit-status.ts';
import { jsonLine } from '../view/json.ts';

/** A result as a line: which line of the list it is for, the exit status it would have alone, and the result. */
export function resultLine(
  line: number,
  result: TraversalResult,
  exitStatus: ExitStatus,
  { brief }: ManyFlags,
): string {
  if (!brief) return jsonLine({ line, exitStatus, ...result });
  const { schema, query, startedAt, durationMs, complete, ending, summary, coldLatencyMs, stats } = result;
  const resolver = { summary: result.resolver.summary };
  const findings = result.findings.map(({ code, severity, zone, server, message }) => ({
    code,
    severity,
    zone,
    server,
    message,
  }));
  const head = { line, exitStatus, schema, query, startedAt, durationMs, complete, ending };
  return jsonLine({ ...head, summary, resolver, coldLatencyMs, findings, stats });
}
