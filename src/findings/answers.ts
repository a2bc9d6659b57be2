import type { PickedServer } from '../evaluate/end.ts';
import type { Exchanged } from '../exchanged.ts';
import { addressIn } from '../explore/addresses.ts';
import { firstOfEach } from '../reading/grouped.ts';
import { listed } from '../reading/listed.ts';
import { asked, named, plain, quoted } from '../reading/names.ts';
import { isAtOrBelow, type Name } from '../wire/name.ts';
import type { ResourceRecord } from '../wire/record.ts';
import { aliasAt } from './aliases.ts';
import { byContact, type Check, type Draft } from './check.ts';
import type { Contact, Evidence, Heard } from './evidence.ts';
import { hasFlag, isNegative, soasOf } from './heard.ts';

/** ANSWERS_DIFFER: servers of one zone give different RRsets for one question. To ANY each may choose (RFC 8482). */
export const answersDiffer: Check = ({ panels }) =>
  [...panels.values()].flatMap((panel): Draft[] => {
    if (panel.question.type === 'ANY') return [];
    const said = panel.heard.map(sayingOf).filter((one) => one !== undefined);
    const aliases = firstOfEach(said, ({ alias }) => alias ?? '-');
    const data = firstOfEach(
      said.filter((one) => one.data !== undefined),
      (one) => one.data?.join('\n') ?? '',
    );
    const sides = aliases.length > 1 ? aliases : data;
    if (sides.length < 2) return [];
    const words = sides.map((one) => `${named(one.heard.server)} says ${wordsOf(one)}`);
    const message = `The servers of ${plain(panel.zone)} give different answers to ${asked(panel.question)}: ${listed(words)}; bring all of them to the same version of the zone.`;
    return [{ zone: panel.zone, message, proof: said.map(({ heard }) => heard.exchanged) }];
  });

/** What a reply says at the question's name: an alias's target, and the data at the end as far as it goes. */
interface Saying {
  readonly heard: Heard;
  readonly alias: Name | undefined;
  readonly data: readonly string[] | undefined;
}

function sayingOf(heard: Heard): Saying | undefined {
  const { meaning } = heard;
  if (meaning.kind === 'alias') return { heard, alias: firstTarget(heard), data: undefined };
  if (meaning.kind !== 'answer') return undefined;
  const data = [...new Set(meaning.records.map((record) => record.data))].sort();
  return { heard, alias: meaning.aliases.length > 0 ? firstTarget(heard) : undefined, data };
}

/** Where the alias at the question's name leads. */
function firstTarget({ exchanged: { outcome, question } }: Heard): Name | undefined {
  if (outcome.kind !== 'reply') return undefined;
  const { cnames, dname } = aliasAt(outcome.answer, question.name);
  return cnames[0] ?? dname?.makes;
}

function wordsOf({ alias, data }: Saying): string {
  if (alias !== undefined) return `alias of ${plain(alias)}`;
  return quoted(data ?? []);
}

/** EXISTENCE_DIFFERS: to some servers of a zone the name exists, to others it does not. */
export const existenceDiffers: Check = ({ panels }) =>
  [...panels.values()].flatMap((panel): Draft[] => {
    const denying = panel.heard.filter(({ meaning }) => meaning.kind === 'nxdomain');
    const knowing = panel.heard.filter(isKnowing);
    const [no, yes] = [denying[0], knowing[0]];
    if (no === undefined || yes === undefined) return [];
    const message = `The servers of ${plain(panel.zone)} do not agree that ${plain(panel.question.name)} exists: ${named(no.server)} says no, ${named(yes.server)} says yes; bring all of them to the same version of the zone.`;
    const proof = [...denying, ...knowing].map(({ exchanged }) => exchanged);
    return [{ zone: panel.zone, message, proof }];
  });

function isKnowing({ meaning }: Heard): boolean {
  return meaning.kind === 'answer' || meaning.kind === 'alias' || meaning.kind === 'nodata';
}

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
  const { meaning } = heard;
  return meaning.kind === 'answer' ? meaning.records.filter(({ type }) => type === 'SOA') : [];
}

/** The third field of a SOA's data (RFC 1035 3.3.13); that of a saved result may be anything. */
function serialOf({ data }: ResourceRecord): readonly number[] {
  const serial = Number(data.split(' ')[2]);
  return Number.isInteger(serial) ? [serial] : [];
}

/** NEGATIVE_WITHOUT_SOA: without one nobody can cache that there is nothing (RFC 2308 5). */
export const negativeWithoutSoa = byContact(
  (heard) => isNegative(heard) && soasOf(heard).length === 0,
  (server, zone) =>
    `${named(server)} denies names or types of ${plain(zone)} without a SOA record, so that resolvers ask for them again and again: repair or update that server.`,
);

/** NEGATIVE_WRONG_SOA: the SOA is of a zone that the name is not in, or of one above the zone asked for. */
export const negativeWrongSoa = byContact(
  (heard) => wrongOwner(heard) !== undefined,
  (server, zone, first) =>
    `${named(server)} denies names or types of ${plain(zone)} with the SOA record of ${plain(wrongOwner(first) ?? zone)}: set the zone up there, or remove the server from the delegation.`,
);

function wrongOwner(heard: Heard): Name | undefined {
  if (!isNegative(heard)) return undefined;
  const { name } = heard.exchanged.question;
  const owners = soasOf(heard).map((soa) => soa.name);
  // A server may have a zone below this one as well, and speak for that.
  const isRight = (owner: Name) => isAtOrBelow(owner, heard.zone) && isAtOrBelow(name, owner);
  return owners.some(isRight) ? undefined : owners[0];
}

/**
 * OUT_OF_ZONE_DATA: records that are not the server's to give, and were ignored. Nothing is said of
 * what servers of several zones add as a matter of course (RFC 1034 4.3.2): the rest of an alias's way,
 * addresses of names in the reply. But such an address of a name server that its own zone does not
 * know may mislead a resolver that is less careful (warning).
 */
export const outOfZone: Check = (evidence) =>
  evidence.contacts.flatMap((contact) => [
    ...told(contact, (heard) => denied(evidence, heard), 'warning'),
    ...told(contact, uncalledFor, 'info'),
  ]);

const WHAT = {
  warning: 'gives addresses of name servers outside of it that their own zones do not have',
  info: 'sends records from outside of it that have nothing to do with the question',
} as const;

function told(
  { zone, server, heard }: Contact,
  select: (heard: Heard) => readonly ResourceRecord[],
  severity: keyof typeof WHAT,
): readonly Draft[] {
  const sending = heard.filter((one) => select(one).length > 0);
  if (sending.length === 0) return [];
  const owners = [...new Set(sending.flatMap(select).map(({ name }) => plain(name)))];
  const message = `${named(server)}, asked for ${plain(zone)}, ${WHAT[severity]} (${listed(owners)}); they were ignored: let it serve its own zones only.`;
  return [{ zone, server, severity, message, proof: sending.map(({ exchanged }) => exchanged) }];
}

/** A SOA from elsewhere has a code of its own, and so have replies of no use. */
function uncalledFor(heard: Heard): readonly ResourceRecord[] {
  const { exchanged, meaning } = heard;
  const { outcome } = exchanged;
  if (outcome.kind !== 'reply' || meaning.kind === 'lame' || meaning.kind === 'error') return [];
  const { answer, authority, additional } = outcome;
  const isAliased = answer.some(({ type }) => type === 'CNAME' || type === 'DNAME');
  const main = isAliased ? [] : [...answer, ...authority.filter(({ type }) => type !== 'SOA')];
  const isMentioned = (name: Name) =>
    [...answer, ...authority].some(({ data }) => data.split(' ').includes(name));
  const beside = additional.filter((record) => isOutside(record, heard) && !isMentioned(record.name));
  return [...main.filter((record) => isOutside(record, heard)), ...beside];
}

/** Addresses that came with a referral, and that no server of the name's own zone gives. */
function denied({ byName }: Evidence, heard: Heard): readonly ResourceRecord[] {
  const { exchanged, meaning } = heard;
  if (exchanged.outcome.kind !== 'reply' || meaning.kind !== 'referral') return [];
  const names = new Set(meaning.delegation.nameservers.map(({ name }) => name));
  return exchanged.outcome.additional.filter((record) => {
    const address = addressIn(record);
    if (address === undefined || !names.has(record.name) || !isOutside(record, heard)) return false;
    const said = (byName.get(record.name) ?? []).filter(
      (one) =>
        one.exchanged.question.type === record.type && (one.meaning.kind === 'answer' || isNegative(one)),
    );
    return said.length > 0 && !said.some((one) => gives(one, address));
  });
}

function isOutside(record: ResourceRecord, { zone }: Heard): boolean {
  return record.class === undefined && !isAtOrBelow(record.name, zone);
}

function gives({ meaning }: Heard, address: string): boolean {
  return meaning.kind === 'answer' && meaning.records.some((record) => addressIn(record) === address);
}
