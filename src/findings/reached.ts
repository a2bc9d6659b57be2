import { type End, isUnknown } from '../evaluate/end.ts';
import { type Exchanged, queryKey, type Recording } from '../explore/recording.ts';
import { type Family, familyOf } from '../wire/address.ts';
import type { Evidence } from './evidence.ts';
import { isOwnTrouble } from './tries.ts';

/** What says whether an exchange is evidence of anything. */
type Seen = Pick<Evidence, 'recording' | 'reached'>;

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

/** Whether nothing came because this host may not reach the family, or could not send: untried, not dead. */
export function isUntried({ reached }: Pick<Evidence, 'reached'>, exchanged: Exchanged): boolean {
  const { outcome, tries, address } = exchanged;
  if (outcome.kind !== 'timeout' && outcome.kind !== 'unreachable') return false;
  return !reached.has(familyOf(address)) || (tries.length > 0 && tries.every(isOwnTrouble));
}

/** Whether an end, or what caused it, stands for something that was not examined rather than for trouble. */
export function isUnproven(seen: Seen, end: End): boolean {
  const leaf = causeOf(end);
  if (isUnknown(leaf)) return true;
  const exchanged = exchangedAt(seen, leaf);
  return exchanged !== undefined && isUntried(seen, exchanged);
}

/** What an end comes from: its cause, or itself. */
export function causeOf(end: End): End {
  return 'cause' in end && end.cause !== undefined ? end.cause : end;
}

/** The exchange in which a path stops, if it stops in one. */
export function exchangedAt({ recording }: Pick<Evidence, 'recording'>, end: End): Exchanged | undefined {
  const { server, question } = end;
  return server === null ? undefined : recording.exchanges.get(queryKey({ ...server, question }));
}
