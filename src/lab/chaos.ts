import { type Name, ROOT } from '../wire/name.ts';
import { quotedOctets } from '../wire/presentation.ts';
import type { Question } from '../wire/question.ts';
import { encodeRdata } from '../wire/rdata/rdata.ts';
import { type Answer, bare } from './answer.ts';

/** What a server tells about itself. Questions for what is absent are refused. */
export interface Identity {
  /** Text of version.bind and version.server. */
  readonly version?: string;
  /** Text of hostname.bind, and of id.server if there is no id. */
  readonly hostname?: string;
  /** Text of id.server (RFC 4892). */
  readonly id?: string;
  /** Text of the NSID option (RFC 5001). */
  readonly nsid?: string;
}

/** The answer to a question of class CHAOS (RFC 4892 for id.server; the rest follows BIND). */
export function chaosAnswer(identity: Identity, { name, type }: Question): Answer {
  const text = textFor(identity, name);
  if (text === undefined || (type !== 'TXT' && type !== 'ANY')) return bare('REFUSED');
  const record = {
    name,
    type: 'TXT',
    class: 'CH',
    ttl: 0,
    rdata: encodeRdata('TXT', quotedOctets(Buffer.from(text)), ROOT),
  };
  return { ...bare('NOERROR'), authoritative: true, answer: [record] };
}

function textFor(identity: Identity, name: Name): string | undefined {
  switch (String(name)) {
    case 'version.bind.':
    case 'version.server.':
      return identity.version;
    case 'hostname.bind.':
      return identity.hostname;
    case 'id.server.':
      return identity.id ?? identity.hostname;
    default:
      return undefined;
  }
}
