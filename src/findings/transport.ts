import { named, plain } from '../reading/names.ts';
import { familyOf } from '../wire/address.ts';
import { byContact } from './by-contact.ts';
import type { Evidence, Heard } from './evidence.ts';
import { isLost, triesOver } from './tries.ts';

/** What a server says that chokes on EDNS (RFC 6891 7), or on our version of it (6.1.3). */
const CHOKES: ReadonlySet<string> = new Set(['FORMERR', 'NOTIMP', 'BADVERS']);

/** EDNS_BREAKS: the same question fails with EDNS and passes without. */
export const ednsBreaks = byContact(
  ({ exchanged: { tries, outcome } }) => {
    const choked = tries.some(
      (one) => one.edns && one.outcome.kind === 'reply' && CHOKES.has(one.outcome.rcode),
    );
    return choked && outcome.kind === 'reply' && !CHOKES.has(outcome.rcode) && tries.at(-1)?.edns === false;
  },
  (server, zone) =>
    `${named(server)} rejects queries with EDNS for ${plain(zone)} and answers only without: update that server or the firewall in front of it.`,
);

/** TCP_UNREACHABLE: a truncated reply sent us to TCP, or TCP was all that was used, and nothing came of it. */
export const tcpUnreachable = byContact(
  failsOverTcp,
  (server, zone) =>
    `${named(server)} cannot be asked over TCP for ${plain(zone)}, which answers too big for UDP need: open TCP port 53 there.`,
);

function failsOverTcp({ exchanged }: Heard, evidence: Evidence): boolean {
  const tries = triesOver('tcp', exchanged);
  if (tries.length === 0 || !evidence.reached.has(familyOf(exchanged.address))) return false;
  return tries.every((one) => isLost(one) || one.outcome.kind === 'closed');
}
