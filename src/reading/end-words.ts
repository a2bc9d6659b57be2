import { answerData } from '../document/summary.ts';
import type { End } from '../evaluate/end.ts';
import { byFamily } from './by-family.ts';

/** How an end reads: what happened, in a few words that begin with the name that svc-model(7) has for it. */
export function endWords(end: End): string {
  switch (end.kind) {
    case 'answer':
      return [answerData(end).join(', '), ...aliasWords(end), ...authorityWords(end)].join(' ');
    case 'nodata':
      return `NODATA: the name has no ${end.question.type} record`;
    case 'nxdomain':
      return 'NXDOMAIN: there is no such name';
    case 'timeout':
      return 'timeout: no reply';
    case 'unreachable':
      return 'unreachable';
    case 'malformed':
      return 'malformed reply';
    case 'error':
      return `error: ${end.rcode}`;
    case 'lame':
      return `lame: ${lameWords(end)}`;
    case 'servfail':
      return `SERVFAIL: no usable server for ${end.zone}`;
    case 'alias-loop':
      return `alias loop: back to ${end.target}`;
    case 'loop':
      return `loop: the lookup comes back to ${end.nameserver}`;
    case 'no-glue':
      return `no glue for ${end.nameserver}${causeWords(end)}`;
    case 'unresolvable-ns':
      return `no address of ${end.nameserver}${causeWords(end)}`;
    case 'blocked':
      return 'blocked: not asked, a special-purpose address';
    case 'depth-limit':
      return `unknown: beyond the depth limit of ${end.limit}`;
    case 'query-limit':
      return `unknown: beyond the limit of ${end.limit} queries`;
    case 'time-limit':
      return 'unknown: not heard in time';
    case 'work-limit':
      return `unknown: beyond the evaluation's limit of ${end.limit} steps`;
    case 'pending':
      return 'not known yet';
  }
}

/** The text that is equal for ends in one place, whichever address of a server was picked. */
export function placeKey({ server, zone, ...end }: End): string {
  const cause = 'cause' in end && end.cause !== undefined ? placeOf([end.cause]) : '';
  return [server?.name ?? '', zone, cause].join('\n');
}

/** Where ends are that have a `placeKey` in common: the server and its addresses, the zone, and where the cause is. */
export function placeOf(ends: readonly [End, ...End[]]): string {
  const [{ server, zone, ...first }] = ends;
  const addresses = [...new Set(ends.flatMap((end) => end.server?.address ?? []))].sort(byFamily);
  const place = server === null ? `zone ${zone}` : `${server.name} ${addresses.join(', ')} of ${zone}`;
  const cause = 'cause' in first ? first.cause : undefined;
  return cause === undefined || cause.server === null ? place : `${place}, because of ${placeOf([cause])}`;
}

type Answer = Extract<End, { kind: 'answer' }>;

function aliasWords({ aliases, records }: Answer): readonly string[] {
  const [owner] = records.map(({ name }) => name);
  return aliases.length === 0 || owner === undefined ? [] : [`(alias to ${owner})`];
}

function authorityWords({ authoritative }: Answer): readonly string[] {
  return authoritative ? [] : ['(not authoritative)'];
}

function lameWords({ reason, referredTo }: Extract<End, { kind: 'lame' }>): string {
  switch (reason) {
    case 'upward':
      return `refers up to ${referredTo ?? 'a zone above'}`;
    case 'self':
      return 'refers to the very zone it was asked for';
    case 'sideways':
      return `refers aside to ${referredTo ?? 'another zone'}`;
    case 'empty':
      return 'an empty reply, not authoritative';
  }
}

function causeWords({ cause }: { readonly cause?: End }): string {
  return cause === undefined ? '' : ` (${endWords(cause)})`;
}
