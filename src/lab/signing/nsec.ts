import { compareNames } from '../../validate/name-order.ts';
import { type Name, ROOT } from '../../wire/name.ts';
import { encodeRdata } from '../../wire/rdata/rdata.ts';
import type { Zone } from '../zone.ts';
import type { ZoneRecord } from '../zone-file.ts';
import { authoritativeNames } from './authoritative.ts';
import type { Prove } from './denial.ts';
import { closestEncloser, wildcardBelow } from './encloser.ts';

/** The NSEC records of a zone (RFC 4034 4), in canonical order. */
export function nsecRecords(zone: Zone, ttl: number): ZoneRecord[] {
  const names = authoritativeNames(zone)
    .filter(({ kind }) => kind !== 'empty')
    .sort((a, b) => compareNames(a.name, b.name));
  return names.map(({ name, types }, index) => {
    const next = names[index + 1]?.name ?? zone.apex;
    const data = [next, ...types, 'RRSIG', 'NSEC'].join(' ');
    return { name, type: 'NSEC', ttl, rdata: encodeRdata('NSEC', data, ROOT) };
  });
}

/** Proofs by NSEC (RFC 4035 3.1.3). */
export function proofsByNsec({ nodes }: Zone, records: readonly ZoneRecord[]): Prove {
  return ({ kind, name }) => {
    const at = matchingOrCovering(records, name);
    if (kind === 'expanded' || nodes.has(name)) return at;
    const encloser = closestEncloser(name, (above) => nodes.has(above));
    return [...at, ...matchingOrCovering(records, wildcardBelow(encloser.name))];
  };
}

/** The last record whose owner is not after the name. */
function matchingOrCovering(records: readonly ZoneRecord[], name: Name): ZoneRecord[] {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const record = records[middle];
    if (record !== undefined && compareNames(record.name, name) <= 0) low = middle + 1;
    else high = middle;
  }
  return records.slice(low - 1, low);
}
