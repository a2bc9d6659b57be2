import { addressIn } from '../explore/addresses.ts';
import { listed } from '../reading/listed.ts';
import { named, plain } from '../reading/names.ts';
import { isAtOrBelow, type Name } from '../wire/name.ts';
import type { ResourceRecord } from '../wire/record.ts';
import type { Check, Draft } from './draft.ts';
import type { Contact, Evidence, Heard } from './evidence.ts';
import { isNegative } from './soa.ts';

/**
 * OUT_OF_ZONE_DATA: records that are not the server's to give, and were ignored. Nothing is said of
 * what servers of several zones add as a matter of course (RFC 1034 4.3.2): the rest of an alias's way,
 * addresses of names in the reply. But such an address of a name server that its own zone does not
 * know may mislead a resolver that is less careful (warning).
 */
export const outOfZone: Check = (evidence) =>
  evidence.contacts.flatMap((contact) => [
    ...told(contact, (heard) => denied(evidence, heard), 'warning'),
    ...told(contact, uncalledFor, 'info'),
  ]);

const WHAT = {
  warning: 'gives addresses of name servers outside of it that their own zones do not have',
  info: 'sends records from outside of it that have nothing to do with the question',
} as const;

function told(
  { zone, server, heard }: Contact,
  select: (heard: Heard) => readonly ResourceRecord[],
  severity: keyof typeof WHAT,
): readonly Draft[] {
  const sending = heard.filter((one) => select(one).length > 0);
  if (sending.length === 0) return [];
  const owners = [...new Set(sending.flatMap(select).map(({ name }) => plain(name)))];
  const message = `${named(server)}, asked for ${plain(zone)}, ${WHAT[severity]} (${listed(owners)}); they were ignored: let it serve its own zones only.`;
  return [{ zone, server, severity, message, proof: sending.map(({ exchanged }) => exchanged) }];
}

/** A SOA from elsewhere has a code of its own, and so have replies of no use. */
function uncalledFor(heard: Heard): readonly ResourceRecord[] {
  const { exchanged, response } = heard;
  const { outcome } = exchanged;
  if (outcome.kind !== 'reply' || response.kind === 'lame' || response.kind === 'error') return [];
  const { answer, authority, additional } = outcome;
  const isAliased = answer.some(({ type }) => type === 'CNAME' || type === 'DNAME');
  const main = isAliased ? [] : [...answer, ...authority.filter(({ type }) => type !== 'SOA')];
  const isMentioned = (name: Name) =>
    [...answer, ...authority].some(({ data }) => data.split(' ').includes(name));
  const beside = additional.filter((record) => isOutside(record, heard) && !isMentioned(record.name));
  return [...main.filter((record) => isOutside(record, heard)), ...beside];
}

/** Addresses that came with a referral, and that no server of the name's own zone gives. */
function denied({ byName }: Evidence, heard: Heard): readonly ResourceRecord[] {
  const { exchanged, response } = heard;
  if (exchanged.outcome.kind !== 'reply' || response.kind !== 'referral') return [];
  const names = new Set(response.delegation.nameservers.map(({ name }) => name));
  return exchanged.outcome.additional.filter((record) => {
    const address = addressIn(record);
    if (address === undefined || !names.has(record.name) || !isOutside(record, heard)) return false;
    const said = (byName.get(record.name) ?? []).filter(
      (one) =>
        one.exchanged.question.type === record.type && (one.response.kind === 'answer' || isNegative(one)),
    );
    return said.length > 0 && !said.some((one) => gives(one, address));
  });
}

function isOutside(record: ResourceRecord, { zone }: Heard): boolean {
  return record.class === undefined && !isAtOrBelow(record.name, zone);
}

function gives({ response }: Heard, address: string): boolean {
  return response.kind === 'answer' && response.records.some((record) => addressIn(record) === address);
}
