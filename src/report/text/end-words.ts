import type { End } from '../../evaluate/end.ts';
import { answerData } from '../summary.ts';

/** How an end reads: what happened, in a few words that begin with the term MODEL.md has for it. */
export function endWords(end: End): string {
  switch (end.kind) {
    case 'answer':
      return `${answerData(end).join(', ')}${end.authoritative ? '' : ' (not authoritative)'}`;
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
      return `loop: the search comes back to ${end.nameserver}`;
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

/** Where an end is: the server and the zone it was asked for, and where its cause is. */
export function endPlace(end: End): string {
  const { server, zone } = end;
  const place = server === null ? `zone ${zone}` : `${server.name} ${server.address}, zone ${zone}`;
  const cause = 'cause' in end ? end.cause : undefined;
  return cause === undefined || cause.server === null ? place : `${place}, by way of ${endPlace(cause)}`;
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
