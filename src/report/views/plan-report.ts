/* Computes the report of svc plan from pairs of results, for all formats. */

import { isAtOrBelow, type Name, ROOT } from '../../dns/name.ts';
import type { FailOn, Finding } from '../../document/finding.ts';
import type { NotChecked, TraversalResult } from '../../document/result.ts';
import type { Times } from '../../document/when.ts';
import type { Detail } from '../../document/words/shortened.ts';
import { timesOfChange } from '../when/times.ts';
import { changesBetween, type ResultChanges, userChangeLine } from './changes.ts';
import { conclusionOf, type ResultConclusion } from './conclusion.ts';
import { hasFinding } from './findings.ts';
import { RESULT_STATUS, type ResultStatus } from './status.ts';
import { allNotChecked } from './wording.ts';

/** The report of a plan: svc-plan(1), THE DOCUMENT. */
export interface PlanReport {
  readonly zones: readonly PlannedZoneRow[];
  readonly names: readonly PlannedName[];
  /** The number of names of the zone files that were not checked. */
  readonly leftOut: number;
  /** Whether the names are those of the zone files, so that names that are in them no longer are not checked. */
  readonly isOfFiles: boolean;
  /** The findings of the zone files. */
  readonly files: readonly Finding[];
}

/** A planned zone, with the parts of it that are planned. */
export interface PlannedZoneRow {
  readonly zone: Name;
  readonly file?: string;
  readonly servers?: readonly { readonly name: Name; readonly addresses: readonly string[] }[];
  readonly ds?: readonly string[];
}

/** A question, today and once the plan is published. */
export interface PlannedName {
  readonly query: TraversalResult['query'];
  /** Of the planned traversal. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly today: ResultConclusion;
  readonly planned: ResultConclusion;
  /** The change in one line, which may contain text from servers. */
  readonly change: string;
  readonly comparison: ResultChanges;
  /** How long users get the answers of today if the plan is published now; absent if nothing changes for anybody. */
  readonly when?: Times;
  /** The findings of the planned traversal. */
  readonly findings: readonly Finding[];
  /** The findings of today's traversal. */
  readonly todayFindings: readonly Finding[];
  /** The views that either traversal leaves out. */
  readonly notChecked: readonly NotChecked[];
}

/** Compares two results for a question: of today, and with the plan. */
export function plannedName(today: TraversalResult, imagined: TraversalResult, detail: Detail): PlannedName {
  const { whatIf: _, ...planned } = imagined;
  const unseen = planned.findings.filter((finding) => isOfToday(finding, today, imagined));
  const comparison = changesBetween({ ...today, findings: [...today.findings, ...unseen] }, planned);
  const when = timesOfChange(today, imagined, new Date(imagined.finishedAt));
  const { changes = [], dangers = [] } = when;
  return {
    query: planned.query,
    startedAt: planned.startedAt,
    finishedAt: planned.finishedAt,
    today: conclusionOf(today),
    planned: conclusionOf(planned),
    change: userChangeLine(comparison, today, planned, detail),
    comparison,
    ...((!comparison.same || changes.length + dangers.length > 0) && { when }),
    findings: planned.findings,
    todayFindings: today.findings,
    notChecked: allNotChecked([today, planned]),
  };
}

/**
 * Whether servers have a fault today already that only denials show: today's traversal does not show it where it has no denial
 * of the zone.
 */
function isOfToday(
  { code, zone = ROOT, server, evidence }: Finding,
  today: TraversalResult,
  { exchanges: all, whatIf }: TraversalResult,
): boolean {
  if (!SHOWN_BY_DENIALS.includes(code)) return false;
  if (all.some(({ id, planned }) => planned === true && evidence.includes(id))) return false;
  const { delegate = [], zone: files = [], ds = [] } = whatIf ?? {};
  const isUntouched = [...delegate, ...files, ...ds].every((one) => !isAtOrBelow(zone, one.zone));
  const servers = today.delegations.filter((one) => one.zone === zone).flatMap((one) => one.nameservers);
  return isUntouched || servers.some(({ name }) => name === server?.name);
}

const SHOWN_BY_DENIALS: readonly string[] = [
  'SOA_SERIAL_DIFFERS',
  'SOA_SERIAL_LOWERED',
  'NEGATIVE_WITHOUT_SOA',
  'NEGATIVE_WRONG_SOA',
];

/** The file of the nearest planned zone that has a name. */
export function fileOf(subject: Name | undefined, zones: PlanReport['zones']): string | undefined {
  return subject === undefined ? undefined : nearestZone(subject, zones)?.file;
}

/** Of these zones the lowest at or above a name. */
export function nearestZone<Z extends { readonly zone: Name }>(
  name: Name,
  zones: readonly Z[],
): Z | undefined {
  const above = zones.filter(({ zone }) => isAtOrBelow(name, zone));
  return above.toSorted((one, other) => other.zone.length - one.zone.length)[0];
}

/** The report as a document of JSON. */
export function planDocument(
  { zones, names, leftOut, isOfFiles, files }: PlanReport,
  exitStatus: number,
): object {
  const notChecked = allNotChecked(names);
  return {
    exitStatus,
    zones,
    names: names.map(({ startedAt, finishedAt, todayFindings, notChecked, ...name }) => name),
    ...(leftOut > 0 && { leftOut }),
    ...(isOfFiles && { removedNames: 'not-checked' }),
    ...(notChecked.length > 0 && { notChecked }),
    files,
  };
}

/** The fate of a name under the plan. */
export type Fate = 'same' | 'changed' | 'trouble' | 'unknown';

/** The fate of a name. With `failOn`, only a finding of that severity or worse is trouble. */
export function fateOf({ today, planned, comparison, findings }: PlannedName, failOn?: FailOn): Fate {
  const { trouble, unknown } = RESULT_STATUS;
  if (planned.verdict.exitStatus === unknown) return 'unknown';
  const isBad =
    failOn === undefined ? planned.verdict.exitStatus === trouble : hasFinding({ findings }, failOn);
  if (isBad) return 'trouble';
  if (comparison.same) return 'same';
  return today.verdict.exitStatus === unknown ? 'unknown' : 'changed';
}

/** The findings of zones that are not checked. */
const UNCHECKED: readonly string[] = ['FILE_UNREADABLE', 'FILE_NOT_DELEGATED'];

/** The exit status: unknown if any name is, or a zone that somebody could look up was not checked, else trouble if a name or a zone file has trouble. */
export function planStatus({ names, files }: PlanReport, failOn?: FailOn): ResultStatus {
  const fates = new Set(names.map((name) => fateOf(name, failOn)));
  const isUnchecked = files.some(({ code, severity }) => UNCHECKED.includes(code) && severity !== 'notice');
  if (fates.has('unknown') || isUnchecked) return RESULT_STATUS.unknown;
  const isBad = fates.has('trouble') || hasFinding({ findings: files }, failOn ?? 'error');
  return isBad ? RESULT_STATUS.trouble : RESULT_STATUS.agreed;
}
