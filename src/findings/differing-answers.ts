/* Checks whether the servers of a zone give different answers, and tells such servers from those that rotate theirs. */

import { comparableData } from '../dns/record.ts';
import { firstOfEach, grouped, listed } from '../document/words/lists.ts';
import { asked, dataText, plain, withAddress } from '../document/words/names.ts';
import { count } from '../document/words/quantities.ts';
import type { RotatingQuestion } from '../evaluate/varying-answers.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import type { DataServer } from '../explore/rotation.ts';
import { oneVersion } from './answers.ts';
import type { Checks, Draft } from './check.ts';
import {
  contentOf,
  type Evidence,
  exchangesOf,
  type Observation,
  type ReplyContent,
  type ReplySet,
  replySetKey,
} from './evidence.ts';

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
    if (replySet.question.type === 'ANY') return [];
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
  const said = saidIn(replySet);
  const aliases = firstOfEach(said, ({ alias }) => alias ?? '-');
  const data = firstOfEach(
    said.filter((one) => one.data !== undefined),
    (one) => one.data?.join('\n') ?? '',
  );
  const sides = aliases.length > 1 ? aliases : data;
  if (sides.length < 2) return [];
  const { zone, question } = replySet;
  const words = sides.map((one) => `${withAddress(one.observed.server)} returns ${wordsOf(one)}`);
  const problem = `The servers of ${plain(zone)} give different answers to ${asked(question)}: ${listed(words)}`;
  const proof = exchangesOf(said.map(({ observed }) => observed));
  const same = new Set(repeated.flatMap((one) => [...one.oneVersion]));
  const isOneVersion = said.every(({ observed }) => same.has(observed.server.address));
  if (!isOneVersion) return [{ zone, problem, advice: oneVersion(evidence, zone), proof }];
  return [
    { zone, severity: 'warning', problem: `${problem}. ${ONE_SERIAL}`, advice: ADVICE_IF_MEANT, proof },
  ];
}

const ONE_SERIAL =
  'All of them show the same SOA serial, so each server computes its own answer, or the zone was changed without a new serial';

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
      : { zone, server, problem, advice: oneVersion(evidence, zone), proof };
  });
}

const SAME_SERIAL =
  'Its SOA serial is that of others, so it computes its own answer, or the zone was changed without a new serial';

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
    const problem = `Machines with different versions of ${plain(zone)} reply at the address of ${withAddress(server)}: for ${asked(question)} it returns ${listed(wordsAt(held))} by turns`;
    return [
      {
        zone,
        server,
        severity: 'error',
        problem,
        advice: oneVersion(evidence, zone),
        proof: [...proof, ...held.denials],
      },
    ];
  });
}

function wordsAt({ replies, denials }: DataServer): readonly string[] {
  const words = replies.map(({ data }) => {
    const each = [...data.values()].map((datum) =>
      datum.kind === 'alias' ? `an alias of ${plain(datum.target)}` : comparableData(datum.record),
    );
    return dataText([...each].sort());
  });
  return [...new Set([...words, ...denials.map(() => 'no data')])];
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
