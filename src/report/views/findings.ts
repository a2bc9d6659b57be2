/* Sorts findings for people, the worst first. */

import {
  type Finding,
  type FindingCounts,
  onlyCauseOf,
  SEVERITY,
  type Severity,
} from '../../document/finding.ts';
import type { TraversalResult } from '../../document/result.ts';
import { grouped } from '../../document/words/lists.ts';
import { shown } from '../../document/words/names.ts';
import type { Detail } from '../../document/words/shortened.ts';

/**
 * The findings, the worst first, each with those that follow from it. Findings that say the same of several
 * servers of a zone are together, unless full detail is wanted.
 */
export function findingFamilies(findings: readonly Finding[], detail: Detail): readonly FindingFamily[] {
  const known = new Set(findings.map(({ id }) => id));
  const isCause = (finding: Finding) => !known.has(onlyCauseOf(finding) ?? '');
  return together(findings.filter(isCause), detail)
    .map((alike) => {
      const ids = new Set(alike.map(({ id }) => id));
      const follows = (finding: Finding) => ids.has(onlyCauseOf(finding) ?? '');
      return { alike, consequences: together(findings.filter(follows), detail) };
    })
    .sort((a, b) => rankOf(a) - rankOf(b));
}

/** Findings that say the same of several servers. */
export type AlikeFindings = readonly [Finding, ...Finding[]];

/** A cause, with what merely follows from it. */
export interface FindingFamily {
  readonly alike: AlikeFindings;
  readonly consequences: readonly AlikeFindings[];
}

/** A family is as grave as its gravest finding. */
function rankOf({ alike, consequences }: FindingFamily): number {
  const all = [alike, ...consequences].flat();
  return Math.min(...all.map(({ severity }) => SEVERITY.names.indexOf(severity)));
}

function together(findings: readonly Finding[], detail: Detail): readonly AlikeFindings[] {
  return grouped(findings, ({ id, code, severity, zone, server, message }) =>
    detail === 'full' ? id : [severity, code, zone ?? '', server === undefined ? message : ''].join('\n'),
  );
}

/** Where a finding is: the server, and the zone it is a server of; empty where it names neither. */
export function findingPlace(finding: Pick<Finding, 'server' | 'zone'>): string {
  const { server, zone } = finding;
  if (server === undefined) return zone === undefined ? '' : shown(zone);
  return zone === undefined ? findingServer(finding) : `${findingServer(finding)} of ${shown(zone)}`;
}

/** The server that a finding names, with its address if it is about one; empty where it names none. */
export function findingServer({ server }: Pick<Finding, 'server'>): string {
  if (server === undefined) return '';
  return server.address === undefined ? shown(server.name) : `${shown(server.name)} ${server.address}`;
}

/** Whether somebody else answered in the servers' place, so that nothing is known of them. */
export function isIntercepted({ findings }: Pick<TraversalResult, 'findings'>): boolean {
  return findings.some(({ code }) => code === 'PATH_INTERCEPTED');
}

/** Whether questions were sent and not one reply came: no network, rather than trouble in the DNS. */
export function nothingHeard({ exchanges }: Pick<TraversalResult, 'exchanges'>): boolean {
  return (
    exchanges.length > 0 &&
    exchanges.every(({ failure }) => failure === 'unreachable' || failure === 'timeout')
  );
}

/** How many findings there are of each severity. */
export function findingCounts(findings: readonly Finding[]): FindingCounts {
  const count = (wanted: Severity) => findings.filter(({ severity }) => severity === wanted).length;
  return {
    critical: count('critical'),
    error: count('error'),
    warning: count('warning'),
    notice: count('notice'),
    info: count('info'),
  };
}

/** Whether a result has a finding of this severity or worse. */
export function hasFinding({ findings }: Pick<TraversalResult, 'findings'>, least: Severity): boolean {
  return findings.some(({ severity }) => isAtLeast(severity, least));
}

/** Whether a finding of this severity is trouble by itself, whatever the paths end in. */
export function isTrouble(severity: Severity): boolean {
  return isAtLeast(severity, 'error');
}

function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITY.names.indexOf(severity) <= SEVERITY.names.indexOf(least);
}
