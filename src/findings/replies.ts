import type { LameReason } from '../explore/meaning.ts';
import { getOrMake } from '../get-or-make.ts';
import { listed } from '../reading/words/listed.ts';
import { asked, plain, withAddress } from '../reading/words/names.ts';
import { isAtOrBelow, isBelow } from '../wire/name.ts';
import { fitsType, type ResourceRecord } from '../wire/record.ts';
import type { Records } from '../wire/records.ts';
import { byContact, byRoughContact } from './check.ts';
import type { Evidence, Heard } from './evidence.ts';
import { hasFlag, isFinal, saidItself } from './heard.ts';
import { serveOrRemove, unlessWrong } from './host-addresses.ts';

/** NS_REFUSED: a server named in the delegation refuses the zone. */
export const refused = byRoughContact(
  (heard) => rcodeOf(heard) === 'REFUSED',
  (server, zone, _, evidence) => ({
    problem: `${withAddress(server)} refuses queries for ${plain(zone)}`,
    advice: serveOrRemove(server, zone, evidence),
  }),
);

/** NS_SERVFAIL: the server knows the zone but cannot serve it. */
export const servfail = byRoughContact(
  (heard) => rcodeOf(heard) === 'SERVFAIL',
  (server, zone, _, evidence) => ({
    problem: `${withAddress(server)} fails to answer queries for ${plain(zone)} (SERVFAIL)`,
    advice: unlessWrong(
      server,
      zone,
      evidence,
      'Check its log to find out why the zone is not loaded or has expired',
    ),
  }),
);

/** NS_FORMERR_NOTIMP: it rejects even a query without EDNS. */
export const rejectsPlainQueries = byRoughContact(
  (heard) => isRejection(rcodeOf(heard)) && heard.exchanged.tries.at(-1)?.edns === false,
  (server, zone, first) => ({
    problem: `${withAddress(server)} rejects plain queries for ${plain(zone)} with ${rcodeOf(first)}`,
    advice: 'Repair or replace that server',
  }),
);

function isRejection(rcode: string | undefined): boolean {
  return rcode === 'FORMERR' || rcode === 'NOTIMP';
}

function rcodeOf({ meaning }: Heard): string | undefined {
  return meaning.kind === 'error' ? meaning.rcode : undefined;
}

/** NS_UPWARD_REFERRAL: the server knows nothing of the zone and refers to the root or another ancestor. */
export const upwardReferral = byRoughContact(
  (heard) => isLame(heard, ['upward']),
  (server, zone, first, evidence) => ({
    problem: `${withAddress(server)} does not serve ${plain(zone)} but refers queries up to ${referredTo(first)}`,
    advice: serveOrRemove(server, zone, evidence),
  }),
);

/** NS_SIDEWAYS_REFERRAL: the server refers to the zone itself, or to one that is not on the way. */
export const sidewaysReferral = byRoughContact(
  (heard) => isLame(heard, ['self', 'sideways']),
  (server, zone, first, evidence) => ({
    problem: `${withAddress(server)} does not answer queries for ${plain(zone)} but refers them to ${referredTo(first)}`,
    advice: serveOrRemove(server, zone, evidence),
  }),
);

/** NS_EMPTY_NOERROR: NOERROR, not authoritative, and nothing in it (RFC 2308 2.2 knows no such reply). */
export const emptyReply = byRoughContact(
  (heard) => isLame(heard, ['empty']),
  (server, zone, _, evidence) => ({
    problem: `${withAddress(server)} answers queries for ${plain(zone)} with an empty message: no data, no SOA record, no referral`,
    advice: serveOrRemove(server, zone, evidence),
  }),
);

function isLame({ meaning }: Heard, reasons: readonly LameReason[]): boolean {
  return meaning.kind === 'lame' && reasons.includes(meaning.reason);
}

function referredTo({ zone, meaning }: Heard): string {
  const to = meaning.kind === 'lame' ? meaning.referredTo : undefined;
  return to === undefined || to === zone ? 'the zone itself' : plain(to);
}

/**
 * NS_NOT_AUTHORITATIVE: data or a denial without the AA bit, as from a cache or a forwarder. Names below
 * a zone cut do not count: a server has no authority over what it has delegated.
 */
export const notAuthoritative = byContact(
  (heard, evidence) => isFinal(heard) && !hasFlag(heard, 'aa') && !isBelowCut(heard, evidence),
  (server, zone, _, evidence) => ({
    problem: `${withAddress(server)} answers queries for ${plain(zone)} without authority, as a cache would`,
    advice: serveOrRemove(server, zone, evidence),
  }),
);

/** Whether the name asked is in a zone below the server's, as referrals or the reply itself show. */
function isBelowCut({ zone, exchanged }: Heard, { cuts }: Evidence): boolean {
  const { outcome, question } = exchanged;
  if (outcome.kind !== 'reply') return false;
  const owners = outcome.authority.filter(({ type }) => type === 'NS').map((record) => record.name);
  return [...owners, ...(cuts.get(zone) ?? [])].some(
    (cut) => isBelow(cut, zone) && isAtOrBelow(question.name, cut),
  );
}

/** NS_AA_ON_REFERRAL: the bit says "my own data", a referral says "somebody else's". */
export const authoritativeReferral = byContact(
  (heard) =>
    heard.meaning.kind === 'referral' && hasFlag(heard, 'aa') && saidItself(heard).kind === 'referral',
  (server, zone) => ({
    problem: `${withAddress(server)} sets the AA bit on referrals from ${plain(zone)}, though most resolvers cope with that`,
    advice: 'Update the software of that server',
  }),
);

/**
 * RDATA_MALFORMED: record data that does not fit its type. It serves as no address, name or alias
 * (RFC 3597). Records of classes other than IN are passed over, whatever they hold.
 */
export const rdataMalformed = byContact(
  (heard) => misfitsIn(heard).length > 0,
  (server, zone, first) => {
    return {
      problem: `${withAddress(server)} sends records for ${plain(zone)} whose data does not fit their type (${listed(misfitsIn(first))})`,
      advice: 'Correct those records or update that server',
    };
  },
);

/** Owner and type of such records. */
function misfitsIn({ exchanged: { outcome } }: Heard): readonly string[] {
  if (outcome.kind !== 'reply') return [];
  const { answer, authority, additional } = outcome;
  const misfits = [...misfitsOf(answer), ...misfitsOf(authority), ...misfitsOf(additional)];
  return misfits.length === 0 ? misfits : [...new Set(misfits)];
}

/** By section: servers of a zone usually refer alike, and many names can stand for one address. */
const known = new WeakMap<Records, readonly string[]>();

function misfitsOf(section: Records): readonly string[] {
  return getOrMake(known, section, () => section.filter(isMisfit).map(asked));
}

function isMisfit(record: ResourceRecord): boolean {
  return record.class === undefined && !fitsType(record);
}
