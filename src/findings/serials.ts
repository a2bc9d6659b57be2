import type { PickedServer } from '../evaluate/end.ts';
import type { Exchanged } from '../explore/recording.ts';
import { named, plain } from '../reading/names.ts';
import type { Name } from '../wire/name.ts';
import type { ResourceRecord } from '../wire/record.ts';
import { hasFlag } from './authority.ts';
import type { Check, Draft } from './draft.ts';
import type { Heard } from './evidence.ts';
import { isNegative, soasOf } from './soa.ts';

/**
 * SOA_SERIAL_DIFFERS: a server has an older version of the zone than another, as the SOA records of
 * negative replies (and of answers to SOA questions) show. A server that has shown both was only being
 * updated meanwhile.
 */
export const serialDiffers: Check = ({ contacts }) => {
  const zones = new Map<Name, Shown[]>();
  for (const { zone, server, heard } of contacts) {
    const serials = new Map(heard.flatMap((one) => serialsIn(one).map((serial) => [serial, one.exchanged])));
    if (serials.size === 0) continue;
    const known = zones.get(zone);
    if (known === undefined) zones.set(zone, [{ server, serials }]);
    else known.push({ server, serials });
  }
  return [...zones].flatMap(([zone, shown]) => laggards(zone, shown));
};

/** The serials that one server showed, each with an exchange that shows it. */
interface Shown {
  readonly server: PickedServer;
  readonly serials: ReadonlyMap<number, Exchanged>;
}

function laggards(zone: Name, shown: readonly Shown[]): readonly Draft[] {
  const newest = shown.flatMap(({ serials }) => [...serials.keys()]).reduce(newer);
  const current = shown.find(({ serials }) => serials.has(newest));
  const evidence = current?.serials.get(newest);
  if (current === undefined || evidence === undefined) return [];
  return shown
    .filter(({ serials }) => !serials.has(newest))
    .map(({ server, serials }) => ({
      zone,
      server,
      message: `${named(server)} has serial ${[...serials.keys()].reduce(newer)} of ${plain(zone)} while ${named(current.server)} has ${newest}: see why zone transfers do not reach it.`,
      proof: [...serials.values(), evidence],
    }));
}

/** RFC 1982 3.2: of two serials the later one, in a circle of 32 bits. */
function newer(a: number, b: number): number {
  const ahead = (b - a) >>> 0;
  return ahead > 0 && ahead < 2 ** 31 ? b : a;
}

function serialsIn(heard: Heard): readonly number[] {
  if (!hasFlag(heard, 'aa')) return [];
  return soasIn(heard)
    .filter(({ name }) => name === heard.zone)
    .flatMap(serialOf);
}

function soasIn(heard: Heard): readonly ResourceRecord[] {
  if (isNegative(heard)) return soasOf(heard);
  const { response } = heard;
  return response.kind === 'answer' ? response.records.filter(({ type }) => type === 'SOA') : [];
}

/** The third field of a SOA's data (RFC 1035 3.3.13); that of a saved result may be anything. */
function serialOf({ data }: ResourceRecord): readonly number[] {
  const serial = Number(data.split(' ')[2]);
  return Number.isInteger(serial) ? [serial] : [];
}
