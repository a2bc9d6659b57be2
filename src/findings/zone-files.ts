/* Words the faults of zone files that are planned. */

import type { ZoneFault, ZoneFaultCode } from '../authority/zone-fault.ts';
import { isLocalName } from '../dns/local-zones.ts';
import { type Name, ROOT, withoutFinalDot } from '../dns/name.ts';
import type { Finding } from '../document/finding.ts';
import { plain } from '../document/words/names.ts';
import type { ZoneFile } from '../explore/planned-zones.ts';
import { CATALOGUE, type Entry } from './catalogue.ts';
import type { Check, Draft, Words } from './check.ts';

/** Are planned zones, as files have them, well formed? */
export const ZONE_FILE_CHECKS = {
  FILE_UNREADABLE: faults('FILE_UNREADABLE'),
  FILE_NOT_DELEGATED: faults('FILE_NOT_DELEGATED'),
  FILE_REFUSED: faults('FILE_REFUSED'),
  FILE_TEXT_CUT: faults('FILE_TEXT_CUT'),
  FILE_OUT_OF_ZONE: faults('FILE_OUT_OF_ZONE'),
  FILE_CNAME_AND_OTHER_DATA: faults('FILE_CNAME_AND_OTHER_DATA'),
  FILE_DNAME_CONFLICT: faults('FILE_DNAME_CONFLICT'),
  FILE_NO_NS: faults('FILE_NO_NS'),
  FILE_NS_WITHOUT_ADDRESS: faults('FILE_NS_WITHOUT_ADDRESS'),
  FILE_TARGET_IS_ALIAS: faults('FILE_TARGET_IS_ALIAS'),
  FILE_TARGET_WITHOUT_ADDRESS: faults('FILE_TARGET_WITHOUT_ADDRESS'),
  FILE_OCCLUDED: faults('FILE_OCCLUDED'),
  FILE_TTLS_DIFFER: faults('FILE_TTLS_DIFFER'),
  FILE_SOA_VALUES: faults('FILE_SOA_VALUES'),
  FILE_SERIAL_NOT_HIGHER: faults('FILE_SERIAL_NOT_HIGHER'),
  FILE_GLUE_DIFFERS: faults('FILE_GLUE_DIFFERS'),
  FILE_SIGNATURE_EXPIRES: faults('FILE_SIGNATURE_EXPIRES'),
  FILE_DENIAL_BROKEN: faults('FILE_DENIAL_BROKEN'),
} satisfies Record<ZoneFaultCode, Check>;

/** The findings of planned zone files, made without a traversal; `now`: in milliseconds since 1970. */
export function zoneFileFindings(files: readonly ZoneFile[], now: number): readonly Finding[] {
  const all = files.flatMap((planned) => planned.faults.map((fault) => ({ fault, planned })));
  return all.map(({ fault, planned }, index) => {
    const { zone, at, problem, advice, severity } = draftOf(fault, planned, now / 1000);
    const { severity: usual, reference }: Entry = CATALOGUE[fault.code];
    return {
      id: `f${index + 1}`,
      code: fault.code,
      severity: severity ?? usual,
      ...(zone !== undefined && { zone }),
      ...at,
      message: `${problem}.`,
      advice: `${advice}.`,
      causes: [],
      evidence: [],
      ...(reference !== undefined && { reference }),
    };
  });
}

/** The faults of one kind in all planned zones, one by one. */
function faults(code: ZoneFaultCode): Check {
  return ({ scope }) =>
    (scope.zoneFiles ?? []).flatMap((planned) =>
      planned.faults
        .filter((fault) => fault.code === code)
        .map((fault) => draftOf(fault, planned, scope.dnssec?.time)),
    );
}

function draftOf(fault: ZoneFault, { zone, file }: ZoneFile, time = Number.NEGATIVE_INFINITY): Draft {
  const { code, name, type, line, detail = '', more } = fault;
  const words = WORDS[code]({
    zone: plain(zone),
    name: plain(name),
    record: `${plain(name)} ${type}`,
    detail,
    target: withoutFinalDot(detail),
    dot: finalDotAdvice(detail, zone),
    isLocal: isLocalName(zone),
    isOver: Date.parse(detail) < time * 1000,
  });
  const others = more === undefined ? '' : `. There ${more === 1 ? 'is' : 'are'} ${more} more of this kind`;
  const at = { file: fault.file ?? file, line };
  return { ...words, problem: `${at.file}:${line}: ${words.problem}${others}`, zone, proof: [], at };
}

/** "If the final dot of mail.example is missing, add it. Else: ", if several labels stand before the zone; else empty. */
export function finalDotAdvice(target: string, zone: Name): string {
  const before = zone !== ROOT && target.endsWith(`.${zone}`) ? target.slice(0, -zone.length - 1) : '';
  return before.includes('.') ? `If the final dot of ${before} is missing, add it. Else: ` : '';
}

/** What is wrong with a record, and what to do. */
const WORDS: Readonly<Record<ZoneFaultCode, (shown: ShownFault) => Words & Pick<Draft, 'severity'>>> = {
  FILE_UNREADABLE: ({ zone, detail }) => ({
    problem: `${detail}: ${zone} is not checked`,
    advice: 'Correct the file',
  }),
  FILE_NOT_DELEGATED: ({ zone, isLocal }) =>
    isLocal
      ? {
          problem: `${zone} is never delegated: it is for local use, and not checked`,
          advice: 'Nothing is to be done',
          severity: 'notice',
        }
      : {
          problem: `Nobody delegates ${zone}: it is not checked`,
          advice:
            'Correct the name, or plan its delegation (servers in a plan in JSON, or NS records in the planned zone above)',
        },
  FILE_REFUSED: ({ record, detail }) => ({
    problem: `${record}: ${detail}`,
    advice:
      'Correct or remove the record. A server that refuses a file keeps the zone that it has, or has none',
  }),
  FILE_TEXT_CUT: ({ record }) => ({
    problem: `${record} ends at a semicolon, which begins a comment: what follows is not part of the text`,
    advice: 'Put the text in quotes',
  }),
  FILE_OUT_OF_ZONE: ({ record, zone }) => ({
    problem: `${record} is not in ${zone}: NSD refuses the file, other servers ignore the record`,
    advice: 'Remove the record, or correct the dot at the end of its name',
  }),
  FILE_CNAME_AND_OTHER_DATA: ({ name, detail }) => ({
    problem: `${name} has a CNAME record and ${detail === 'CNAME' ? 'another CNAME record' : `a record of type ${detail}`}: BIND and Knot DNS refuse the file`,
    advice: 'Keep only the CNAME record, or replace it by the data of its target',
  }),
  FILE_DNAME_CONFLICT: ({ name, detail }) => ({
    problem: `${name} has a DNAME record and ${detail === 'DNAME' ? 'another DNAME record' : `records of type ${detail}`}: servers refuse the file`,
    advice: 'Keep one of them',
  }),
  FILE_NO_NS: ({ zone }) => ({
    problem: `${zone} has no NS records at its apex: servers refuse the file`,
    advice: 'Add the NS records that the parent has',
  }),
  FILE_NS_WITHOUT_ADDRESS: ({ name, target, dot }) => ({
    problem: `${name} has the name server ${target}, but the zone has no address for it`,
    advice: `${dot}Add A or AAAA records of ${target}, or remove it from the NS records`,
  }),
  FILE_TARGET_IS_ALIAS: ({ record, target }) => ({
    problem: `${record} names ${target}, which is an alias: some senders and resolvers do not follow it`,
    advice: `Write the name to which ${target} is an alias, or give ${target} A and AAAA records instead of the CNAME record`,
  }),
  FILE_TARGET_WITHOUT_ADDRESS: ({ record, target, dot }) =>
    /^(?:\d{1,3}\.){3}\d{1,3}(?:\.|$)/.test(target)
      ? {
          problem: `${record} names ${target}, an address where the name of a host belongs: nobody can reach it`,
          advice: 'Write the name of the host, which has A or AAAA records',
        }
      : {
          problem: `${record} names ${target}, which has no address: nobody can reach it`,
          advice: `${dot}Add A or AAAA records of ${target}, or name another host`,
        },
  FILE_OCCLUDED: ({ record, target }) => ({
    problem: `${record} is hidden by the records of ${target}: no server returns it`,
    advice: 'Move it to the zone that has the name now, or remove it',
  }),
  FILE_TTLS_DIFFER: ({ record, detail }) => ({
    problem: `${record} is one of several records with different TTLs (${detail}): servers use one TTL for all`,
    advice: 'Give all records of the name and type the same TTL',
  }),
  FILE_SOA_VALUES: ({ zone, detail }) => ({
    problem: `The SOA record of ${zone} has unusual times: ${detail}`,
    advice: 'Use for example REFRESH 7200, RETRY 900, EXPIRE 1209600 and MINIMUM 3600',
  }),
  FILE_SERIAL_NOT_HIGHER: ({ zone, detail }) => ({
    problem: `The serial of ${zone} is not higher than that of its servers (${detail}): secondary servers will not transfer the zone`,
    advice: 'Raise the serial, unless the software that publishes the zone does',
  }),
  FILE_GLUE_DIFFERS: ({ record, detail }) => ({
    problem: `${record} differs from the glue at the parent: ${detail} there`,
    advice: 'Give the server the same addresses in the zone and at its parent',
  }),
  FILE_SIGNATURE_EXPIRES: ({ name, detail, isOver }) => ({
    problem: `A signature of ${name} ${isOver ? 'ended' : 'ends'} at ${detail.replace('.000Z', 'Z')}: validating resolvers then return SERVFAIL`,
    advice: 'Sign the zone again before it is published',
    ...(isOver && { severity: 'error' as const }),
  }),
  FILE_DENIAL_BROKEN: ({ record, detail }) => ({
    problem: `${record}: ${detail}, so validating resolvers can treat denials as bogus, or existing records as denied`,
    advice: 'Sign the whole zone again',
  }),
};

/** A fault, for its words. */
interface ShownFault {
  readonly zone: string;
  /** The owner of the record. */
  readonly name: string;
  /** "www.a.example A" */
  readonly record: string;
  /** The name that the record points to, or that hides it. */
  readonly target: string;
  /** Advice on its final dot; empty if that is not missing. */
  readonly dot: string;
  readonly detail: string;
  /** Whether the zone is one that the root never delegates. */
  readonly isLocal: boolean;
  /** Whether the moment that it names is over. */
  readonly isOver: boolean;
}
