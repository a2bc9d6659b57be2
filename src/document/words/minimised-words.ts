/* Words for servers that break lookups of minimised names. */

import type { Question } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import { grouped, listed } from './lists.ts';
import { plain } from './names.ts';

/** A server that does not help resolvers that ask it for a minimised name, and how: an rcode, a kind of end, or a reason. */
interface UnhelpfulServer {
  readonly names: readonly Name[];
  readonly how: string;
}

/** What most servers do that do not help: "ns1.example does not reply to NS questions for b.example"; empty if all help. */
export function unhelpfulWords({ name, type }: Question, servers: readonly UnhelpfulServer[]): string {
  const [most] = [...grouped(servers, ({ how }) => how)].sort((a, b) => b.length - a.length);
  if (most === undefined) return '';
  const names = [...new Set(most.flatMap((one) => one.names.map(plain)))].sort();
  return `${listed(names)} ${doesWords(most[0].how, names.length === 1)} ${type} questions for ${plain(name)}`;
}

function doesWords(how: string, isOne: boolean): string {
  switch (how) {
    case 'timeout':
      return `${isOne ? 'does' : 'do'} not reply to`;
    case 'unreachable':
      return `${isOne ? 'is' : 'are'} unreachable for`;
    case 'malformed':
      return `${isOne ? 'sends' : 'send'} malformed replies to`;
    case 'lame':
      return `${isOne ? 'refers' : 'refer'} elsewhere in reply to`;
    default:
      return `${isOne ? 'replies' : 'reply'} ${how} to`;
  }
}
