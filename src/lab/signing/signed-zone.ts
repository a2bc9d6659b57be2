/* Adds keys, DS records and NSEC or NSEC3 chains to a zone. */

import { proofsByNsec, proofsByNsec3 } from '../../authority/proofs.ts';
import { isCut, minimumOf, rrset, type Zone } from '../../authority/zone.ts';
import type { ZoneRecord } from '../../authority/zone-file.ts';
import type { Name } from '../../dns/name.ts';
import { hasher, nsec3Records, nsecRecords, parameters } from './denial.ts';
import { type LabZone, secureZone } from './lab-security.ts';
import { Signer } from './signer.ts';
import { signingKey } from './signing-key.ts';
import { type DenialSpec, publishedKeys, type ZoneSigning } from './zone-signing.ts';

/** Adds the records that signing adds, signatures aside. A cut that has DS records in the zone file keeps those. */
export function signZone(zone: Zone, signing: ZoneSigning, dsAt: DsAt): LabZone {
  const { apex } = zone;
  const { denial = { kind: 'nsec' } } = signing;
  const keys = publishedKeys(signing).map((spec) => signingKey(apex, spec, signing));
  const keyRecords = recordsAt(
    apex,
    'DNSKEY',
    keys.map(({ dnskey }) => dnskey),
    zone.soa.ttl,
  );
  const hashing = denial.kind === 'nsec3' ? recordsAt(apex, 'NSEC3PARAM', [parameters(denial)], 0) : [];
  const nodes = withRecords(zone, [...keyRecords, ...hashing, ...delegationSigners(zone, dsAt)]);
  return withDenial({ ...zone, nodes }, denial, new Signer(apex, keys, signing));
}

/** The data of the DS records that a zone cut has; none: the zone below is not signed. */
type DsAt = (cut: Name) => readonly Uint8Array[];

function recordsAt(name: Name, type: string, data: readonly Uint8Array[], ttl: number): ZoneRecord[] {
  return data.map((rdata) => ({ name, type, ttl, rdata }));
}

function delegationSigners(zone: Zone, dsAt: DsAt): ZoneRecord[] {
  const cuts = [...zone.nodes.keys()].filter((name) => isCut(zone, name));
  const bare = cuts.filter((cut) => rrset(zone, cut, 'DS').length === 0);
  return bare.flatMap((cut) => recordsAt(cut, 'DS', dsAt(cut), zone.soa.ttl));
}

/** RFC 9077 3: the TTL of denials is the least of the SOA record's and its last field. */
function withDenial(zone: Zone, denial: DenialSpec, signer: Signer): LabZone {
  const ttl = Math.min(zone.soa.ttl, minimumOf(zone));
  switch (denial.kind) {
    case 'nsec': {
      const records = nsecRecords(zone, ttl);
      const withNsec = { ...zone, nodes: withRecords(zone, records) };
      return secureZone(withNsec, signer, proofsByNsec(zone, records));
    }
    case 'nsec3': {
      const records = nsec3Records(zone, denial, ttl);
      return secureZone(
        zone,
        signer,
        proofsByNsec3(zone, () => hasher(denial), records),
      );
    }
  }
}

function withRecords(zone: Zone, records: readonly ZoneRecord[]): Zone['nodes'] {
  const nodes = new Map(zone.nodes);
  for (const record of records) nodes.set(record.name, [...(nodes.get(record.name) ?? []), record]);
  return nodes;
}
