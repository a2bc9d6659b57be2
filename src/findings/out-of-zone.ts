import { getOrMake } from '../base/memo.ts';
import { isAtOrBelow, type Name } from '../dns/name.ts';
import type { Records, ResourceRecord } from '../dns/record.ts';
import { listed } from '../document/words/lists.ts';
import { plain, withAddress } from '../document/words/names.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { addressesIn, addressIn } from '../explore/addresses.ts';
import type { Draft } from './check.ts';
import { type Contact, type Evidence, exchangesOf, isNegative, type Observation } from './evidence.ts';

/**
 * OUT_OF_ZONE_DATA: records that the server has no authority over, and that were ignored. What servers
 * of several zones usually add (RFC 1034 4.3.2) is not reported: the rest of an alias chain, addresses of
 * names in the reply. Addresses of name servers that their own zones do not have are worse (warning):
 * they can mislead a less careful resolver.
 */
export function outOfZone(evidence: Evidence): readonly Draft[] {
  const drafts: Draft[] = [];
  const outside = outsideOnce();
  const deniedIn = ownersOnce(deniedBy(evidence, outside));
  const uncalledIn = ownersOnce((observed) => uncalledFor(observed, outside));
  for (const contact of evidence.contacts) {
    if (contact.observed.every((observed) => isInside(observed, outside))) continue;
    drafts.push(...draftsOf(contact, deniedIn, 'warning'));
    drafts.push(...draftsOf(contact, uncalledIn, 'info'));
  }
  return drafts;
}

/** The owners of the records in question, each once. */
type Owners = (observed: Observation) => ReadonlySet<Name>;

/** Many names can stand for one address: what an exchange says for a zone is looked at once. */
function ownersOnce(select: (observed: Observation) => readonly ResourceRecord[]): Owners {
  const known = new Map<Exchanged, Map<Name, ReadonlySet<Name>>>();
  return (observed) => {
    const byZone = getOrMake(known, observed.exchanged, () => new Map<Name, ReadonlySet<Name>>());
    return getOrMake(byZone, observed.zone, () => ownersOf(select(observed)));
  };
}

function ownersOf(records: readonly ResourceRecord[]): ReadonlySet<Name> {
  return records.length === 0 ? NOTHING : new Set(records.map(({ name }) => name));
}

const WHAT = {
  warning: 'adds addresses of name servers outside that zone, which their own zones do not have',
  info: 'adds records from outside that zone, which have nothing to do with the question',
} as const;

function draftsOf(
  { zone, server, observed }: Contact,
  ownersIn: Owners,
  severity: keyof typeof WHAT,
): readonly Draft[] {
  const sending = observed.filter((one) => ownersIn(one).size > 0);
  const [first, ...others] = sending.map(ownersIn);
  if (first === undefined) return [];
  const owners = others.length === 0 ? first : new Set([first, ...others].flatMap((some) => [...some]));
  const problem = `${withAddress(server)}, asked about ${plain(zone)}, ${WHAT[severity]} (${listed([...owners].map(plain))}; all ignored)`;
  const advice = 'Restrict that server to its own zones';
  return [{ zone, server, severity, problem, advice, proof: exchangesOf(sending) }];
}

/** SOA records of other zones and unusable replies have codes of their own. */
function uncalledFor(
  { zone, exchanged: { outcome }, meaning }: Observation,
  outside: OutsideIn,
): readonly ResourceRecord[] {
  if (outcome.kind !== 'reply' || meaning.kind === 'lame' || meaning.kind === 'error') return [];
  const { answer, authority, additional } = outcome;
  const isAliased = answer.some(({ type }) => type === 'CNAME' || type === 'DNAME');
  const main = isAliased
    ? []
    : [...outside(answer, zone), ...outside(authority, zone).filter(({ type }) => type !== 'SOA')];
  const added = outside(additional, zone);
  if (added.length === 0) return main;
  const mentioned = wordsIn([...answer, ...authority]);
  return [...main, ...added.filter(({ name }) => !mentioned.has(name))];
}

const NOTHING: ReadonlySet<never> = new Set();

function wordsIn(records: readonly ResourceRecord[]): ReadonlySet<string> {
  return new Set(records.flatMap(({ data }) => data.split(' ')));
}

/** Addresses that came with a referral and that no server of the name's own zone gives. */
function deniedBy(
  { byName }: Evidence,
  outside: OutsideIn,
): (observed: Observation) => readonly ResourceRecord[] {
  const known = new Map<string, Said>();
  const saidOf = ({ name, type }: ResourceRecord) =>
    getOrMake(known, `${name} ${type}`, () => saidIn(byName.get(name) ?? [], type));
  return ({ zone, exchanged: { outcome }, meaning }) => {
    if (outcome.kind !== 'reply' || meaning.kind !== 'referral') return [];
    const added = outside(outcome.additional, zone);
    if (added.length === 0) return [];
    const names = new Set(meaning.delegation.nameservers.map(({ name }) => name));
    return added.filter((record) => {
      if (!names.has(record.name)) return false;
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

function saidIn(observed: readonly Observation[], type: string): Said {
  const final = observed.filter(
    (one) => one.exchanged.question.type === type && (one.meaning.kind === 'answer' || isNegative(one)),
  );
  return {
    kind: final.length === 0 ? 'nothing' : 'something',
    addresses: new Set(final.flatMap(addressesGiven)),
  };
}

function addressesGiven({ meaning }: Observation): readonly string[] {
  return meaning.kind === 'answer' ? addressesIn(meaning.records) : [];
}

/** The records of a section that are outside a zone. */
type OutsideIn = (section: Records, zone: Name) => Records;

/** The servers of a zone usually refer alike, in many exchanges: a section that they have in common is looked at once. */
function outsideOnce(): OutsideIn {
  const known = new Map<Records, Map<Name, Records>>();
  return (section, zone) => {
    const byZone = getOrMake(known, section, () => new Map<Name, Records>());
    return getOrMake(byZone, zone, () => section.filter((record) => isOutside(record, zone)));
  };
}

/** Whether a reply, if there is one, has no record from outside the zone. */
function isInside({ zone, exchanged: { outcome } }: Observation, outside: OutsideIn): boolean {
  if (outcome.kind !== 'reply') return true;
  const { answer, authority, additional } = outcome;
  return [answer, authority, additional].every((section) => outside(section, zone).length === 0);
}

function isOutside(record: ResourceRecord, zone: Name): boolean {
  return record.class === undefined && !isAtOrBelow(record.name, zone);
}
