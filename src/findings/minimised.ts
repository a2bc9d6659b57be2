/* Checks whether users of resolvers that minimise names (RFC 9156) fail because of that. */

import { getOrMake } from '../base/memo.ts';
import { type Question, questionKey } from '../dns/message.ts';
import type { Name } from '../dns/name.ts';
import { listed } from '../document/words/lists.ts';
import { unhelpfulWords } from '../document/words/minimised-words.ts';
import { plain } from '../document/words/names.ts';
import { addressesOf } from '../evaluate/addresses-to-pick.ts';
import type { Outcome } from '../evaluate/distribution.ts';
import { causeOf, type End } from '../evaluate/end.ts';
import { type Evaluation, outcomesIn } from '../evaluate/evaluate.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { meaningFor } from '../explore/classify.ts';
import { isFailure } from '../explore/meaning.ts';
import { PROFILE_NAMES, PROFILES, type ProfileName, productName } from '../explore/profiles/profiles.ts';
import type { Checks, Draft } from './check.ts';
import type { Evidence } from './evidence.ts';

/** Do users fail because their resolvers minimise names? */
export const MINIMISED_CHECKS = { MINIMISED_FAILS: minimisedFails } satisfies Checks;

/** MINIMISED_FAILS: look-ups end at a minimised question. */
function* minimisedFails({ recording, evaluation, mainSteps }: Evidence): Iterable<Draft> {
  const whole = new Set([...mainSteps].map(({ question }) => questionKey(question)));
  for (const { zone, question, users, isUsual } of failuresIn(evaluation)) {
    if (whole.has(questionKey(question))) continue;
    const unhelpful = [...recording.exchanges.values()].filter((one) => {
      return questionKey(one.question) === questionKey(question) && isFailure(meaningFor(one, zone));
    });
    const servers = serversIn(mainSteps, zone);
    const does = unhelpfulWords(
      question,
      unhelpful.map((one) => ({ names: servers.get(one.address) ?? [], how: howIn(one, zone) })),
    );
    if (does === '') continue;
    const [only, ...others] = unhelpful;
    const name = only === undefined ? undefined : servers.get(only.address)?.[0];
    yield {
      zone,
      ...(only !== undefined &&
        name !== undefined &&
        others.length === 0 && { server: { name, address: only.address } }),
      problem: `${does}, so users of ${listed(users, users.length)} cannot look up names below ${plain(question.name)}`,
      advice: `Repair or replace the servers, or the firewall or load balancer in front of them: they must reply to questions of every type for ${plain(question.name)}, with data or NODATA`,
      proof: unhelpful,
      ...(!isUsual && { severity: 'notice' }),
    };
  }
}

/** A question at which look-ups of some products end in nothing. */
interface FailingQuestion {
  readonly zone: Name;
  readonly question: Question;
  /** What their users have: products at their defaults; where there are none, profiles by their own names. */
  readonly users: readonly string[];
  readonly isUsual: boolean;
}

function failuresIn(evaluation: Evaluation): Iterable<FailingQuestion> {
  const failing = new Map<string, { readonly end: End; readonly names: ProfileName[] }>();
  for (const name of PROFILE_NAMES) {
    const given = outcomesIn(evaluation, name)
      .map(({ end }) => causeOf(end))
      .filter(isGivenUp);
    for (const [key, end] of new Map(given.map(placed)))
      getOrMake(failing, key, () => ({ end, names: [] })).names.push(name);
  }
  return [...failing.values()].map(({ end: { zone, question }, names }) => {
    const usual = names.filter((name) => PROFILES[name].standing === 'default');
    const users = usual.length === 0 ? names : usual.map((name) => PROFILES[name].product);
    return { zone, question, users, isUsual: usual.length > 0 };
  });
}

function isGivenUp({ kind, server }: End): boolean {
  return kind === 'servfail' && server === null;
}

function placed(end: End): readonly [string, End] {
  return [`${end.zone} ${questionKey(end.question)}`, end];
}

/** By address: the names of a zone's servers on the main walk. */
function serversIn(mainSteps: Evidence['mainSteps'], zone: Name): ReadonlyMap<string, readonly Name[]> {
  const names = new Map<string, Name[]>();
  for (const { delegation, servers } of mainSteps) {
    if (delegation.zone !== zone) continue;
    for (const server of servers) {
      for (const address of server.visits.keys()) {
        const known = getOrMake(names, address, (): Name[] => []);
        if (!known.includes(server.name) && hasAddress(server, address)) known.push(server.name);
      }
    }
  }
  return names;
}

function hasAddress(server: Parameters<typeof addressesOf>[0], address: string): boolean {
  return addressesOf(server).includes(address);
}

function howIn(exchanged: Exchanged, zone: Name): string {
  const meaning = meaningFor(exchanged, zone);
  return meaning.kind === 'error' ? meaning.rcode : meaning.kind;
}

/** Products, and settings of products, whose users get NXDOMAIN because a name above theirs is denied. */
export function deniedBelow(evaluation: Evaluation, name: Name): readonly string[] {
  const isDenied = ({ end }: Outcome) => end.kind === 'nxdomain' && end.question.name === name;
  return PROFILE_NAMES.filter((profile) => outcomesIn(evaluation, profile).some(isDenied)).map(productName);
}
