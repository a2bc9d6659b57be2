/** Servers of whole zones, for worlds in which servers are asked about the zones themselves. */

import type { Query } from '../../src/exchange/query.ts';
import { isAtOrBelow, labelCount, type Name, parentOf, parseName } from '../../src/wire/name.ts';
import { rcode, reply, type Saying } from './world.ts';

/** A zone: its apex and its records as "owner type data" or "owner ttl type data". The SOA is added. */
export interface ZoneSpec {
  readonly apex: string;
  readonly records: readonly string[];
  /** "m.APEX" by default. */
  readonly primary?: string;
  /** 1 by default. */
  readonly serial?: number;
}

export function zone(
  apex: string,
  records: readonly string[],
  soa: Pick<ZoneSpec, 'primary' | 'serial'> = {},
): ZoneSpec {
  return { apex, records, ...soa };
}

/** A server that has these zones. */
export function serving(...zones: readonly ZoneSpec[]): Saying {
  const byDepth = [...zones].sort((a, b) => labelCount(parseName(b.apex)) - labelCount(parseName(a.apex)));
  return (query) => {
    const found = byDepth.find(({ apex }) => isAtOrBelow(query.question.name, parseName(apex)));
    return (found === undefined ? rcode('REFUSED') : replyFrom(found, query))(query);
  };
}

function replyFrom(spec: ZoneSpec, { question }: Query): Saying {
  const records = spec.records.map(read);
  const { apex, primary = `m.${apex}`, serial = 1 } = spec;
  const soa = `${apex} SOA ${primary} h.${apex} ${serial} 3600 600 86400 60`;
  const addresses = (targets: readonly string[]) =>
    records.filter(({ owner, type }) => /^A/.test(type) && targets.includes(owner)).map(({ text }) => text);
  const at = (owner: Name) => records.filter((one) => one.owner === owner);
  const cut = pathTo(question.name, parseName(apex)).find((name) =>
    at(name).some(({ type }) => type === 'NS'),
  );
  if (cut !== undefined) {
    const ns = at(cut).filter(({ type }) => type === 'NS');
    const additional = addresses(ns.map(({ data }) => data));
    return reply({ flags: [], authority: ns.map(({ text }) => text), additional });
  }
  const here = at(question.name);
  const isApex = question.name === apex;
  if (isApex && question.type === 'SOA') return reply({ answer: [soa] });
  const fitting = here.filter(({ type }) => type === question.type);
  if (fitting.length > 0) {
    const additional = question.type === 'NS' ? addresses(fitting.map(({ data }) => data)) : [];
    return reply({ answer: fitting.map(({ text }) => text), additional });
  }
  const exists = isApex || records.some(({ owner }) => isAtOrBelow(parseName(owner), question.name));
  return reply({ rcode: exists ? 'NOERROR' : 'NXDOMAIN', authority: [soa] });
}

function read(text: string) {
  const [, owner = '', type = '', data = ''] = /^(\S+) (?:[0-9]+ )?(\S+) (.*)$/.exec(text) ?? [];
  return { owner, type, data, text };
}

/** The names from right below the apex down to the name. */
function pathTo(name: Name, apex: Name): readonly Name[] {
  const path: Name[] = [];
  for (let at: Name | undefined = name; at !== undefined && at !== apex; at = parentOf(at)) path.unshift(at);
  return path;
}
