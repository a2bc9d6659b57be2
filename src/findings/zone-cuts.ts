/* Checks whether servers and the zones above agree on where a zone begins. */

import { nsecsIn } from '../dns/dnssec/denial-records.ts';
import { isAtOrBelow, isBelow, type Name } from '../dns/name.ts';
import { grouped, listed } from '../document/words/lists.ts';
import { asked, plain, withAddress } from '../document/words/names.ts';
import type { PickedServer } from '../evaluate/end.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { meaningFor } from '../explore/classify.ts';
import { type Checks, type Draft, serverWords } from './check.ts';
import { askedExchanges, contactAsked, type Evidence, hasFlag, soasOf } from './evidence.ts';

/** Is there a delegation where a zone begins, and do servers keep to it? */
export const CUT_CHECKS = {
  CUT_MISSING: cutMissing,
  ANSWER_BELOW_CUT: answerBelowCut,
} satisfies Checks;

/** What a server of a zone showed of one below. */
interface Shown {
  readonly zone: Name;
  readonly child: Name;
  readonly server: PickedServer;
  readonly exchanged: Exchanged;
}

/**
 * CUT_MISSING: servers have a zone below theirs, to which theirs has no delegation, as a reply to the DS question shows
 * (RFC 4035 3.1.4.1): the parent says that there is no such name, or no NS records at it.
 */
function cutMissing(evidence: Evidence): readonly Draft[] {
  const drafts: Draft[] = [];
  const { recording, contacts, cuts } = evidence;
  const all = [...askedExchanges(recording), ...recording.probes].flatMap((exchanged) => {
    const contact = hasFlag({ exchanged }, 'aa') ? contactAsked(exchanged, contacts) : undefined;
    return contact ? [{ zone: contact.zone, server: contact.server, exchanged }] : [];
  });
  const denials = all.filter(({ zone, exchanged }) => deniesCut(zone, exchanged));
  if (denials.length === 0) return drafts;
  const shown = all.flatMap((one): readonly Shown[] =>
    apexesIn(one.exchanged)
      .filter((apex) => isBelow(apex, one.zone) && !cuts.get(one.zone)?.has(apex))
      .map((child) => ({ ...one, child })),
  );
  for (const own of grouped(shown, ({ zone, child }) => `${zone} ${child}`)) {
    const [{ zone, child }] = own;
    const missing = denials.filter((one) => one.zone === zone && one.exchanged.question.name === child);
    if (missing.length === 0) continue;
    const servers = serverWords(own.map(({ server }) => server));
    drafts.push({
      zone,
      problem: `${plain(zone)} has no NS records for ${plain(child)}, which ${listed(servers)} ${servers.length === 1 ? 'serves' : 'serve'} as a zone of its own, so validating resolvers find no proof for its data`,
      advice: `Add NS records for ${plain(child)} to ${plain(zone)}, and DS records if it is signed, or move its records into ${plain(zone)}`,
      proof: [...missing, ...own].map(({ exchanged }) => exchanged),
    });
  }
  return drafts;
}

function deniesCut(zone: Name, exchanged: Exchanged): boolean {
  const { outcome, question } = exchanged;
  if (outcome.kind !== 'reply' || question.type !== 'DS') return false;
  const { kind } = meaningFor(exchanged, zone);
  if (!soasOf({ exchanged }).some(({ name }) => name === zone)) return false;
  const own = nsecsIn(outcome.authority).find(({ owner }) => owner === question.name);
  return kind === 'nxdomain' || (kind === 'nodata' && own !== undefined && !own.types.has('NS'));
}

/** The apexes that a reply with authority shows: of the name asked for its NS or SOA records, and of the zone that denies. */
function apexesIn(exchanged: Exchanged): readonly Name[] {
  const { outcome, question } = exchanged;
  if (outcome.kind !== 'reply' || question.type === 'DS') return [];
  const own = outcome.answer.filter(
    ({ name, type }) => name === question.name && (type === 'NS' || type === 'SOA'),
  );
  return [...new Set([...own, ...soasOf({ exchanged })].map(({ name }) => name))];
}

/** ANSWER_BELOW_CUT: a server answers for a name in a zone that it delegates to others, which its own zone has no say in. */
function answerBelowCut(evidence: Evidence): readonly Draft[] {
  const drafts: Draft[] = [];
  const { replySets, contacts } = evidence;
  for (const { zone, question, observed } of replySets.values()) {
    const delegations = observed.flatMap(({ meaning }) =>
      meaning.kind === 'referral' ? [meaning.delegation] : [],
    );
    const [delegation] = delegations;
    if (delegation === undefined) continue;
    const child = delegation.zone;
    const hosts = delegations.flatMap(({ nameservers }) => nameservers);
    const isBetween = (one: Name) => isAtOrBelow(question.name, one) && isAtOrBelow(one, child);
    const own = contacts.filter((contact) => isBetween(contact.zone)).map(({ server }) => server);
    for (const one of observed) {
      const { server, meaning, exchanged } = one;
      const isAnswer = meaning.kind === 'answer' || meaning.kind === 'alias';
      const isInChild = isAtOrBelow(question.name, child) && question.type !== 'DS';
      const isOfChild =
        own.some(({ name, address }) => name === server.name || address === server.address) ||
        hosts.some(({ name, glue }) => name === server.name || glue.includes(server.address));
      if (!isAnswer || !isInChild || isOfChild || !hasFlag(one, 'aa')) continue;
      drafts.push({
        zone,
        server,
        problem: `${withAddress(server)} answers ${asked(question)} itself, although ${plain(zone)} delegates ${plain(child)} to ${listed([...new Set(hosts.map(({ name }) => plain(name)))])}, so its users get data that may be old`,
        advice: `Remove the data of ${plain(child)} from that server, and make it serve the same version of ${plain(zone)} as the others`,
        proof: [exchanged],
      });
    }
  }
  return drafts;
}
