/* Checks whether what servers say is consistent and well formed. */

import { isAtOrBelow, type Name } from '../dns/name.ts';
import { grouped, listed } from '../document/words/lists.ts';
import { asked, dataText, plain, withAddress } from '../document/words/names.ts';
import type { PickedServer } from '../evaluate/end.ts';
import { atServer, type Checks, type Draft, serverWords } from './check.ts';
import {
  contentOf,
  type Evidence,
  exchangesOf,
  isNegative,
  type Observation,
  type ReplyContent,
  type ReplySet,
  soasOf,
} from './evidence.ts';
import { serveOrRemove, unlessWrong } from './host-addresses.ts';
import { mismatchAdvice } from './zones/ns-set-checks.ts';
import { haveTwoProviders, mismatchesIn } from './zones/ns-sets.ts';
import { outdatedServersIn } from './zones/versions.ts';

/** Is what servers say consistent, and well formed? */
export const ANSWER_CHECKS = {
  ANSWERS_DIFFER: answersDiffer,
  EXISTENCE_DIFFERS: existenceDiffers,
  SOA_SERIAL_DIFFERS: serialDiffers,
  // RFC 2308 5: without an SOA record a denial cannot be cached.
  NEGATIVE_WITHOUT_SOA: atServer({
    when: (observed) => isNegative(observed) && soasOf(observed).length === 0,
    problem: ({ server, zone }) =>
      `${withAddress(server)} returns negative answers for ${plain(zone)} without an SOA record, so resolvers cannot cache them and keep asking`,
    advice: 'Repair or update that server',
  }),
  NEGATIVE_WRONG_SOA: atServer({
    when: (observed) => wrongOwner(observed) !== undefined,
    problem: ({ server, zone, first }) =>
      `${withAddress(server)} returns negative answers for ${plain(zone)} with the SOA record of ${plain(wrongOwner(first) ?? zone)}`,
    advice: serveOrRemove,
  }),
} satisfies Checks;

/** Servers differ because transfers fail, because some should no longer serve the zone, or because two providers do. */
function oneVersion(evidence: Evidence, zone: Name): string {
  return (
    choiceOfProvider(evidence, zone) ??
    'Compare the SOA serials of the servers and bring all of them to the current version of the zone'
  );
}

function choiceOfProvider(evidence: Evidence, zone: Name): string | undefined {
  const mismatch = mismatchesIn(evidence).find((one) => one.zone === zone && haveTwoProviders(one));
  return mismatch && mismatchAdvice(evidence, mismatch);
}

/** Data that a server computes for each query are no old version. */
function oneVersionUnlessMeant(evidence: Evidence, zone: Name, sides: readonly Side[]): string {
  const mayBeMeant = sides.every(({ alias, data = [] }) => alias !== undefined || data.length > 0);
  if (!mayBeMeant) return oneVersion(evidence, zone);
  return (
    choiceOfProvider(evidence, zone) ??
    'Unless the servers balance load, compare their SOA serials and bring all of them to the current version of the zone'
  );
}

/** An answer, and the servers that give it. */
interface Side extends ReplyContent {
  readonly observed: readonly [Observation, ...Observation[]];
}

/**
 * ANSWERS_DIFFER: servers of one zone give different RRsets for one question; an empty one (NODATA)
 * counts. For ANY each server may choose what to send (RFC 8482).
 */
function answersDiffer(evidence: Evidence): readonly Draft[] {
  return [...evidence.replySets.values()].flatMap((replySet): Draft[] => {
    if (replySet.question.type === 'ANY') return [];
    const { zone } = replySet;
    const sides = sidesIn(replySet);
    if (sides.length < 2) return [];
    const [most, ...others] = sides;
    const question = asked(replySet.question);
    const usual = most !== undefined && isMajority(most, others) ? most : undefined;
    const problem =
      usual === undefined
        ? `The servers of ${plain(zone)} disagree on ${question}: ${sidesWords(sides)}`
        : `Most servers of ${plain(zone)} return ${wordsOf(usual)} for ${question}, but ${sidesWords(others)}`;
    const advice = oneVersionUnlessMeant(evidence, zone, sides);
    const proof = exchangesOf(replySet.observed.filter((one) => contentOf(one) !== undefined));
    return [{ zone, ...blamed(usual === undefined ? [] : others), problem, advice, proof }];
  });
}

/** The different answers, those of most servers first. Aliases differ whatever is behind them. */
function sidesIn({ observed }: ReplySet): readonly Side[] {
  const said = observed.flatMap((one) => {
    const content = contentOf(one);
    return content === undefined ? [] : [{ ...content, observed: one }];
  });
  const byAlias = grouped(said, ({ alias }) => alias ?? '-');
  const withData = said.filter(({ data }) => data !== undefined);
  const groups = byAlias.length > 1 ? byAlias : grouped(withData, ({ data = [] }) => data.join('\n'));
  const sides = groups.map((alike): Side => {
    const [{ alias, data, observed: first }, ...others] = alike;
    return { alias, data, observed: [first, ...others.map((one) => one.observed)] };
  });
  return sides.sort((a, b) => serversOf([b]).size - serversOf([a]).size);
}

/** Whether more servers give this answer than any of the others. */
function isMajority(side: Side, others: readonly Side[]): boolean {
  return serversOf([side]).size > serversOf(others).size;
}

function serversOf(sides: readonly Side[]): ReadonlySet<Name> {
  return new Set(sides.flatMap(({ observed }) => observed.map(({ server }) => server.name)));
}

/** The only server that differs from the majority, as far as it is one. */
function blamed(others: readonly Side[]): Pick<Draft, 'server'> {
  const [first, ...more] = others.flatMap(({ observed }) => observed);
  if (first === undefined || more.some(({ server }) => server.name !== first.server.name)) return {};
  return { server: more.length === 0 ? first.server : { name: first.server.name } };
}

/** "ns1.example (192.0.2.1) returns 192.0.2.80; ns2.example (192.0.2.2) returns NODATA; 2 more answers" */
function sidesWords(sides: readonly Side[]): string {
  const words = sides.map((side) => `${saying(side.observed)} ${wordsOf(side)}`);
  const more = words.length > MOST_SIDES + 1 ? [`${words.length - MOST_SIDES} more answers`] : [];
  return [...words.slice(0, more.length > 0 ? MOST_SIDES : words.length), ...more].join('; ');
}

/** The number of different answers in a sentence. */
const MOST_SIDES = 3;

/** "ns1.example (192.0.2.1) returns", "ns1.example (192.0.2.1) and ns2.example (192.0.2.2) return" */
function saying(observed: readonly Observation[]): string {
  const servers = serverWords(observed.map(({ server }) => server));
  return `${listed(servers)} ${servers.length === 1 ? 'returns' : 'return'}`;
}

function wordsOf({ alias, data }: ReplyContent): string {
  if (alias !== undefined) return `an alias of ${plain(alias)}`;
  return data === undefined || data.length === 0 ? 'NODATA' : dataText(data);
}

/** EXISTENCE_DIFFERS: some servers of a zone know the name, others deny that it exists. */
function existenceDiffers(evidence: Evidence): readonly Draft[] {
  return [...evidence.replySets.values()].flatMap(({ zone, question, observed }): Draft[] => {
    const denying = observed.filter(({ meaning }) => meaning.kind === 'nxdomain');
    const knowing = observed.filter(isKnowing);
    if (denying.length === 0 || knowing.length === 0) return [];
    const problem = `The servers of ${plain(zone)} disagree on whether ${plain(question.name)} exists: ${saying(denying)} NXDOMAIN, ${listed(serverWords(knowing.map(({ server }) => server)))} ${areSeveral(knowing) ? 'do' : 'does'} not`;
    const proof = exchangesOf([...denying, ...knowing]);
    return [{ zone, problem, advice: oneVersion(evidence, zone), proof }];
  });
}

function areSeveral(observed: readonly Observation[]): boolean {
  return new Set(observed.map(({ server }) => server.name)).size > 1;
}

function isKnowing({ meaning }: Observation): boolean {
  return meaning.kind === 'answer' || meaning.kind === 'alias' || meaning.kind === 'nodata';
}

/** SOA_SERIAL_DIFFERS: a server has an older version of the zone than another, as SOA records show. */
function serialDiffers(evidence: Evidence): readonly Draft[] {
  return outdatedServersIn(evidence).map(({ shown, serial, current }) => {
    const [{ zone, server }] = shown;
    return {
      zone,
      server,
      problem: `${withAddress(server)} serves ${plain(zone)} with serial ${serial}, while ${withAddress(current.server)} serves serial ${current.soa.serial}`,
      advice: unlessWrong({ server, zone, evidence }, transferAdvice(server, zone, evidence)),
      proof: [...shown, current].map(({ exchanged }) => exchanged),
    };
  });
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
