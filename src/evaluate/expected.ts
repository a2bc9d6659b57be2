/* Matches answers with the items of `--expect`: svc-model(7), EXPECTED ANSWERS. */

import { concat, toHex } from '../base/encodings.ts';
import { addressBytes, isWithin, parsePrefix } from '../dns/address.ts';
import { asciiName } from '../dns/idn.ts';
import { type Name, NameError, parseName, ROOT } from '../dns/name.ts';
import { encodeRdata } from '../dns/rdata/rdata.ts';
import { RdataError } from '../dns/rdata/words.ts';
import { comparableData, fitsType, type ResourceRecord } from '../dns/record.ts';
import type { EndKind } from './end.ts';

/** Whether an item of `--expect` begins as a prefix does, but is none: it would match nothing. */
export function isBrokenPrefix(item: string): boolean {
  const bare = item.replace(/^\+/, '');
  return /^(?:[\d.]+|[\da-f:]*:[\da-f:]*)\//i.test(bare) && parsePrefix(bare) === undefined;
}

/** Whether an item of `--expect` can match an answer with records of this type, or a denial. */
export function canMatch(item: string, type: string): boolean {
  if (DENIALS.has(item.toLowerCase()) || type === 'ANY' || type === 'TXT') return true;
  const bare = item.replace(/^\+/, '');
  const prefix = parsePrefix(bare);
  if (type === 'A' || type === 'AAAA') return prefix?.network.length === (type === 'A' ? 4 : 16);
  const isNamed = NAMED_LAST.has(type);
  if (isNamed && prefix !== undefined) return false;
  return (isNamed && nameIn(bare) !== undefined) || octetsOf(type, bare) !== undefined;
}

/** The items of `--expect` that can match an answer of a type: "a name, nxdomain or nodata". */
export function matchableItems(type: string): string {
  return `${ITEMS[type] ?? 'record data'}, nxdomain or nodata`;
}

const ITEMS: Readonly<Record<string, string>> = {
  A: 'an IPv4 address or prefix',
  AAAA: 'an IPv6 address or prefix',
  CNAME: 'a name',
  NS: 'a name',
  PTR: 'a name',
  MX: 'a name, record data such as "10 mail.example.com."',
};

const DENIALS: ReadonlySet<string> = new Set(['nxdomain', 'nodata']);

/** An end, as far as an expectation looks at it; ends of results have the same members. */
export interface ExpectableEnd {
  readonly kind: EndKind;
  readonly records?: Iterable<RecordData>;
}

/** Whether an end is expected. */
export type Expectation = (end: ExpectableEnd) => boolean;

/**
 * What the items of `--expect` expect together: svc-model(7), EXPECTED ANSWERS. An item is an address, a prefix, a name,
 * record data in presentation format (of TXT also the bare text), "nxdomain" or "nodata". An answer is expected if each
 * of its records fits an item, or if one fits an item that has "+" before it.
 */
export function expectationOf(items: readonly string[]): Expectation {
  const kinds = new Set(items.map((item) => item.toLowerCase()));
  const any = items.filter((item) => item.startsWith('+')).map((item) => fitOf(item.slice(1)));
  const each = [...items.filter((item) => !item.startsWith('+')).map(fitOf), ...any];
  return ({ kind, records }) => {
    if (kind === 'nxdomain' || kind === 'nodata') return kinds.has(kind);
    if (kind !== 'answer' || records === undefined) return false;
    const all = [...records];
    return (
      all.every((record) => each.some((fits) => fits(record))) ||
      all.some((record) => any.some((fits) => fits(record)))
    );
  };
}

type RecordData = Pick<ResourceRecord, 'type' | 'data'>;

type Fit = (record: RecordData) => boolean;

function fitOf(item: string): Fit {
  const prefix = parsePrefix(item);
  const name = nameIn(item);
  return (record) => {
    const { type, data } = record;
    if (!fitsType(record)) return data === item;
    if (type === 'A' || type === 'AAAA') return prefix !== undefined && isWithin(prefix, addressBytes(data));
    return (
      (NAMED_LAST.has(type) && name !== undefined && name === nameIn(lastWord(data))) || hasData(record, item)
    );
  };
}

/** Types of which a name is all data, or their last word. */
const NAMED_LAST: ReadonlySet<string> = new Set([
  'CNAME',
  'DNAME',
  'NS',
  'PTR',
  'MX',
  'SRV',
  'AFSDB',
  'KX',
  'RT',
]);

function lastWord(data: string): string {
  return data.slice(data.lastIndexOf(' ') + 1);
}

function nameIn(text: string): Name | undefined {
  try {
    return parseName(asciiName(text));
  } catch (error) {
    if (error instanceof NameError) return undefined;
    throw error;
  }
}

/** Compared as octets, so that spelling does not matter. The strings of a TXT record count as one. */
function hasData({ type, data }: RecordData, item: string): boolean {
  const own = octetsOf(type, data);
  if (own === undefined) return data === item;
  if (type === 'TXT' && textIn(own) === item) return true;
  const wanted = octetsOf(type, item);
  return wanted !== undefined && toHex(wanted) === toHex(own);
}

function octetsOf(type: string, data: string): Uint8Array | undefined {
  try {
    return encodeRdata(type, comparableData({ type, data }), ROOT);
  } catch (error) {
    if (error instanceof RdataError) return undefined;
    throw error;
  }
}

/** Character strings one after the other, each without its octet of length (RFC 1035 3.3). */
function textIn(octets: Uint8Array): string {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < octets.length; at += 1 + (octets[at] ?? 0))
    parts.push(octets.subarray(at + 1, at + 1 + (octets[at] ?? 0)));
  return new TextDecoder().decode(concat(parts));
}
