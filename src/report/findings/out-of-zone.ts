import { addressIn } from '../../explore/addresses.ts';
import { isAtOrBelow } from '../../wire/name.ts';
import type { ResourceRecord } from '../../wire/record.ts';
import type { Check, Draft } from './draft.ts';
import type { Contact, Evidence, Heard } from './evidence.ts';
import { listed, named, plain } from './words.ts';

/**
 * OUT_OF_ZONE_DATA: records that are not the server's to give, and were ignored. Harmless for the most
 * part; but addresses of name servers that nobody else confirms may mislead a resolver that is less
 * careful (warning).
 */
export const outOfZone: Check = (evidence) =>
  evidence.contacts.flatMap((contact) => [
    ...told(contact, (heard) => unconfirmed(evidence, heard), 'warning'),
    ...told(contact, ignored, 'info'),
  ]);

const ADVICE = {
  warning: 'gives addresses of name servers that lie outside of it and that nobody confirms',
  info: 'sends records from outside of it',
} as const;

function told(
  { zone, server, heard }: Contact,
  select: (heard: Heard) => readonly ResourceRecord[],
  severity: keyof typeof ADVICE,
): readonly Draft[] {
  const sending = heard.filter((one) => select(one).length > 0);
  const owners = [...new Set(sending.flatMap(select).map(({ name }) => plain(name)))];
  if (sending.length === 0) return [];
  const message = `${named(server)}, asked for ${plain(zone)}, ${ADVICE[severity]} (${listed(owners)}); they were ignored: let it serve its own zones only.`;
  return [{ zone, server, severity, message, proof: sending.map(({ exchanged }) => exchanged) }];
}

/** Records outside the zone, in replies that are of use otherwise. A SOA from elsewhere has a code of its own. */
function ignored({ zone, exchanged: { outcome }, response }: Heard): readonly ResourceRecord[] {
  if (outcome.kind !== 'reply' || response.kind === 'lame' || response.kind === 'error') return [];
  const { answer, authority, additional } = outcome;
  return [...answer, ...authority, ...additional].filter(
    (record) => record.class === undefined && record.type !== 'SOA' && !isAtOrBelow(record.name, zone),
  );
}

function unconfirmed({ byName }: Evidence, heard: Heard): readonly ResourceRecord[] {
  const { response } = heard;
  if (response.kind !== 'referral') return [];
  const names = new Set(response.delegation.nameservers.map(({ name }) => name));
  return ignored(heard).filter((record) => {
    const address = addressIn(record);
    if (address === undefined || !names.has(record.name)) return false;
    return !(byName.get(record.name) ?? []).some((one) => gives(one, address));
  });
}

function gives({ response }: Heard, address: string): boolean {
  return response.kind === 'answer' && response.records.some((record) => addressIn(record) === address);
}
