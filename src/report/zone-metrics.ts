/* What `--check` asked of zones, as metrics: serials, the ends of signatures, and the NS sets of parent and zone. */

import type { Sample } from '../base/metrics-text.ts';
import { type Name, ROOT } from '../dns/name.ts';
import { type ResourceRecord, soaIn } from '../dns/record.ts';
import type { TraversalResult } from '../document/result.ts';
import { firstOfEach, grouped } from '../document/words/lists.ts';

/** The serial that each server has of each zone; none without `--check`. */
export function serials({ exchanges, options }: TraversalResult): readonly Sample[] {
  if (!options.check) return [];
  const all = exchanges.flatMap(({ question: { name: zone, type }, server, answer = [] }): Sample[] => {
    const record = type === 'SOA' ? answer.find((one) => one.type === 'SOA' && one.name === zone) : undefined;
    const soa = record && soaIn(record);
    const { names, address } = server;
    return soa === undefined
      ? []
      : [{ labels: { zone, server: names[0] ?? '', address }, value: soa.serial }];
  });
  return firstOfEach(all, ({ labels }) => `${labels?.zone} ${labels?.address}`);
}

/** When the first signature of each zone ends, in Unix time; none without `--check`. */
export function signatureEnds({ exchanges, options }: TraversalResult): readonly Sample[] {
  if (!options.check) return [];
  const records = exchanges.flatMap(({ answer = [], authority = [] }) => [...answer, ...authority]);
  const ends = records.filter(({ type }) => type === 'RRSIG').flatMap(endOf);
  return grouped(ends, ({ zone }) => zone).map((own) => ({
    labels: { zone: own[0].zone },
    value: Math.min(...own.map(({ seconds }) => seconds)),
  }));
}

/** RFC 4034 3.2: the expiration is the fifth field, as YYYYMMDDHHmmSS, and the signer the eighth. */
function endOf({ data }: ResourceRecord): readonly { readonly zone: string; readonly seconds: number }[] {
  const [, , , , expiration = '', , , zone] = data.split(' ');
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(expiration) ?? [];
  const [year = 0, month = 1, ...rest] = parts.map(Number);
  return zone === undefined || parts.length === 0
    ? []
    : [{ zone, seconds: Date.UTC(year, month - 1, ...rest) / 1_000 }];
}

/** The NS records of each zone, as its parent and as the zone itself have them; none without `--check`. */
export function nameServerSets({ exchanges, delegations, options }: TraversalResult): readonly Sample[] {
  if (!options.check) return [];
  const sample = (at: 'parent' | 'zone', zone: Name, server: string): Sample => ({
    labels: { zone, at, server },
    value: 1,
  });
  const referred = delegations
    .filter(({ zone }) => zone !== ROOT)
    .flatMap(({ zone, nameservers }) => nameservers.map(({ name }) => sample('parent', zone, name)));
  const own = exchanges.flatMap(({ question: { name: zone, type }, answer = [] }) =>
    answer
      .filter((record) => type === 'NS' && record.type === 'NS' && record.name === zone)
      .map(({ data }) => sample('zone', zone, data)),
  );
  return firstOfEach(
    [...referred, ...own],
    ({ labels }) => `${labels?.at} ${labels?.zone} ${labels?.server}`,
  );
}
