import type { Exchanged } from '../exchanged.ts';
import { addressesIn, addressIn } from '../explore/addresses.ts';
import { aliasAt } from '../explore/alias-records.ts';
import { getOrMake } from '../get-or-make.ts';
import { firstOfEach, grouped } from '../reading/grouped.ts';
import { listed } from '../reading/words/listed.ts';
import { asked, dataText, plain, withAddress } from '../reading/words/names.ts';
import { isAtOrBelow, type Name } from '../wire/name.ts';
import type { ResourceRecord } from '../wire/record.ts';
import { byContact, type Check, type Draft } from './check.ts';
import type { Contact, Evidence, Heard } from './evidence.ts';
import { serveOrRemove } from './glue.ts';
import { exchangesOf, hasFlag, isNegative, soasOf } from './heard.ts';

/** Servers differ because transfers fail, or because some should no longer serve the zone. */
const ONE_VERSION =
  'Make every server serve the same version of the zone, and remove those that should not serve it from the delegation';

/**
 * ANSWERS_DIFFER: servers of one zone give different RRsets for one question; an empty one (NODATA)
 * counts. For ANY each server may choose what to send (RFC 8482).
 */
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
    const words = sides.map((one) => `${withAddress(one.heard.server)} returns ${wordsOf(one)}`);
    const problem = `The servers of ${plain(panel.zone)} give different answers to ${asked(panel.question)}: ${listed(words)}`;
    const proof = exchangesOf(said.map(({ heard }) => heard));
    return [{ zone: panel.zone, problem, advice: ONE_VERSION, proof }];
  });

/** What a reply says of the question's name: the target of its alias, and the data, if the reply gets that far. */
interface Saying {
  readonly heard: Heard;
  readonly alias: Name | undefined;
  readonly data: readonly string[] | undefined;
}

function sayingOf(heard: Heard): Saying | undefined {
  const { meaning } = heard;
  if (meaning.kind === 'alias') return { heard, alias: firstTarget(heard), data: undefined };
  if (meaning.kind === 'nodata') return { heard, alias: undefined, data: [] };
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
  if (alias !== undefined) return `an alias of ${plain(alias)}`;
  return data === undefined || data.length === 0 ? 'NODATA' : dataText(data);
}

/** EXISTENCE_DIFFERS: some servers of a zone know the name, others deny that it exists. */
export const existenceDiffers: Check = ({ panels }) =>
  [...panels.values()].flatMap((panel): Draft[] => {
    const denying = panel.heard.filter(({ meaning }) => meaning.kind === 'nxdomain');
    const knowing = panel.heard.filter(isKnowing);
    const [no, yes] = [denying[0], knowing[0]];
    if (no === undefined || yes === undefined) return [];
    const problem = `The servers of ${plain(panel.zone)} disagree on whether ${plain(panel.question.name)} exists: ${withAddress(no.server)} says that it does not, ${withAddress(yes.server)} says that it does`;
    const proof = exchangesOf([...denying, ...knowing]);
    return [{ zone: panel.zone, problem, advice: ONE_VERSION, proof }];
  });

function isKnowing({ meaning }: Heard): boolean {
  return meaning.kind === 'answer' || meaning.kind === 'alias' || meaning.kind === 'nodata';
}

/**
 * SOA_SERIAL_DIFFERS: a server has an older version of the zone than another, as the SOA records of
 * negative replies (and of answers to SOA questions) show. Serials of different primaries (MNAME) cannot
 * be compared. A server that showed both versions was just being updated.
 */
export const serialDiffers: Check = ({ contacts }) => {
  const versions = contacts.flatMap(({ zone, server, heard }) =>
    heard.flatMap((one) => versionsIn(one).map((version) => ({ ...version, zone, server }))),
  );
  return grouped(versions, ({ zone, primary }) => `${zone} ${primary}`).flatMap(laggards);
};

/** What an SOA record shows of the version of the zone that a server has. */
interface Version {
  readonly primary: string;
  readonly serial: number;
  readonly exchanged: Exchanged;
}

type VersionAt = Version & Pick<Contact, 'zone' | 'server'>;

function laggards(versions: readonly VersionAt[]): readonly Draft[] {
  const newest = versions.map(({ serial }) => serial).reduce(newer);
  const current = versions.find(({ serial }) => serial === newest);
  if (current === undefined) return [];
  return grouped(versions, ({ server }) => `${server.name} ${server.address}`)
    .filter((shown) => shown.every(({ serial }) => serial !== newest))
    .map((shown) => {
      const [{ zone, server }] = shown;
      const serial = shown.map((one) => one.serial).reduce(newer);
      return {
        zone,
        server,
        problem: `${withAddress(server)} has serial ${serial} of ${plain(zone)}, while ${withAddress(current.server)} has ${newest}`,
        advice: 'Find out why zone transfers do not reach it',
        proof: [...shown, current].map(({ exchanged }) => exchanged),
      };
    });
}

/** The later of two serials, which wrap around at 32 bits (RFC 1982 3.2). */
function newer(a: number, b: number): number {
  const ahead = (b - a) >>> 0;
  return ahead > 0 && ahead < 2 ** 31 ? b : a;
}

function versionsIn(heard: Heard): readonly Version[] {
  if (!hasFlag(heard, 'aa')) return [];
  return soasIn(heard)
    .filter(({ name }) => name === heard.zone)
    .flatMap(({ data }) => {
      // RFC 1035 3.3.13: MNAME, RNAME, SERIAL. The data of a saved result may be anything.
      const [primary = '', , serial] = data.split(' ');
      return Number.isInteger(Number(serial))
        ? [{ primary, serial: Number(serial), exchanged: heard.exchanged }]
        : [];
    });
}

function soasIn(heard: Heard): readonly ResourceRecord[] {
  if (isNegative(heard)) return soasOf(heard);
  const { meaning } = heard;
  return meaning.kind === 'answer' ? meaning.records.filter(({ type }) => type === 'SOA') : [];
}

/** NEGATIVE_WITHOUT_SOA: without an SOA record a denial cannot be cached (RFC 2308 5). */
export const negativeWithoutSoa = byContact(
  (heard) => isNegative(heard) && soasOf(heard).length === 0,
  (server, zone) => ({
    problem: `${withAddress(server)} denies names or types in ${plain(zone)} without an SOA record, so resolvers cannot cache that and keep asking`,
    advice: 'Repair or update that server',
  }),
);

/** NEGATIVE_WRONG_SOA: the SOA record is of a zone that the name is not in, or of one above the zone asked for. */
export const negativeWrongSoa = byContact(
  (heard) => wrongOwner(heard) !== undefined,
  (server, zone, first, evidence) => ({
    problem: `${withAddress(server)} denies names or types in ${plain(zone)} with the SOA record of ${plain(wrongOwner(first) ?? zone)}`,
    advice: serveOrRemove(server, zone, evidence),
  }),
);

function wrongOwner(heard: Heard): Name | undefined {
  if (!isNegative(heard)) return undefined;
  const { name } = heard.exchanged.question;
  const owners = soasOf(heard).map((soa) => soa.name);
  // A server may also have a zone below this one, and speak for that.
  const isRight = (owner: Name) => isAtOrBelow(owner, heard.zone) && isAtOrBelow(name, owner);
  return owners.some(isRight) ? undefined : owners[0];
}

/**
 * OUT_OF_ZONE_DATA: records that the server has no authority over, and that were ignored. What servers
 * of several zones usually add (RFC 1034 4.3.2) is not reported: the rest of an alias chain, addresses of
 * names in the reply. Addresses of name servers that their own zones do not have are worse (warning):
 * they can mislead a less careful resolver.
 */
export const outOfZone: Check = function* (evidence) {
  const deniedIn = ownersOnce(deniedBy(evidence));
  const uncalledIn = ownersOnce(uncalledFor);
  for (const contact of evidence.contacts) {
    yield* told(contact, deniedIn, 'warning');
    yield* told(contact, uncalledIn, 'info');
  }
};

/** The owners of the records in question, each once. */
type Owners = (heard: Heard) => ReadonlySet<Name>;

/** Many names can stand for one address: what an exchange says for a zone is looked at once. */
function ownersOnce(select: (heard: Heard) => readonly ResourceRecord[]): Owners {
  const known = new Map<Exchanged, Map<Name, ReadonlySet<Name>>>();
  return (heard) => {
    const byZone = getOrMake(known, heard.exchanged, () => new Map<Name, ReadonlySet<Name>>());
    return getOrMake(byZone, heard.zone, () => new Set(select(heard).map(({ name }) => name)));
  };
}

const WHAT = {
  warning: 'sends addresses of name servers outside it that their own zones do not have',
  info: 'sends records from outside it that have nothing to do with the question',
} as const;

function told(
  { zone, server, heard }: Contact,
  ownersIn: Owners,
  severity: keyof typeof WHAT,
): readonly Draft[] {
  const sending = heard.filter((one) => ownersIn(one).size > 0);
  const [first, ...others] = sending.map(ownersIn);
  if (first === undefined) return [];
  const owners = others.length === 0 ? first : new Set([first, ...others].flatMap((some) => [...some]));
  const problem = `${withAddress(server)}, asked about ${plain(zone)}, ${WHAT[severity]} (${listed([...owners].map(plain))}), which were ignored`;
  const advice = 'Restrict that server to its own zones';
  return [{ zone, server, severity, problem, advice, proof: exchangesOf(sending) }];
}

/** SOA records of other zones and unusable replies have codes of their own. */
function uncalledFor(heard: Heard): readonly ResourceRecord[] {
  const { exchanged, meaning } = heard;
  const { outcome } = exchanged;
  if (outcome.kind !== 'reply' || meaning.kind === 'lame' || meaning.kind === 'error') return [];
  const { answer, authority, additional } = outcome;
  const isAliased = answer.some(({ type }) => type === 'CNAME' || type === 'DNAME');
  const main = isAliased ? [] : [...answer, ...authority.filter(({ type }) => type !== 'SOA')];
  const outside = additional.filter((record) => isOutside(record, heard));
  const mentioned = outside.length === 0 ? NOTHING : wordsIn([...answer, ...authority]);
  const beside = outside.filter(({ name }) => !mentioned.has(name));
  return [...main.filter((record) => isOutside(record, heard)), ...beside];
}

const NOTHING: ReadonlySet<string> = new Set();

function wordsIn(records: readonly ResourceRecord[]): ReadonlySet<string> {
  return new Set(records.flatMap(({ data }) => data.split(' ')));
}

/** Addresses that came with a referral and that no server of the name's own zone gives. */
function deniedBy({ byName }: Evidence): (heard: Heard) => readonly ResourceRecord[] {
  const known = new Map<string, Said>();
  const saidOf = ({ name, type }: ResourceRecord) =>
    getOrMake(known, `${name} ${type}`, () => saidIn(byName.get(name) ?? [], type));
  return (heard) => {
    const { exchanged, meaning } = heard;
    if (exchanged.outcome.kind !== 'reply' || meaning.kind !== 'referral') return [];
    const names = new Set(meaning.delegation.nameservers.map(({ name }) => name));
    return exchanged.outcome.additional.filter((record) => {
      if (!names.has(record.name) || !isOutside(record, heard)) return false;
      const said = saidOf(record);
      const address = said.kind === 'nothing' ? undefined : addressIn(record);
      return address !== undefined && !said.addresses.has(address);
    });
  };
}

/** What all final replies to a question say together, if there was one. */
interface Said {
  readonly kind: 'something' | 'nothing';
  readonly addresses: ReadonlySet<string>;
}

function saidIn(heard: readonly Heard[], type: string): Said {
  const final = heard.filter(
    (one) => one.exchanged.question.type === type && (one.meaning.kind === 'answer' || isNegative(one)),
  );
  return {
    kind: final.length === 0 ? 'nothing' : 'something',
    addresses: new Set(final.flatMap(addressesGiven)),
  };
}

function addressesGiven({ meaning }: Heard): readonly string[] {
  return meaning.kind === 'answer' ? addressesIn(meaning.records) : [];
}

function isOutside(record: ResourceRecord, { zone }: Heard): boolean {
  return record.class === undefined && !isAtOrBelow(record.name, zone);
}
