import type { LameReason } from '../explore/meaning.ts';
import type { Name } from '../wire/name.ts';
import { type Question, questionKey } from '../wire/question.ts';
import type { ResourceRecord } from '../wire/record.ts';

/** The server that gave the last reply, or did not, on a path: its name as delegated and the address picked. */
export interface PickedServer {
  readonly name: Name;
  readonly address: string;
}

interface At {
  /** Question and zone of the step where the path stops. */
  readonly question: Question;
  readonly zone: Name;
  /** Null where none was picked. */
  readonly server: PickedServer | null;
}

/** Kinds of the ends that a limit makes and that carry its value (MODEL 5). */
export type LimitKind = 'depth-limit' | 'query-limit' | 'time-limit' | 'work-limit';

/** One variant for each kind, so that its kind tells an end from all others. */
type Each<Kind extends string> = Kind extends string ? { readonly kind: Kind } : never;

/** Where a path stops: one closed union, each kind with what belongs to it. */
export type End = At &
  (
    | Each<'malformed' | 'unreachable' | 'timeout' | 'nxdomain' | 'nodata' | 'servfail' | 'blocked'>
    | { readonly kind: 'error'; readonly rcode: string }
    | {
        readonly kind: 'answer';
        readonly records: readonly ResourceRecord[];
        readonly aliases: readonly Name[];
        readonly authoritative: boolean;
      }
    | { readonly kind: 'alias-loop'; readonly target: Name }
    | { readonly kind: 'lame'; readonly reason: LameReason; readonly referredTo?: Name }
    | (Each<'unresolvable-ns' | 'no-glue'> & { readonly nameserver: Name; readonly cause?: End })
    | { readonly kind: 'loop'; readonly nameserver: Name }
    | (Each<LimitKind> & { readonly limit: number })
    /** Not known yet: only in the preliminary summary of a running traversal. */
    | { readonly kind: 'pending' }
  );

/** Every kind of end. */
export type EndKind = End['kind'];

/** Whether the end stands for something that was not examined (MODEL 5), rather than for trouble. */
export function isUnknown(end: End): boolean {
  switch (end.kind) {
    case 'depth-limit':
    case 'query-limit':
    case 'time-limit':
    case 'work-limit':
    case 'blocked':
    case 'pending':
      return true;
    default:
      return false;
  }
}

/** What was not examined, where that is the end or its cause; undefined for an end that is known. */
export function unexamined(end: End): End | undefined {
  if (isUnknown(end)) return end;
  return 'cause' in end && end.cause !== undefined && isUnknown(end.cause) ? end.cause : undefined;
}

/** The text that is equal exactly for ends that merge (MODEL 6): TTLs are not content. */
export function endKey(end: End): string {
  const server = end.server === null ? '-' : `${end.server.name} ${end.server.address}`;
  return [end.kind, questionKey(end.question), server, end.zone, ...content(end)].join('\n');
}

function content(end: End): string[] {
  switch (end.kind) {
    case 'answer':
      return [...end.records.map(recordContent).sort(), '-', ...end.aliases, `${end.authoritative}`];
    case 'error':
      return [end.rcode];
    case 'alias-loop':
      return [end.target];
    case 'lame':
      return [end.reason, end.referredTo ?? '-'];
    case 'unresolvable-ns':
    case 'no-glue':
      return [end.nameserver, end.cause === undefined ? '-' : endKey(end.cause)];
    case 'loop':
      return [end.nameserver];
    case 'depth-limit':
    case 'query-limit':
    case 'time-limit':
    case 'work-limit':
      return [`${end.limit}`];
    case 'malformed':
    case 'unreachable':
    case 'timeout':
    case 'nxdomain':
    case 'nodata':
    case 'servfail':
    case 'blocked':
    case 'pending':
      return [];
  }
}

function recordContent(record: ResourceRecord): string {
  return `${record.name} ${record.type} ${record.data}`;
}
