/* Finds the faults of planned zones that only something beside their files shows. */

import { glueFaults, glueIn } from '../../authority/zone-faults.ts';
import { isBelow, type Name } from '../../dns/name.ts';
import { rdataText } from '../../dns/rdata/rdata.ts';
import { Reader } from '../../dns/reader.ts';
import { isOlderSerial, soaIn } from '../../dns/record.ts';
import type { Plan } from '../../traversal/traverse.ts';

/** Adds to planned zones the faults of their glue at planned parents and delegations. */
export function withGlueFaults(zones: Plan['zones'], delegations: Plan['delegations'] = []): Plan['zones'] {
  return zones.map((planned) => {
    const { zone, contents, faults } = planned;
    const delegation = delegations.find((one) => one.zone === zone);
    const [glue] =
      delegation === undefined
        ? zones.flatMap((parent) => (isBelow(zone, parent.zone) ? (glueIn(parent.contents, zone) ?? []) : []))
        : [new Map(delegation.nameservers.map((server) => [server.name, server.glue]))];
    const found = glue === undefined ? [] : glueFaults(contents, glue);
    return found.length === 0 ? planned : { ...planned, faults: [...faults, ...found] };
  });
}

/** The version of a planned zone that its servers have today. */
export interface ServedVersion {
  readonly serial: number;
  /** Whether answers of the file differ from those of today. */
  readonly differs: boolean;
}

/**
 * Adds to planned zones the fault of a serial that keeps secondary servers from transferring the zone: it is lower than that
 * of today, or the same although the zone differs. Zones without an entry in `served` are not compared.
 */
export function withSerialFaults(
  zones: Plan['zones'],
  served: ReadonlyMap<Name, ServedVersion>,
): Plan['zones'] {
  return zones.map((planned) => {
    const { zone, contents, faults } = planned;
    const today = served.get(zone);
    const { type, rdata } = contents.soa;
    const data = rdataText(type, 'IN', Reader.of(rdata).data(rdata.length));
    const serial = soaIn({ type, data })?.serial;
    if (today === undefined || serial === undefined) return planned;
    if (serial === today.serial ? !today.differs : isOlderSerial(today.serial, serial)) return planned;
    const { line = 1, file } = contents.soa;
    const detail = `${serial}, today ${today.serial}`;
    const fault = { code: 'FILE_SERIAL_NOT_HIGHER', name: zone, type, line, detail } as const;
    return { ...planned, faults: [...faults, { ...fault, ...(file !== undefined && { file }) }] };
  });
}
