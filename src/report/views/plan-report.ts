/* Computes the report of svc plan from pairs of results, for all formats. */

import { isAtOrBelow, type Name } from '../../dns/name.ts';
import type { Conclusion } from '../../document/events.ts';
import { type FailOn, type Finding, SEVERITY } from '../../document/finding.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { Times } from '../../document/when.ts';
import { firstOfEach } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { count } from '../../document/words/quantities.ts';
import type { Detail } from '../../document/words/shortened.ts';
import { type PassingDanger, passingDangers } from '../when/plan-times.ts';
import { timesOfChange } from '../when/times.ts';
import { changesBetween, type ResultChanges, userChangeLine } from './changes.ts';
import { conclusionOf, RESULT_STATUS, type ResultStatus } from './conclusion.ts';
import { hasFinding, isTrouble } from './findings.ts';
import { type Judged, judged } from './judged.ts';

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
  readonly today: Conclusion;
  readonly planned: Conclusion;
  /** The change in one line, which may contain text from servers. */
  readonly change: string;
  readonly comparison: ResultChanges;
  /** How long users get the answers of today if the plan is published now; absent if nothing changes for anybody. */
  readonly when?: Times;
  /** The conclusion and findings of the planned traversal. */
  readonly judged: Judged;
}

/** Compares two results for a question: of today, and with the plan. */
export function plannedName(today: TraversalResult, imagined: TraversalResult, detail: Detail): PlannedName {
  const { whatIf: _, ...planned } = imagined;
  const comparison = changesBetween(today, planned);
  const when = timesOfChange(today, imagined, new Date(imagined.finishedAt));
  const { changes = [], dangers = [] } = when;
  return {
    query: planned.query,
    today: conclusionOf(today),
    planned: conclusionOf(planned),
    change: userChangeLine(comparison, today, planned, detail),
    comparison,
    ...((!comparison.same || changes.length + dangers.length > 0) && { when }),
    judged: judged(planned),
  };
}

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
  return {
    exitStatus,
    zones,
    names: names.map(({ judged: { findings }, ...name }) => ({ ...name, findings })),
    ...(leftOut > 0 && { leftOut }),
    ...(isOfFiles && { removedNames: 'not-checked' }),
    files,
  };
}

/** The fate of a name under the plan. */
export type Fate = 'same' | 'changed' | 'trouble' | 'unknown';

/** The fate of a name. With `failOn`, only a finding of that severity or worse is trouble. */
export function fateOf(
  { today, planned, comparison, judged: { findings } }: PlannedName,
  failOn?: FailOn,
): Fate {
  const { trouble, unknown } = RESULT_STATUS;
  if (planned.exitStatus === unknown) return 'unknown';
  const isBad = failOn === undefined ? planned.exitStatus === trouble : hasFinding({ findings }, failOn);
  if (isBad) return 'trouble';
  if (comparison.same) return 'same';
  return today.exitStatus === unknown ? 'unknown' : 'changed';
}

/** The exit status: unknown if any name is, else trouble if a name or a zone file has trouble. */
export function planStatus({ names, files }: PlanReport, failOn?: FailOn): ResultStatus {
  const fates = new Set(names.map((name) => fateOf(name, failOn)));
  if (fates.has('unknown')) return RESULT_STATUS.unknown;
  const isBad = fates.has('trouble') || hasFinding({ findings: files }, failOn ?? 'error');
  return isBad ? RESULT_STATUS.trouble : RESULT_STATUS.agreed;
}

/** The report for people: names by their fate, and each finding once. */
export interface PlanView {
  /** "2 zones, 9 names: 6 the same, 2 change, 1 has trouble" */
  readonly title: string;
  readonly fates: Readonly<Record<Fate, readonly PlannedName[]>>;
  /** Of all names, each once. */
  readonly dangers: readonly PassingDanger[];
  /** Findings of planned names that these do not have today. */
  readonly newFindings: readonly Finding[];
  /** Findings that the names have today as well, if they are trouble. */
  readonly oldFindings: readonly Finding[];
}

/** Arranges a report for people. */
export function planView(report: PlanReport, failOn?: FailOn): PlanView {
  const { zones, names, files } = report;
  const having = (fate: Fate) => names.filter((name) => fateOf(name, failOn) === fate);
  const fates = {
    trouble: having('trouble'),
    unknown: having('unknown'),
    changed: having('changed'),
    same: having('same'),
  };
  const newFindings = eachOnce(names.flatMap(({ comparison }) => comparison.findings.new));
  const known = new Set(newFindings.map(subjectKey));
  const oldFindings = eachOnce(names.flatMap(({ judged: { findings } }) => findings)).filter(
    (finding) => isTrouble(finding.severity) && !known.has(subjectKey(finding)),
  );
  const parts = (['same', 'changed', 'trouble', 'unknown'] as const).flatMap((fate) => {
    const { length } = fates[fate];
    return length === 0 ? [] : [`${length} ${FATES[fate](length)}`];
  });
  const faults = files.filter((finding) => hasFinding({ findings: [finding] }, failOn ?? 'error')).length;
  if (faults > 0) parts.push(`${count(faults, 'fault')} of the zone files`);
  const only =
    zones.length === 1 && zones[0] !== undefined ? plain(zones[0].zone) : count(zones.length, 'zone');
  const title = `${only}, ${count(names.length, 'name')}: ${parts.join(', ')}`;
  const dangers = passingDangers(names.flatMap(({ when }) => when ?? []));
  return { title, fates, dangers, newFindings, oldFindings };
}

const FATES: Readonly<Record<Fate, (count: number) => string>> = {
  same: () => 'the same',
  changed: (count) => (count === 1 ? 'changes' : 'change'),
  trouble: (count) => (count === 1 ? 'has trouble' : 'have trouble'),
  unknown: () => 'not known',
};

/**
 * Each finding once, as its worst name has it, with a new identifier and no causes: identifiers are valid in one result
 * only.
 */
function eachOnce(findings: readonly Finding[]): readonly Finding[] {
  const worstFirst = findings.toSorted((one, other) => rank(one) - rank(other));
  return firstOfEach(worstFirst, subjectKey).map(({ consequenceOf: _, ...finding }, index) => ({
    ...finding,
    id: `f${index + 1}`,
  }));
}

function rank({ severity }: Finding): number {
  return SEVERITY.names.indexOf(severity);
}

/** The identity of a finding across results, in which its identifier, severity, proof and share differ. */
function subjectKey({ code, zone, server, message }: Finding): string {
  const place = [zone, server?.name, server?.address].filter((part) => part !== undefined);
  return [code, ...(place.length === 0 ? [message] : place)].join('\n');
}
