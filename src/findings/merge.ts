import type { Identifiers } from '../document/identifiers.ts';
import type { Finding, Severity } from '../document/result.ts';
import type { Exchanged } from '../exchanged.ts';
import type { Draft } from './check.ts';

/** A draft with what the catalogue says of its code. */
export interface CodedDraft extends Draft {
  readonly code: string;
  readonly severity: Severity;
  readonly reference?: string;
}

/** Gravest first. */
const SEVERITIES: readonly Severity[] = ['critical', 'error', 'warning', 'notice', 'info'];

/**
 * One finding per code, zone, server name and address: the gravest draft speaks (the first of equals),
 * and the exchanges of all of them prove it. Sorted by severity, zone, server and code.
 */
export function merged(drafts: readonly CodedDraft[], ids: Identifiers): readonly Finding[] {
  const groups = new Map<string, CodedDraft[]>();
  for (const draft of drafts) {
    const key = subjectKey(draft);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [draft]);
    else known.push(draft);
  }
  return [...groups]
    .map(([key, group]) => ({ key, rank: rankOf(group), finding: oneOf(group, ids) }))
    .sort((a, b) => a.rank - b.rank || byText(a.key, b.key))
    .map(({ finding }, index) => ({ id: `f${index + 1}`, ...finding }));
}

function subjectKey({ code, zone, server }: Draft & { readonly code: string }): string {
  return [zone ?? '', server?.name ?? '', server?.address ?? '', code].join('\n');
}

function rankOf(group: readonly CodedDraft[]): number {
  return Math.min(...group.map(({ severity }) => SEVERITIES.indexOf(severity)));
}

function oneOf(group: readonly CodedDraft[], ids: Identifiers): Omit<Finding, 'id'> {
  const rank = rankOf(group);
  const speaker = group.find(({ severity }) => SEVERITIES.indexOf(severity) === rank);
  if (speaker === undefined) throw new Error('a group of drafts is never empty');
  const { code, severity, zone, server, message, reference } = speaker;
  return {
    code,
    severity,
    ...(zone === undefined ? {} : { zone }),
    ...(server === undefined ? {} : { server: { ...server } }),
    message,
    exchanges: identified(
      group.flatMap(({ proof }) => proof),
      ids,
    ),
    ...(reference === undefined ? {} : { reference }),
  };
}

/** Identifiers in the order in which the exchanges were heard. */
function identified(proof: readonly Exchanged[], ids: Identifiers): readonly string[] {
  return [...new Set(proof)]
    .map((exchanged) => ids.exchange(exchanged))
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
