import type { Delegation } from '../explore/delegation.ts';
import { plain } from '../reading/names.ts';
import { addressBytes, familyOf } from '../wire/address.ts';
import { type EncodableRecord, encodeMessage } from '../wire/encode.ts';
import { isAtOrBelow, nameToWire } from '../wire/name.ts';
import type { Check, Draft } from './draft.ts';
import type { Heard } from './evidence.ts';

/** What fits into a datagram without EDNS (RFC 1035 4.2.1). */
const PLAIN_UDP = 512;

/**
 * REFERRAL_TOO_BIG: even the smallest referral that is allowed does not fit into a plain datagram, or
 * one came truncated.
 */
export const referralTooBig: Check = ({ referred }) =>
  referred.flatMap(({ delegation, heard }): Draft[] => {
    const { zone } = delegation;
    const octets = smallestReferral(delegation);
    if (octets > PLAIN_UDP) {
      const message = `A referral to ${plain(zone)} takes ${octets} octets at least, more than the ${PLAIN_UDP} of a plain datagram: name fewer servers or shorten their names.`;
      return [{ zone, message, proof: heard.map(({ exchanged }) => exchanged) }];
    }
    const truncated = heard.filter(cameTruncated);
    if (truncated.length === 0) return [];
    const message = `Referrals to ${plain(zone)} come truncated, so that resolvers must ask again over TCP: name fewer servers or send less beside them.`;
    return [{ zone, message, proof: truncated.map(({ exchanged }) => exchanged) }];
  });

function cameTruncated({ exchanged }: Heard): boolean {
  return exchanged.tries.some(
    ({ transport, outcome }) => transport === 'udp' && outcome.kind === 'reply' && outcome.truncated,
  );
}

/** Octets of the referral with the shortest question, names compressed, and no more glue than RFC 9471 asks for. */
function smallestReferral({ zone, nameservers }: Delegation): number {
  const record = (name: EncodableRecord['name'], type: string, rdata: Uint8Array): EncodableRecord => {
    return { name, type, ttl: 0, rdata };
  };
  const needed = nameservers.filter(({ name }) => isAtOrBelow(name, zone));
  return encodeMessage({
    id: 0,
    flags: ['qr'],
    rcode: 'NOERROR',
    questions: [{ nameAsSent: zone, type: 'A', class: 'IN' }],
    answer: [],
    authority: nameservers.map(({ name }) => record(zone, 'NS', nameToWire(name))),
    additional: needed.flatMap(({ name, glue }) =>
      glue.map((address) => record(name, familyOf(address) === 4 ? 'A' : 'AAAA', addressBytes(address))),
    ),
  }).length;
}
