import type { End } from '../../evaluate/end.ts';
import { isUnknown } from '../../evaluate/end.ts';
import type { Exchanged, Recording } from '../../explore/recording.ts';
import { type Family, familyOf } from '../../wire/address.ts';
import type { Evidence, Heard } from './evidence.ts';

/** The families of which at least one address was heard from. */
export function reachedFamilies({ exchanges }: Recording): ReadonlySet<Family> {
  const families = new Set<Family>();
  for (const exchanged of exchanges.values()) {
    if (isHeardFrom(exchanged)) families.add(familyOf(exchanged.address));
  }
  return families;
}

function isHeardFrom({ outcome, tries }: Exchanged): boolean {
  return isTalk(outcome.kind) || tries.some((one) => isTalk(one.outcome.kind) || one.ignored.length > 0);
}

function isTalk(kind: Exchanged['outcome']['kind'] | Exchanged['tries'][number]['outcome']['kind']): boolean {
  return kind !== 'timeout' && kind !== 'unreachable';
}

/** Whether nothing usable came because this host may not reach the family at all: untried, not dead. */
export function isUntried(evidence: Evidence, { exchanged }: Pick<Heard, 'exchanged'>): boolean {
  const { kind } = exchanged.outcome;
  return (kind === 'timeout' || kind === 'unreachable') && !evidence.reached.has(familyOf(exchanged.address));
}

/** Whether an end, or what caused it, stands for something that was not examined rather than for trouble. */
export function isUnproven(evidence: Evidence, end: End): boolean {
  const leaf = causeOf(end);
  if (isUnknown(leaf)) return true;
  const silent = leaf.kind === 'timeout' || leaf.kind === 'unreachable';
  return silent && leaf.server !== null && !evidence.reached.has(familyOf(leaf.server.address));
}

/** What an end comes from: its cause, or itself. */
export function causeOf(end: End): End {
  return 'cause' in end && end.cause !== undefined ? end.cause : end;
}
