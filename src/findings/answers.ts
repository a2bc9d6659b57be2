/* Checks whether what servers say is consistent and well formed. */

import { isAtOrBelow, type Name } from '../dns/name.ts';
import { listed } from '../document/words/lists.ts';
import { asked, plain, withAddress } from '../document/words/names.ts';
import type { PickedServer } from '../evaluate/end.ts';
import { meaningFor } from '../explore/classify.ts';
import {
  atServer,
  type Checks,
  type Draft,
  either,
  onlyServerOf,
  returnWords,
  serverWords,
} from './check.ts';
import {
  askedExchanges,
  contactAsked,
  type Evidence,
  exchangesOf,
  hasFlag,
  isFinal,
  isNegative,
  type Observation,
  soasOf,
} from './evidence.ts';
import { existenceReplies } from './existence.ts';
import { faultScope } from './fault-scope.ts';
import { serveOrRemove } from './host-addresses.ts';
import { mayDiffer } from './outcomes.ts';
import { mismatchAdvice } from './zones/ns-set-checks.ts';
import { haveTwoProviders, mismatchesIn } from './zones/ns-sets.ts';
import { outdatedServersIn, primariesBehindIn } from './zones/versions.ts';

/** Is what servers say consistent, and well formed? */
export const ANSWER_CHECKS = {
  EXISTENCE_DIFFERS: existenceDiffers,
  SOA_SERIAL_DIFFERS: serialDiffers,
  SOA_SERIAL_LOWERED: serialLowered,
  SOA_UNANSWERED: soaUnanswered,
  // RFC 2308 5: without an SOA record a denial cannot be cached.
  NEGATIVE_WITHOUT_SOA: either(
    atServer({
      when: lacksSoa,
      problem: ({ server, zone }) => withoutSoa(server, zone),
      advice: 'Repair or update that server',
    }),
    deniesWithoutSoa,
  ),
  NEGATIVE_WRONG_SOA: atServer({
    when: (observed) => wrongOwner(observed) !== undefined,
    problem: ({ server, zone, first }) =>
      `${withAddress(server)} returns negative answers for ${plain(zone)} with the SOA record of ${plain(wrongOwner(first) ?? zone)}`,
    advice: serveOrRemove,
  }),
} satisfies Checks;

function lacksSoa(denial: Pick<Observation, 'meaning' | 'exchanged'>): boolean {
  return isNegative(denial) && soasOf(denial).length === 0;
}

function withoutSoa(server: PickedServer, zone: Name): string {
  return `${withAddress(server)} returns negative answers for ${plain(zone)} without an SOA record, so resolvers cannot cache them and keep asking`;
}

/** The same of replies to what no path asks: to probes, and to what zones are asked about themselves. */
function deniesWithoutSoa(evidence: Evidence): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const { zone, server, replies } of existenceReplies(evidence)) {
    // Denials without the AA bit are told as such.
    const proof = replies.filter(
      (exchanged) =>
        hasFlag({ exchanged }, 'aa') && lacksSoa({ exchanged, meaning: meaningFor(exchanged, zone) }),
    );
    if (proof.length === 0) continue;
    const scope = faultScope(evidence, { zone, server }, proof);
    const problem = withoutSoa(server, zone);
    drafts.push({ zone, server, scope, problem, advice: 'Repair or update that server', proof });
  }
  return drafts;
}

/**
 * What to do about servers that differ: transfers fail, some should no longer serve the zone, two providers do, or the
 * servers rotate their answers where nobody has asked them twice.
 */
export function oneVersion(evidence: Evidence, zone: Name, rotation: 'ruled-out' | 'possible'): string {
  const mismatch = mismatchesIn(evidence).find((one) => one.zone === zone && haveTwoProviders(one));
  if (mismatch !== undefined) return mismatchAdvice(evidence, mismatch);
  return rotation === 'possible'
    ? 'Unless the servers balance load, compare their SOA serials and bring all of them to the current version of the zone'
    : 'Compare the SOA serials of the servers and bring all of them to the current version of the zone';
}

/** EXISTENCE_DIFFERS: some servers of a zone know the name, others deny that it exists. */
function existenceDiffers(evidence: Evidence): readonly Draft[] {
  return [...evidence.replySets.values()].flatMap(({ zone, question, observed }): Draft[] => {
    const denying = observed.filter(({ meaning }) => meaning.kind === 'nxdomain');
    const knowing = observed.filter(
      (one) => isFinal(one) && one.meaning.kind !== 'nxdomain' && one.meaning.kind !== 'alias-loop',
    );
    if (denying.length === 0 || knowing.length === 0) return [];
    if (mayDiffer({ zone, question }, evidence)) return [];
    const problem = `The servers of ${plain(zone)} disagree on whether ${plain(question.name)} exists: ${returnWords(denying)} NXDOMAIN, ${listed(serverWords(knowing.map(({ server }) => server)))} ${serversIn(knowing).size > 1 ? 'do' : 'does'} not`;
    const proof = exchangesOf([...denying, ...knowing]);
    return [
      {
        zone,
        ...(serversIn(denying).size < serversIn(knowing).size && onlyServerOf(denying)),
        problem,
        advice: oneVersion(evidence, zone, 'ruled-out'),
        proof,
      },
    ];
  });
}

function serversIn(observed: readonly Observation[]): ReadonlySet<Name> {
  return new Set(observed.map(({ server }) => server.name));
}

/** A version is one of the whole zone, whichever reply shows it. */
const THE_VERSION = { kind: 'everything' } as const;

/** SOA_SERIAL_DIFFERS: a server has an older version of the zone than another, as SOA records show. */
function serialDiffers(evidence: Evidence): readonly Draft[] {
  return outdatedServersIn(evidence).map(({ shown, serial, current }) => {
    const [{ zone, server }] = shown;
    return {
      zone,
      server,
      scope: THE_VERSION,
      problem: `${withAddress(server)} serves ${plain(zone)} with serial ${serial}, while ${withAddress(current.server)} serves serial ${current.soa.serial}`,
      advice: transferAdvice(server, zone, evidence),
      proof: [...shown, current].map(({ exchanged }) => exchanged),
    };
  });
}

/** SOA_SERIAL_LOWERED: the primary has the older serial, as after somebody lowered it. Secondaries refuse that (RFC 1982, RFC 2182 7). */
function serialLowered(evidence: Evidence): readonly Draft[] {
  return primariesBehindIn(evidence).map(({ shown, serial, current }) => {
    const [{ zone, server }] = shown;
    return {
      zone,
      server,
      scope: THE_VERSION,
      problem: `${withAddress(server)} is the primary of ${plain(zone)} by its SOA record, but has serial ${serial}, lower than ${current.soa.serial} at ${withAddress(current.server)}`,
      advice: `Raise the serial above ${current.soa.serial}, or make the secondaries transfer the zone anew, if it was lowered: they refuse lower serials`,
      proof: [...shown, current].map(({ exchanged }) => exchanged),
    };
  });
}

/** SOA_UNANSWERED: asked for the SOA record of a zone, a server has nothing in the answer section. */
function soaUnanswered({ recording, contacts }: Evidence): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const exchanged of [...askedExchanges(recording), ...recording.probes]) {
    const { name, type } = exchanged.question;
    const contact = type === 'SOA' ? contactAsked(exchanged, contacts) : undefined;
    if (contact?.zone !== name) continue;
    if (meaningFor(exchanged, name).kind !== 'nodata' || !hasFlag({ exchanged }, 'aa')) continue;
    drafts.push({
      zone: name,
      server: contact.server,
      problem: `${withAddress(contact.server)} replies to ${asked(exchanged.question)} without an SOA record in the answer section`,
      advice: 'Update or replace that server: secondaries and checks ask for that record',
      proof: [exchanged],
    });
  }
  return drafts;
}

/** A server that the zone itself no longer names is sent no new versions any more. */
function transferAdvice({ name }: PickedServer, zone: Name, evidence: Evidence): string {
  const mismatch = mismatchesIn(evidence).find((one) => one.zone === zone);
  return mismatch?.onlyDelegated.includes(name)
    ? 'Remove it from the delegation, as the zone itself no longer names it'
    : 'Find out why zone transfers do not reach it';
}

/** The owner of an SOA record of a zone that the name is not in, or of one above the zone asked for. */
function wrongOwner(observed: Observation): Name | undefined {
  if (!isNegative(observed)) return undefined;
  const { name } = observed.exchanged.question;
  const owners = soasOf(observed).map((soa) => soa.name);
  // A server may also have a zone below this one, and speak for that.
  const isRight = (owner: Name) => isAtOrBelow(owner, observed.zone) && isAtOrBelow(name, owner);
  return owners.some(isRight) ? undefined : owners[0];
}
