import { type Name, parseName, ROOT } from '../../src/wire/name.ts';
import { encodeRdata, rdataText } from '../../src/wire/rdata/rdata.ts';
import { Reader } from '../../src/wire/reader.ts';
import type { ResourceRecord } from '../../src/wire/record.ts';

/** Records as zone files write them, one a line ("owner TTL [IN] type data"), as they are when they were read from the wire. */
export function recordLines(text: string): readonly ResourceRecord[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith(';')).map(recordLine);
}

function recordLine(line: string): ResourceRecord {
  const [, owner = '', ttl = '', type = '', data = ''] =
    /^(\S+)\s+(\d+)\s+(?:IN\s+)?(\S+)\s*(.*)$/.exec(line) ?? [];
  return recordOf(parseName(owner), type, data, Number(ttl));
}

/** One record with data as zone files write them. */
export function recordOf(name: Name, type: string, data: string, ttl = 3600): ResourceRecord {
  const joined = type === 'RRSIG' ? withoutBlanks(data) : data;
  return { name, type, ttl, data: asRead(type, encodeRdata(type, joined, ROOT)) };
}

/** What is read of record data. */
export function asRead(type: string, rdata: Uint8Array): string {
  return rdataText(type, 'IN', Reader.of(rdata).data(rdata.length));
}

/** Signatures are broken into pieces, which follow eight fields. */
function withoutBlanks(data: string): string {
  const words = data.split(/\s+/);
  return [...words.slice(0, 8), words.slice(8).join('')].join(' ');
}
