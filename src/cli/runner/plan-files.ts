/* Reads what is planned: what the options --delegate, --zone and --ds say, and the files that they name. */

import type { Readable } from 'node:stream';
import { ZoneFileError } from '../../authority/entries.ts';
import { MOST_ZONE_OCTETS, openZone, textOf } from '../../authority/open-zone-file.ts';
import { readZoneFile, type ZoneRecord } from '../../authority/zone-file.ts';
import { toHex } from '../../base/encodings.ts';
import { getOrMake } from '../../base/memo.ts';
import { MOST_OCTETS } from '../../base/octets.ts';
import { DIGEST_OCTETS, digestKindOf } from '../../dns/dnssec/crypto.ts';
import { countsAsKey, zoneKeyIn } from '../../dns/dnssec/keys.ts';
import { NODE_CRYPTO } from '../../dns/dnssec/node-crypto.ts';
import { keyDigest, signerIn } from '../../dns/dnssec/trust.ts';
import { type Name, ROOT } from '../../dns/name.ts';
import { encodeRdata, rdataText } from '../../dns/rdata/rdata.ts';
import { RdataError } from '../../dns/rdata/words.ts';
import { Reader } from '../../dns/reader.ts';
import { plain } from '../../document/words/names.ts';
import { count } from '../../document/words/quantities.ts';
import { shortening } from '../../document/words/shortened.ts';
import type { PlannedDs } from '../../explore/planned-zones.ts';
import type { Plan } from '../../traversal/traverse.ts';
import { quoted, readName } from '../flags/names.ts';
import { plannedOf, type WhatIfFlags } from '../flags/what-if-flags.ts';
import { withGlueFaults } from '../plan/planned-faults.ts';
import { notDone, usageError } from '../process/errors.ts';
import { nameOf, readInputUpTo, STDIN } from '../process/files.ts';
import type { Io } from '../process/io.ts';

/** What the flags plan; undefined if they plan nothing. Throws a `CommandError` for bad flags and bad files. */
export async function planOf(
  flags: WhatIfFlags & { readonly at?: string },
  { stdin }: Pick<Io, 'stdin'>,
): Promise<Plan | undefined> {
  const delegations = plannedOf(flags);
  const { zone: zoneTexts = [], ds: dsTexts = [], at } = flags;
  if (delegations === undefined && zoneTexts.length === 0 && dsTexts.length === 0) return undefined;
  const named = zoneTexts.map((text) => assigned('--zone', text, 'ZONE=FILE'));
  const signers = dsTexts.map((text) => assigned('--ds', text, DS_FORM));
  checkNamedOnce(named, signers);
  const now = at === undefined ? Date.now() : Date.parse(at);
  const zones: Plan['zones'][number][] = [];
  for (const { zone, value } of named) zones.push(await zoneFrom(zone, value, now, stdin));
  const ds = await dsFrom(signers, stdin);
  return { delegations: delegations ?? [], zones: withGlueFaults(zones, delegations), ds };
}

const DS_FORM = 'ZONE=TAG,ALGORITHM,DIGEST,HEX, ZONE=FILE or ZONE=none';

/** What an option says of a zone. */
interface Assigned {
  readonly zone: Name;
  readonly value: string;
}

function assigned(option: string, text: string, form: string): Assigned {
  const [, zone, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (zone === undefined || value === undefined) throw usageError(`${option} ${quoted(text)}: write ${form}`);
  return { zone: readName(zone), value };
}

function checkNamedOnce(named: readonly Assigned[], signers: readonly Assigned[]): void {
  const zones = named.map(({ zone }) => zone);
  const twice = zones.find((zone, index) => zones.indexOf(zone) < index);
  if (twice !== undefined) throw usageError(`--zone: ${plain(twice)} has two files: leave out one of them`);
  const ofRoot = signers.find(({ zone }) => zone === ROOT);
  if (ofRoot !== undefined)
    throw usageError('--ds: nobody has DS records of the root; --trust-anchor names its keys');
  const fromStdin = [...named, ...signers].filter(({ value }) => value === STDIN);
  if (fromStdin.length > 1) throw usageError('the standard input (-) can be only one file');
}

/** A zone from its file; "-" is the standard input. Throws a `CommandError` that names file, line and column. */
export async function zoneFrom(
  zone: Name,
  path: string,
  now: number,
  stdin: Readable,
): Promise<Plan['zones'][number]> {
  const octets = await readInputUpTo(path, MOST_ZONE_OCTETS, stdin);
  const source = path === STDIN ? { octets } : { octets, path };
  const { zone: contents, faults } = readingFile(() => openZone(zone, source, now), path);
  return { zone, file: nameOf(path), faults, contents };
}

/** Throws a `CommandError` that names file, line and column if it is no zone file. */
function readingFile<T>(read: () => T, path: string): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ZoneFileError)
      throw notDone(shortening([], LONGEST_REASON)(error.message), {
        ...error.place,
        file: error.place.file ?? nameOf(path),
      });
    throw error;
  }
}

/** In characters: a file in another format can have long words. */
const LONGEST_REASON = 240;

async function dsFrom(signers: readonly Assigned[], stdin: Readable): Promise<readonly PlannedDs[]> {
  const zones = new Map<Name, string[]>();
  for (const { zone, value } of signers) {
    const given = value.toLowerCase() === 'none' ? [] : await dsGiven(zone, value, stdin);
    getOrMake(zones, zone, (): string[] => []).push(...given);
  }
  return [...zones].map(([zone, ds]) => plannedDs(zone, ds));
}

/** DS records, each once. */
export function plannedDs(zone: Name, ds: readonly string[]): PlannedDs {
  return { zone, ds: [...new Set(ds)].sort() };
}

async function dsGiven(zone: Name, value: string, stdin: Readable): Promise<readonly string[]> {
  const data = dsWritten(value, (why) => usageError(`--ds ${quoted(value)}: ${why}`));
  return data === undefined ? await dsFromFile(zone, value, stdin) : [data];
}

/** The data of a DS record as TAG,ALGORITHM,DIGEST,HEX; undefined for what is not written so. Throws what `refuse` makes. */
export function dsWritten(value: string, refuse: (why: string) => Error): string | undefined {
  if (!/^\d+([,\s]+\d+){2}[,\s]+[\da-f\s]+$/i.test(value)) {
    if (/^\d+,\d/.test(value)) throw refuse('write TAG,ALGORITHM,DIGEST,HEX, or name a file');
    return undefined;
  }
  return checkedDs(value.replaceAll(',', ' '), refuse);
}

/** The data of the DS records of a file, or of those for its keys. Throws a `CommandError` if it has none of the zone. */
export async function dsFromFile(zone: Name, path: string, stdin: Readable): Promise<readonly string[]> {
  const octets = await readInputUpTo(path, MOST_OCTETS.anchors, stdin);
  const file = nameOf(path);
  const records = readingFile(() => readZoneFile(textOf(octets), { origin: zone, file, ttl: 0 }), file);
  const own = records.filter(({ name }) => name === zone);
  const ds = own.filter(({ type }) => type === 'DS').map(({ rdata }) => textOfDs(rdata));
  const found = ds.length > 0 ? ds : signedBy(zone, own);
  if (found.length === 0) throw notDone(`${file}: no DS or DNSKEY record of ${plain(zone)}`);
  return found.map((data) => checkedDs(data, (why) => notDone(`${file}: ${why}`)));
}

function textOfDs(rdata: Uint8Array): string {
  return rdataText('DS', 'IN', Reader.of(rdata).data(rdata.length));
}

/** SHA-256, which RFC 8624 3.3 says to use. */
const DIGEST_TYPE = 2;
/** The flag of keys that DS records are made for (RFC 4034 2.1.1). */
const SEP = 1;

/** The data of the DS records that the keys of a zone have: of those with the SEP flag, if there are any. */
function signedBy(zone: Name, records: readonly ZoneRecord[]): readonly string[] {
  const keys = records
    .filter(({ type }) => type === 'DNSKEY')
    .map(({ rdata }) => zoneKeyIn(rdata))
    .filter(countsAsKey);
  const entry = keys.filter(({ rdata: [, low = 0] }) => (low & SEP) === SEP);
  return (entry.length > 0 ? entry : keys).map((key) => {
    const digest = toHex(keyDigest(zone, key, 'sha256', NODE_CRYPTO.digest));
    return `${key.tag} ${key.algorithm} ${DIGEST_TYPE} ${digest}`;
  });
}

/** The data as all DS records are written; a digest that was cut off matches no key, ever. */
function checkedDs(text: string, refuse: (why: string) => Error): string {
  try {
    const rdata = encodeRdata('DS', text, ROOT);
    const { digestType, digest } = signerIn(rdata);
    const kind = digestKindOf(digestType);
    const whole = kind === undefined ? digest.length : DIGEST_OCTETS[kind];
    if (digest.length === whole) return textOfDs(rdata);
    throw refuse(`the digest has ${count(digest.length, 'octet')}; digest type ${digestType} has ${whole}`);
  } catch (error) {
    if (error instanceof RdataError) throw refuse(error.message);
    throw error;
  }
}
