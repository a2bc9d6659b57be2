/* Arranges the report of svc plan for people: names by their fate, each finding and danger once, and a headline. */

import { type FailOn, type Finding, SEVERITY, type Severity } from '../../document/finding.ts';
import { firstOfEach } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { count } from '../../document/words/quantities.ts';
import { type PassingDanger, passingDangers } from '../when/times-text.ts';
import { findingCounts, isTrouble } from './findings.ts';
import { type Fate, fateOf, type PlannedName, type PlanReport } from './plan-report.ts';
import { allNotChecked, notCheckedWords } from './wording.ts';

/** The report for people: names by their fate, and each finding once. */
interface PlanView {
  /** "2 zones, 9 names: 6 the same, 2 change, 1 has trouble" */
  readonly title: string;
  readonly fates: Readonly<Record<Fate, readonly PlannedName[]>>;
  /** Of all names, each once. */
  readonly dangers: readonly PassingDanger[];
  /** Findings that planned names do not have today, nor, if they are about a server, any other name. */
  readonly newFindings: readonly Finding[];
  /** Findings that the names have today as well, if they are trouble. */
  readonly oldFindings: readonly Finding[];
  /** What was not checked, and why. */
  readonly remarks: readonly Remark[];
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
  const atServers = names.flatMap(({ todayFindings }) => todayFindings).filter(({ server }) => server);
  const ofToday = new Set(atServers.map(subjectKey));
  const newFindings = eachOnce(
    names.flatMap(({ comparison }) => comparison.findings.new).filter((one) => !ofToday.has(subjectKey(one))),
  );
  const known = new Set(newFindings.map(subjectKey));
  const oldFindings = eachOnce(names.flatMap(({ findings }) => findings)).filter(
    (finding) => isTrouble(finding.severity) && !known.has(subjectKey(finding)),
  );
  const parts = (['same', 'changed', 'trouble', 'unknown'] as const).flatMap((fate) => {
    const { length } = fates[fate];
    return length === 0 ? [] : [`${length} ${FATES[fate](length)}`];
  });
  const only =
    zones.length === 1 && zones[0] !== undefined ? plain(zones[0].zone) : count(zones.length, 'zone');
  const title = `${only}, ${count(names.length, 'name')}: ${parts.join(', ')}${faultWords(files)}`;
  const dangers = passingDangers(names.flatMap(({ when }) => when ?? []));
  return { title, fates, dangers, newFindings, oldFindings, remarks: remarksOn(report) };
}

/** "; zone files: 1 error, 2 warnings"; empty if there are none. */
function faultWords(files: readonly Finding[]): string {
  const counts = findingCounts(files);
  const parts = SEVERITY.names.flatMap((severity) =>
    counts[severity] === 0 ? [] : [count(counts[severity], FAULTS[severity])],
  );
  return parts.length === 0 ? '' : `; zone files: ${parts.join(', ')}`;
}

const FAULTS: Readonly<Record<Severity, string>> = {
  critical: 'critical fault',
  error: 'error',
  warning: 'warning',
  notice: 'notice',
  info: 'remark',
};

/** What was not checked. */
interface Remark {
  readonly subject: 'removed names' | 'further names' | 'views';
  /** With the reason, or what to do. */
  readonly words: string;
}

function remarksOn({ names, leftOut, isOfFiles }: PlanReport): readonly Remark[] {
  // Names share replies, so that none is asked again where all servers agree.
  const views = notCheckedWords(allNotChecked(names).filter(({ view }) => view !== 'rotation'));
  const all: readonly (Remark | false)[] = [
    isOfFiles && { subject: 'removed names', words: REMOVED_NAMES },
    leftOut > 0 && {
      subject: 'further names',
      words: `${count(leftOut, 'name')} of the zone files not checked: list the names that matter in a plan`,
    },
    views !== '' && { subject: 'views', words: `not checked: ${views}` },
  ];
  return all.filter((remark) => remark !== false);
}

const REMOVED_NAMES = 'names that are no longer in a file are not checked: list them in "names" of a plan';

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
  return firstOfEach(worstFirst, subjectKey).map((finding, index) => ({
    ...finding,
    causes: [],
    id: `f${index + 1}`,
  }));
}

function rank({ severity }: Finding): number {
  return SEVERITY.names.indexOf(severity);
}

/** The identity of a finding across results, in which its identifier, severity, proof and share differ. */
function subjectKey({ code, zone, server, file, line, message }: Finding): string {
  const place = server ? [server.name, server.address] : line === undefined ? [message] : [file, line];
  return [code, zone, ...place].join('\n');
}
