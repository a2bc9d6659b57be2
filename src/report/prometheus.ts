import { gauge, type Metric, metricsText, type Sample } from '../base/metrics-text.ts';
import { summaryOf } from '../document/ends.ts';
import { type Finding, SEVERITY } from '../document/finding.ts';
import type { TraversalResult } from '../document/result.ts';
import { allViewsOf } from '../document/views.ts';
import { grouped } from '../document/words/lists.ts';
import { shortening } from '../document/words/shortened.ts';
import { toNumber } from '../evaluate/fraction.ts';
import { faultyServersOf } from './views/faulty-servers.ts';
import { findingCounts } from './views/findings.ts';
import { endTerm, reasonWords, whatIfWords } from './views/wording.ts';
import { nameServerSets, serials, signatureEnds } from './zone-metrics.ts';

/** A result as metrics for the textfile collector of Prometheus: a pure function, safe whatever names it holds. */
export function prometheusText(result: TraversalResult): string {
  return metricsText(metricsOf(result));
}

const PREFIX = 'traversal_result_';

/** Metrics may be scraped from several files, so each sample says which question it is for. */
function metricsOf(result: TraversalResult): readonly Metric[] {
  const { name, type } = result.query;
  const imagined = result.whatIf === undefined ? {} : { what_if: whatIfWords(result.whatIf) };
  const { coldLatencyMs, figures, finishedAt, durationMs, findings } = result;
  const counts = findingCounts(findings);
  const metric = (suffix: string, help: string, samples: readonly Sample[]): Metric =>
    gauge(`${PREFIX}${suffix}`, help, () =>
      samples.map(({ labels, value }) => ({ labels: { name, type, ...imagined, ...labels }, value })),
    );
  return [
    metric('share', 'Share of users, or of first tries, by what they get.', sharesOf(result)),
    metric(
      'server_share',
      'Share of paths that go wrong at a name server.',
      faultyServersOf(result).map(({ name: server, share }) => ({
        labels: { server },
        value: toNumber(share),
      })),
    ),
    metric('findings', 'Findings by code and severity.', codeCounts(findings)),
    metric(
      'severity_findings',
      'Findings by severity.',
      SEVERITY.names.map((severity) => ({ labels: { severity }, value: counts[severity] })),
    ),
    metric('cold_latency_seconds', 'Latency of a lookup with an empty cache.', latencies(coldLatencyMs)),
    metric('exit_status', 'Exit status of the result.', [{ value: result.verdict.exitStatus }]),
    metric('complete', '1 unless a limit left something unknown.', [{ value: result.complete ? 1 : 0 }]),
    metric(
      'not_checked',
      'Views of users that were left out.',
      (result.notChecked ?? [])
        .filter(({ view }) => view !== 'audit')
        .map((row) => ({ labels: { view: row.view, reason: reasonWords(row) }, value: 1 })),
    ),
    metric('zone_serial', 'Serial of a zone at a server, with --check.', serials(result)),
    metric(
      'signature_end_timestamp_seconds',
      'When the first signature of a zone ends, in Unix time, with --check.',
      signatureEnds(result),
    ),
    metric(
      'name_server',
      'NS records of a zone, at its parent and itself, with --check.',
      nameServerSets(result),
    ),
    metric('exchanges', 'Distinct questions asked.', [{ value: figures.exchanges }]),
    metric('timeouts', 'Tries without a reply.', [{ value: figures.timeouts }]),
    metric('duration_seconds', 'Duration of the traversal.', [{ value: seconds(durationMs) }]),
    metric('finished_timestamp_seconds', 'When the traversal ended, in Unix time.', [
      { value: seconds(Date.parse(finishedAt)) },
    ]),
  ];
}

function latencies(latency: TraversalResult['coldLatencyMs']): readonly Sample[] {
  return Object.entries(latency).map(([which, ms]) => ({ labels: { which }, value: seconds(ms) }));
}

function sharesOf(result: TraversalResult): readonly Sample[] {
  const shares = allViewsOf(result).flatMap(({ row, view }) =>
    summaryOf(view).map((one) => ({
      view: row.name,
      kind: one.kind,
      term: endTerm(one),
      value: one.probability,
    })),
  );
  const shorten = shortening(shares.map(({ term }) => term));
  return shares.map(({ view, kind, term, value }) => ({
    labels: { view, kind, ends_in: shorten(term) },
    value,
  }));
}

function codeCounts(findings: readonly Finding[]): readonly Sample[] {
  return grouped(findings, ({ code, severity }) => `${code} ${severity}`).map((alike) => {
    const [{ code, severity }] = alike;
    return { labels: { code, severity }, value: alike.length };
  });
}

function seconds(ms: number): number {
  return ms / 1_000;
}
