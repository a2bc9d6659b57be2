import type { ExchangeRow } from '../document/exchanges.ts';
import type { AddressRow } from '../document/steps.ts';
import type { End } from '../evaluate/end.ts';
import { endWords } from './end-words.ts';
import type { Graph } from './result-index.ts';

/** What it means to a path: it goes on, it ends as it may, it ends in something else than most, it fails, or nobody knows. */
export type Bearing = 'leads-on' | 'ends-well' | 'differs' | 'fails' | 'unknown';

/** What a server did, in plain words. */
export interface Doing {
  readonly words: string;
  /** What it took: "over TCP", "3 tries". */
  readonly notes: readonly string[];
  readonly bearing: Bearing;
  /** Where paths end here. */
  readonly end?: End;
}

/** What the server at an address did when it was asked in a step. */
export function doingAt(row: AddressRow, graph: Graph): Doing {
  const exchange = graph.exchange(row);
  const notes = exchange === undefined ? [] : notesOn(exchange);
  const onward = onwardWords(row, graph);
  if (onward !== undefined) return { words: onward, notes, bearing: 'leads-on' };
  if ('end' in row.leadsTo) return { ...doingOf(graph.end(row.leadsTo.end)), notes };
  return { words: row.class ?? '', notes, bearing: 'unknown' };
}

/** What it comes to when a path ends in a step. */
export function doingOf(end: End): Doing {
  return { words: endWords(end), notes: [], bearing: bearingOf(end), end };
}

/** What it means to a path that it ends so. */
export function bearingOf(end: End): Exclude<Bearing, 'leads-on' | 'differs'> {
  switch (end.kind) {
    case 'answer':
    case 'nodata':
    case 'nxdomain':
      return 'ends-well';
    case 'depth-limit':
    case 'query-limit':
    case 'time-limit':
    case 'work-limit':
    case 'blocked':
    case 'pending':
      return 'unknown';
    case 'unresolvable-ns':
    case 'no-glue':
      return end.cause !== undefined && bearingOf(end.cause) === 'unknown' ? 'unknown' : 'fails';
    default:
      return 'fails';
  }
}

/** Where a referral or an alias goes on; undefined for what is neither. */
function onwardWords({ class: heard, leadsTo }: AddressRow, graph: Graph): string | undefined {
  const next = 'end' in leadsTo ? graph.end(leadsTo.end) : graph.step(leadsTo.step);
  // What the depth limit cuts off says where it would have been.
  if (next !== undefined && 'kind' in next && next.kind !== 'depth-limit') return undefined;
  if (next === undefined) return undefined;
  if (heard === 'referral') return `referral to ${next.zone}`;
  return heard === 'alias' ? `alias to ${next.question.name}` : undefined;
}

function notesOn({ tries, transport, failureDetail }: ExchangeRow): readonly string[] {
  const [first] = tries;
  const last = tries.at(-1);
  if (first === undefined || last === undefined) return [];
  const notes = [];
  if (transport === 'tcp' && first.transport === 'udp') notes.push('over TCP');
  if (first.edns && !last.edns) notes.push('without EDNS');
  if (first.nameCase === 'mixed' && last.nameCase === 'lower') notes.push('in lower case');
  if (tries.some(({ outcome }) => outcome.kind === 'timeout')) notes.push(`${tries.length} tries`);
  return failureDetail === undefined ? notes : [...notes, systemWords(failureDetail)];
}

/** What systems call by a code. */
const SYSTEM_WORDS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection reset'],
  ['EHOSTUNREACH', 'no route to host'],
  ['ENETUNREACH', 'no route to network'],
  ['EACCES', 'not permitted'],
  ['EPERM', 'not permitted'],
]);

function systemWords(detail: string): string {
  return SYSTEM_WORDS.get(detail) ?? detail;
}
