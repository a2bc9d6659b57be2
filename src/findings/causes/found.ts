/* A finding before it is told, and the merging of equal findings. */

import { SEVERITY, type Severity } from '../../document/finding.ts';
import { byFamily, grouped } from '../../document/words/lists.ts';
import type { FindingCode } from '../catalogue.ts';
import type { Draft } from '../check.ts';

/** A draft with what the catalogue says of its code. */
export interface Found extends Draft {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly reference?: string;
}

/** Compares severities: the worst first. */
export function bySeverity(a: Severity, b: Severity): number {
  return SEVERITY.names.indexOf(a) - SEVERITY.names.indexOf(b);
}

/**
 * One finding per code, zone, server name and address: the wording is that of the worst draft (the first
 * of equals), the proof that of all. Sorted by severity, zone, server, address and code.
 */
export function merged(drafts: readonly Found[]): readonly Found[] {
  return grouped(drafts, subjectKey).map(oneOf).sort(bySubject);
}

function oneOf(group: readonly [Found, ...Found[]]): Found {
  const firstServerOf = group.reduce((worst, one) =>
    bySeverity(one.severity, worst.severity) < 0 ? one : worst,
  );
  return { ...firstServerOf, proof: [...new Set(group.flatMap(({ proof }) => proof))] };
}

function bySubject(a: Found, b: Found): number {
  return (
    bySeverity(a.severity, b.severity) ||
    byText(a.zone, b.zone) ||
    byText(a.server?.name, b.server?.name) ||
    byFamily(a.server?.address ?? '', b.server?.address ?? '') ||
    byText(a.server?.address, b.server?.address) ||
    byText(a.code, b.code) ||
    (a.at?.line ?? 0) - (b.at?.line ?? 0)
  );
}

function byText(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function subjectKey({ code, zone, server, at }: Found): string {
  const place = at === undefined ? '' : `${at.line} ${at.file}`;
  return [zone ?? '', server?.name ?? '', server?.address ?? '', code, place].join('\n');
}
