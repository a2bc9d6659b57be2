import type { Told } from '../document/servers.ts';
import type { Exchanged, Reply } from '../exchange/exchanged.ts';
import { NSID } from '../wire/opt.ts';
import { quotedOctets } from '../wire/presentation.ts';
import { plainText } from './text.ts';

/** What the reply to a question for TXT records tells: the first record. */
export function toldByText(exchanged: Exchanged): Told {
  return told(exchanged, ({ rcode, answer }) => {
    const record = rcode === 'NOERROR' ? answer.find(({ type }) => type === 'TXT') : undefined;
    return record === undefined ? '' : plainText(record.data);
  });
}

/** What the NSID option tells (RFC 5001 2.2), which servers send whatever the rcode. */
export function toldByNsid(exchanged: Exchanged): Told {
  return told(exchanged, ({ edns }) => {
    const option = edns?.options.find(({ code }) => code === NSID);
    return option === undefined ? '' : plainText(quotedOctets(Buffer.from(option.data, 'hex')));
  });
}

function told({ outcome }: Exchanged, read: (reply: Reply) => string): Told {
  switch (outcome.kind) {
    case 'timeout':
      return { status: 'timeout' };
    case 'malformed':
    case 'unreachable':
      return { status: 'error', failure: outcome.kind };
    case 'reply': {
      const text = read(outcome);
      return text === '' ? withoutText(outcome.rcode) : { status: 'answer', text };
    }
  }
}

function withoutText(rcode: string): Told {
  if (rcode === 'NOERROR') return { status: 'empty' };
  return rcode === 'REFUSED' ? { status: 'refused', rcode } : { status: 'error', rcode };
}
