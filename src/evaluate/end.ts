import type { BogusReason } from '../dns/dnssec/reasons.ts';
import type { Security } from '../dns/dnssec/verdict.ts';
import { type Question, questionKey } from '../dns/message.ts';
import type { Name } from '../dns/name.ts';
import { comparableData, type Records } from '../dns/record.ts';
import type { NameserverLocation } from '../explore/delegation.ts';
import type { LameReason } from '../explore/meaning.ts';
import type { Blocked, QueryLimit, TimeLimit } from '../explore/recording.ts';

/** Where a path stops: one closed union, each kind with what belongs to it. */
export type End = Place &
  (
    | Each<'malformed' | 'unreachable'>
    /** With a cause, and without a server: where a resolver does not reply in time, whatever it comes to later. */
    | (Each<'timeout'> & { readonly cause?: End })
    | (Each<'nxdomain' | 'nodata'> & Secured & Expectable)
    /** The cause is known in the validating view. */
    | (Each<'servfail'> & { readonly cause?: End })
    /** What does not verify: only as a cause. */
    | { readonly kind: 'bogus'; readonly reason: BogusReason }
    | { readonly kind: 'error'; readonly rcode: string }
    | (Secured &
        Expectable & {
          readonly kind: 'answer';
          readonly records: Records;
          readonly authoritative: boolean;
          /** The servers rotate their answers: `records` are all that were seen. */
          readonly varies?: true;
          /** The sorted data of all answers that count as one with this, behind aliases that rotate. */
          readonly rotatesWith?: readonly string[];
        })
    | (Each<'alias-loop'> & Secured & { readonly target: Name })
    | { readonly kind: 'lame'; readonly reason: LameReason; readonly referredTo?: Name }
    | (Each<'unresolvable-ns' | 'no-glue'> & { readonly nameserver: Name; readonly cause?: End })
    | { readonly kind: 'loop'; readonly nameserver: Name }
    | (Each<Exclude<LimitKind, 'query-limit' | 'time-limit'>> & { readonly limit: number })
    | QueryLimit
    | TimeLimit
    | Blocked
  );

/** The server that gave the last reply, or did not, on a path: its name as delegated and the address picked. */
export interface PickedServer {
  readonly name: Name;
  readonly address: string;
}

interface Place {
  /** Question and zone of the step where the path stops. */
  readonly question: Question;
  readonly zone: Name;
  /** Null where none was picked. */
  readonly server: PickedServer | null;
}

/** Kinds of the ends that a limit makes and that carry its value: svc-model(7), LIMITS. */
export type LimitKind = 'depth-limit' | 'query-limit' | 'time-limit' | 'work-limit';

/** One variant for each kind, so that its kind tells an end from all others. */
type Each<Kind extends string> = Kind extends string ? { readonly kind: Kind } : never;

interface Expectable {
  /** `--expect` names it: svc-traverse(1). */
  readonly expected?: true;
  /** The server has machines with several versions behind its address, or an alias before it turns: how many of the replies led to this. */
  readonly seen?: SeenReplies;
}

/** So many of all replies of an address to one question, or to questions for an alias that lead there. */
export interface SeenReplies {
  readonly replies: number;
  readonly of: number;
  /** Absent: those of the end's own question. */
  readonly by?: 'alias';
}

interface Secured {
  /** Of all that led to the end, back to the walk's first question: svc-model(7), VALIDATING. Absent outside the validating view. */
  readonly security?: Security;
}

/** Every kind of end. */
export type EndKind = End['kind'];

/** What ends of a kind are. */
interface EndRoles {
  /** It stands for something that was not examined, rather than for trouble. */
  readonly unknown: boolean;
  /** Some reply says so, so that it can be proven. */
  readonly provable: boolean;
  /** A resolver that meets it tries another server. */
  readonly retried: boolean;
}

const SAID = { unknown: false, provable: true, retried: false } as const;
const FAILED = { unknown: false, provable: false, retried: true } as const;
const GIVEN_UP = { unknown: false, provable: false, retried: false } as const;
const UNKNOWN = { unknown: true, provable: false, retried: false } as const;

const ROLES = {
  answer: SAID,
  nxdomain: SAID,
  nodata: SAID,
  'alias-loop': SAID,
  lame: FAILED,
  error: FAILED,
  malformed: FAILED,
  unreachable: FAILED,
  timeout: FAILED,
  'unresolvable-ns': FAILED,
  'no-glue': FAILED,
  loop: FAILED,
  servfail: GIVEN_UP,
  bogus: GIVEN_UP,
  'depth-limit': UNKNOWN,
  'query-limit': UNKNOWN,
  'time-limit': UNKNOWN,
  'work-limit': UNKNOWN,
  blocked: UNKNOWN,
} as const satisfies Readonly<Record<EndKind, EndRoles>>;

/** Kinds of ends that have a role. */
type KindWhere<Role extends keyof EndRoles> = {
  [Kind in EndKind]: (typeof ROLES)[Kind][Role] extends true ? Kind : never;
}[EndKind];

/** An end that stands for something that was not examined, rather than for trouble. */
export type UnknownEnd = Extract<End, { kind: KindWhere<'unknown'> }>;

/** Whether nothing was examined behind an end. */
export function isUnknown(end: End): end is UnknownEnd {
  return isUnknownKind(end.kind);
}

/** Whether nothing was examined behind ends of a kind. */
export function isUnknownKind(kind: EndKind): kind is UnknownEnd['kind'] {
  return ROLES[kind].unknown;
}

/** Whether an end is what some reply says, so that it can be proven. */
export function isProvable(end: End): end is Extract<End, { kind: KindWhere<'provable'> }> {
  return ROLES[end.kind].provable;
}

/** Whether a resolver that meets an end tries another server. */
export function isRetried(end: End): boolean {
  return ROLES[end.kind].retried;
}

/** What an end comes from: its cause where it has one, else the end itself. */
export function causeOf(end: End): End {
  return 'cause' in end && end.cause !== undefined ? end.cause : end;
}

/** What was not examined, where that is the end or its cause; undefined for an end that is known. */
export function unexamined(end: End): End | undefined {
  const cause = causeOf(end);
  return isUnknown(cause) ? cause : undefined;
}

/**
 * The text that is equal exactly for ends of one recording that merge: svc-model(7), PROBABILITIES. What an exchange
 * means for a zone is the same wherever paths meet it, so question, server and zone stand for all records of
 * an answer, which may be thousands.
 */
export function endKey(end: End): string {
  const server = end.server === null ? '-' : `${end.server.name} ${end.server.address}`;
  return [end.kind, questionKey(end.question), server, ...security(end), end.zone, ...content(end)].join(
    '\n',
  );
}

/** Whether ends of one recording merge. */
export function isSameEnd(one: End, other: End): boolean {
  return one === other || endKey(one) === endKey(other);
}

/**
 * The sorted set of an answer's data, or of all answers that count as one with it (svc-model(7), ANSWERS THAT VARY); empty
 * for other ends. Answers are one answer exactly if this is equal.
 */
export function answerData(end: End): readonly string[] {
  if (end.kind !== 'answer') return [];
  return end.rotatesWith ?? dataOf(end.records);
}

/** The sorted set of the data of some records. */
export function dataOf(records: Records): readonly string[] {
  return [...new Set(records.map(comparableData))].sort();
}

/** It stands after the server, because ends as probable as each other are listed in the order of these texts. */
function security(end: End): readonly string[] {
  return 'security' in end && end.security !== undefined ? [end.security] : [];
}

function content(end: End): string[] {
  switch (end.kind) {
    case 'error':
      return [end.rcode];
    case 'alias-loop':
      return [end.target];
    case 'lame':
      return [end.reason, end.referredTo ?? '-'];
    case 'unresolvable-ns':
    case 'no-glue':
      return [end.nameserver, ...causeKey(end)];
    case 'servfail':
    case 'timeout':
      return causeKey(end);
    case 'bogus':
      return [end.reason];
    case 'loop':
      return [end.nameserver];
    case 'query-limit':
      return [`${end.limit}`, end.unit ?? '-'];
    case 'time-limit':
      return [`${end.limit}`, end.reason ?? '-'];
    case 'blocked':
      return [end.reason ?? '-'];
    case 'depth-limit':
    case 'work-limit':
      return [`${end.limit}`];
    case 'answer':
      return end.seen === undefined ? [] : [...dataOf(end.records)];
    case 'malformed':
    case 'unreachable':
    case 'nxdomain':
    case 'nodata':
      return [];
  }
}

function causeKey({ cause }: { readonly cause?: End }): string[] {
  return [cause === undefined ? '-' : endKey(cause)];
}

/** Question and zone of a step, and one of its name servers whose addresses are looked up there. */
type Lacking = Pick<End, 'question' | 'zone'> & { readonly name: Name; readonly where: NameserverLocation };

/** The end of a path whose lookup of a server ended without an address: svc-model(7), WALKING A STEP 2.3. */
export function failedLookupEnd({ question, zone, name, where }: Lacking, end: End): End {
  const at = { question, zone, server: null, nameserver: name };
  const cause = causeOf(end);
  switch (where) {
    case 'elsewhere':
      return { kind: 'unresolvable-ns', ...at, cause };
    case 'in-domain':
      return cause.kind === 'no-glue' ? { kind: 'no-glue', ...at } : { kind: 'no-glue', ...at, cause };
  }
}
