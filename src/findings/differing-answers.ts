/* Checks whether the servers of a zone give different answers, and tells such servers from those that rotate theirs. */

import type { Name } from '../dns/name.ts';
import { comparableData } from '../dns/record.ts';
import { grouped, listed } from '../document/words/lists.ts';
import { asked, dataText, plain, withAddress } from '../document/words/names.ts';
import { count } from '../document/words/quantities.ts';
import type { RotatingQuestion } from '../evaluate/varying-answers.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import type { DataServer } from '../explore/rotation.ts';
import { oneVersion } from './answers.ts';
import { type Checks, type Draft, onlyServerOf, returnWords } from './check.ts';
import {
  contentOf,
  type Evidence,
  exchangesOf,
  type Observation,
  type ReplyContent,
  type ReplySet,
  replySetKey,
} from './evidence.ts';
import { mayDiffer } from './outcomes.ts';

/** Do servers give different answers, or rotate the same ones? */
export const DIFFERENCE_CHECKS = {
  ANSWERS_DIFFER: answersDiffer,
  ANSWERS_ROTATE: answersRotate,
} satisfies Checks;

/**
 * ANSWERS_DIFFER: servers of one zone give different RRsets for one question; an empty one (NODATA)
 * counts. For ANY each server may choose what to send (RFC 8482). Servers that rotate their answers agree
 * (svc-model(7), ANSWERS THAT VARY).
 */
function answersDiffer(evidence: Evidence): readonly Draft[] {
  return [...evidence.replySets.values()].flatMap((replySet): readonly Draft[] => {
    if (replySet.question.type === 'ANY' || mayDiffer(replySet, evidence)) return [];
    const repeated = repeatedIn(evidence, replySet);
    const rotating = repeated.find(({ members }) => members.size > 0);
    const several = repeated.flatMap((one) => severalVersions(one, replySet, evidence));
    const differing =
      rotating === undefined
        ? differingAnswers(replySet, repeated, evidence)
        : outsideRotation(rotating, replySet, evidence);
    return [...several, ...differing];
  });
}

/** What repeats tell of this question: more than one row only if delegations of the zone have no address in common. */
function repeatedIn({ evaluation }: Evidence, replySet: ReplySet): readonly RotatingQuestion[] {
  const key = replySetKey(replySet);
  return evaluation.varying.repeated.filter((one) => replySetKey(one) === key);
}

type Said = ReplyContent & { readonly observed: Observation };

function saidIn({ observed }: ReplySet): readonly Said[] {
  return observed.flatMap((one) => {
    const content = contentOf(one);
    return content === undefined ? [] : [{ ...content, observed: one }];
  });
}

function differingAnswers(
  replySet: ReplySet,
  repeated: readonly RotatingQuestion[],
  evidence: Evidence,
): readonly Draft[] {
  const { zone, question } = replySet;
  const several = repeated.flatMap((one) => one.severalVersions.map(({ address }) => address));
  const said = saidIn(replySet).filter(({ observed }) => !several.includes(observed.server.address));
  const sides = sidesIn(said);
  const [most, ...others] = sides;
  if (most === undefined || others.length === 0) return [];
  const isMajority = serversOf([most]).size > serversOf(others).size;
  const problem = isMajority
    ? `Most servers of ${plain(zone)} return ${wordsOf(most[0])} for ${asked(question)}, but ${sidesWords(others)}`
    : `The servers of ${plain(zone)} disagree on ${asked(question)}: ${sidesWords(sides)}`;
  const proof = exchangesOf(said.map(({ observed }) => observed));
  const same = new Set(repeated.flatMap((one) => [...one.oneVersion]));
  if (said.every(({ observed }) => same.has(observed.server.address)))
    return [
      { zone, severity: 'warning', problem: `${problem}. ${ONE_SERIAL}`, advice: ADVICE_IF_MEANT, proof },
    ];
  const rotation = repeated.length === 0 && sides.every(hasContent) ? 'possible' : 'ruled-out';
  return [
    {
      zone,
      ...(isMajority && onlyServerOf(others.flat().map(({ observed }) => observed))),
      problem,
      advice: oneVersion(evidence, zone, rotation),
      proof,
    },
  ];
}

function hasContent([{ alias, data = [] }]: Side): boolean {
  return alias !== undefined || data.length > 0;
}

/** Servers that give one answer. */
type Side = readonly [Said, ...Said[]];

/** The different answers, those of most servers first. Aliases differ whatever is behind them. */
function sidesIn(said: readonly Said[]): readonly Side[] {
  const byAlias = grouped(said, ({ alias }) => alias ?? '-');
  const withData = said.filter(({ data }) => data !== undefined);
  const sides = byAlias.length > 1 ? byAlias : grouped(withData, ({ data = [] }) => data.join('\n'));
  return [...sides].sort((a, b) => serversOf([b]).size - serversOf([a]).size);
}

function serversOf(sides: readonly Side[]): ReadonlySet<Name> {
  return new Set(sides.flat().map(({ observed: { server } }) => server.name));
}

/** "ns1.example (192.0.2.1) returns 192.0.2.80; ns2.example (192.0.2.2) returns NODATA; 2 more answers" */
function sidesWords(sides: readonly Side[]): string {
  const words = sides.map((side) => {
    return `${returnWords(side.map(({ observed }) => observed))} ${wordsOf(side[0])}`;
  });
  if (words.length <= MOST_SIDES + 1) return words.join('; ');
  return [...words.slice(0, MOST_SIDES), `${words.length - MOST_SIDES} more answers`].join('; ');
}

/** The number of different answers in a sentence. */
const MOST_SIDES = 3;

const ONE_SERIAL =
  'All servers return the same SOA serial, so each server computes its own answer, or the zone was changed without a new serial';

const ADVICE_IF_MEANT =
  'If each server is meant to give its own answer, nothing needs repair; else raise the serial and transfer the zone again';

/** A server that neither rotates its answer as the others do nor gives a part of theirs. */
function outsideRotation(
  rotating: RotatingQuestion,
  replySet: ReplySet,
  evidence: Evidence,
): readonly Draft[] {
  const { zone, question } = replySet;
  const outside = saidIn(replySet).filter(({ observed: { server } }) => {
    const isSeveral = rotating.severalVersions.some(({ address }) => address === server.address);
    return !isSeveral && !rotating.members.has(server.address);
  });
  return outside.map((one): Draft => {
    const { server, exchanged } = one.observed;
    const others = `while others rotate over ${poolWords(rotating)}`;
    const problem = `For ${asked(question)}, ${withAddress(server)} returns ${wordsOf(one)}, ${others}`;
    const proof = [exchanged, ...repliesOf(rotating, server.address)];
    return rotating.oneVersion.has(server.address)
      ? {
          zone,
          server,
          severity: 'warning',
          problem: `${problem}. ${SAME_SERIAL}`,
          advice: ADVICE_IF_MEANT,
          proof,
        }
      : { zone, server, severity: 'error', problem, advice: oneVersion(evidence, zone, 'ruled-out'), proof };
  });
}

const SAME_SERIAL =
  'It has the same SOA serial as others, so it computes its own answer, or the zone was changed without a new serial';

function repliesOf({ servers, members }: RotatingQuestion, address: string): readonly Exchanged[] {
  const shown = servers.filter((server) => server.address === address || members.has(server.address));
  return shown.flatMap(({ replies, versions }) =>
    [...replies, ...versions].map(({ exchanged }) => exchanged),
  );
}

/** Its answer depends on the machine that replies, so it is a fault whichever of them replied first. */
function severalVersions(
  { severalVersions }: RotatingQuestion,
  { zone, question, observed }: ReplySet,
  evidence: Evidence,
): readonly Draft[] {
  return severalVersions.flatMap((held): readonly Draft[] => {
    const server = observed.find((one) => one.server.address === held.address)?.server;
    if (server === undefined) return [];
    const proof = [...held.replies, ...held.versions].map(({ exchanged }) => exchanged);
    const problem = `${withAddress(server)} has machines with different versions: for ${asked(question)} they return ${listed(wordsAt(held))} by turns`;
    return [
      {
        zone,
        server,
        severity: 'error',
        problem,
        advice: oneVersion(evidence, zone, 'ruled-out'),
        proof,
      },
    ];
  });
}

function wordsAt({ replies }: DataServer): readonly string[] {
  const words = replies.map(({ kind, data }) => {
    if (kind !== 'data') return 'no data';
    const each = [...data.values()].map((datum) =>
      datum.kind === 'alias' ? `an alias of ${plain(datum.target)}` : comparableData(datum.record),
    );
    return dataText([...each].sort());
  });
  return [...new Set(words)];
}

function wordsOf({ alias, data }: ReplyContent): string {
  if (alias !== undefined) return `an alias of ${plain(alias)}`;
  return data === undefined || data.length === 0 ? 'NODATA' : dataText(data);
}

/** ANSWERS_ROTATE: servers of a zone vary their answers by themselves. */
function answersRotate({ evaluation }: Evidence): readonly Draft[] {
  const rotating = evaluation.varying.repeated.filter(({ members }) => members.size > 0);
  return grouped(rotating, ({ zone }) => zone).map((questions): Draft => {
    const [{ zone }] = questions;
    const words = questions.map((one) => `for ${asked(one.question)} over ${poolWords(one)}`);
    const proof = questions.flatMap(({ servers, members }) =>
      servers.filter(({ address }) => members.has(address)).flatMap(({ replies }) => replies),
    );
    return {
      zone,
      problem: `The servers of ${plain(zone)} rotate their answers: ${listed(words)}`,
      advice: 'Nothing needs repair: this is usual where load is balanced',
      proof: proof.map(({ exchanged }) => exchanged),
    };
  });
}

/** "16 records that were seen (192.0.2.1, 192.0.2.2 and 14 more)" */
function poolWords({ records, targets }: RotatingQuestion): string {
  const data =
    records.length === 0
      ? []
      : [`${count(records.length, 'record')} (${dataText(records.map(comparableData))})`];
  const aliases = targets.length === 0 ? [] : [`aliases of ${listed(targets.map(plain))}`];
  return listed([...data, ...aliases]);
}
