/* Checks whether users of resolvers that minimise names (RFC 9156) fail because of that. */

import { getOrMake } from '../base/memo.ts';
import { type Question, questionKey } from '../dns/message.ts';
import type { Name } from '../dns/name.ts';
import { listed } from '../document/words/lists.ts';
import { unhelpfulWords } from '../document/words/minimised-words.ts';
import { plain } from '../document/words/names.ts';
import type { Outcome } from '../evaluate/distribution.ts';
import { causeOf, type End } from '../evaluate/end.ts';
import { type Evaluation, outcomesIn } from '../evaluate/evaluate.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { meaningFor } from '../explore/classify.ts';
import { isFailure } from '../explore/meaning.ts';
import { PROFILE_NAMES, PROFILES, type ProfileName, settingName } from '../explore/profiles/profiles.ts';
import type { Checks, Draft } from './check.ts';
import type { Evidence } from './evidence.ts';
import { answersSomething } from './fault-scope.ts';

/** Do users fail because their resolvers minimise names? */
export const MINIMISED_CHECKS = { MINIMISED_FAILS: minimisedFails } satisfies Checks;

/** MINIMISED_FAILS: look-ups end at a minimised question. */
function minimisedFails(evidence: Evidence): readonly Draft[] {
  const drafts: Draft[] = [];
  const { recording, evaluation, mainSteps, contacts } = evidence;
  const whole = new Set([...mainSteps].map(({ question }) => questionKey(question)));
  for (const { zone, question, users, isUsual } of failuresIn(evaluation)) {
    if (whole.has(questionKey(question))) continue;
    const servers = contacts.filter(
      (contact) => contact.zone === zone && answersSomething(evidence, contact),
    );
    const namesAt = (address: string) =>
      servers.flatMap(({ server }) => (server.address === address ? [server.name] : []));
    const unhelpful = [...recording.exchanges.values()].filter(
      (one) =>
        questionKey(one.question) === questionKey(question) &&
        isFailure(meaningFor(one, zone)) &&
        namesAt(one.address).length > 0,
    );
    const does = unhelpfulWords(
      question,
      unhelpful.map((one) => ({ names: namesAt(one.address), how: howIn(one, zone) })),
    );
    if (does === '') continue;
    const [only, ...others] = unhelpful;
    const [name] = only === undefined ? [] : namesAt(only.address);
    drafts.push({
      zone,
      ...(only !== undefined &&
        name !== undefined &&
        others.length === 0 && { server: { name, address: only.address } }),
      problem: `${does}, so users of ${listed(users, users.length)} cannot look up names below ${plain(question.name)}`,
      advice: `Repair or replace the servers, or the firewall or load balancer in front of them: they must reply to questions of every type for ${plain(question.name)}, with data or NODATA`,
      proof: unhelpful,
      ...(!isUsual && { severity: 'notice' }),
    });
  }
  return drafts;
}

/** A question at which look-ups of some products end in nothing. */
interface FailingQuestion {
  readonly zone: Name;
  readonly question: Question;
  /** What their users have: products at their defaults; where there are none, with other settings. */
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
    const users = (usual.length === 0 ? names : usual).map(settingName);
    return { zone, question, users, isUsual: usual.length > 0 };
  });
}

function isGivenUp({ kind, server }: End): boolean {
  return kind === 'servfail' && server === null;
}

function placed(end: End): readonly [string, End] {
  return [`${end.zone} ${questionKey(end.question)}`, end];
}

function howIn(exchanged: Exchanged, zone: Name): string {
  const meaning = meaningFor(exchanged, zone);
  return meaning.kind === 'error' ? meaning.rcode : meaning.kind;
}

/** Products, and settings of products, whose users get NXDOMAIN because a name above theirs is denied. */
export function deniedBelow(evaluation: Evaluation, name: Name): readonly string[] {
  const isDenied = ({ end }: Outcome) => end.kind === 'nxdomain' && end.question.name === name;
  return PROFILE_NAMES.filter((profile) => outcomesIn(evaluation, profile).some(isDenied)).map(settingName);
}
