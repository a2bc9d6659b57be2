import type { Outcome } from '../../evaluate/distribution.ts';
import { causeOf } from '../../evaluate/end.ts';
import { equals, ONE } from '../../evaluate/fraction.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { byFamily } from '../../reading/by-family.ts';
import { grouped } from '../../reading/grouped.ts';
import { listed } from '../../reading/words/listed.ts';
import { asked, plain } from '../../reading/words/names.ts';
import type { Name } from '../../wire/name.ts';
import { questionKey } from '../../wire/question.ts';
import type { Check, Draft } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { total } from '../prospects.ts';
import { overFamilies } from '../words.ts';
import { failingWords } from './cost.ts';
import { type HeardVerdict, judgementsIn } from './judgements.ts';
import { byZone } from './key-sets.ts';

/**
 * DNSSEC_BOGUS: users behind validating resolvers get SERVFAIL where others get something: all of them (critical), or
 * some. What is unknown does not count.
 */
export const dnssecBogus: Check = (evidence) => {
  const { scope, evaluation } = evidence;
  const { validating } = evaluation;
  if (validating === undefined) return [];
  const lost = lostBeside(evidence);
  const [ends, firstEnds] = [validating.outcomes.filter(lost), validating.firstTryOutcomes.filter(lost)];
  const all = [...ends, ...firstEnds];
  if (all.length === 0) return [];
  const cost = { tryingOn: total(ends), firstTry: total(firstEnds) };
  const zones = [...new Set(all.map(({ end }) => end.zone))];
  const [zone] = zones;
  return [
    {
      ...(zones.length === 1 && zone !== undefined ? { zone } : {}),
      severity: equals(cost.tryingOn, ONE) ? 'critical' : 'error',
      problem: `${failingWords(cost, `${asked(scope.question)}${overFamilies(scope)}`)}: what servers of ${listed(zones.map(plain))} say does not verify`,
      advice: 'Repair what is signed badly, or remove the DS records at the parent until that is done',
      proof: proofOf(evidence, zones),
    },
  ];
};

/** What does not verify, and the questions for keys that came to nothing. */
function proofOf(evidence: Evidence, zones: readonly Name[]): readonly Exchanged[] {
  const bogus = judgementsIn(evidence).filter(({ verdict }) => verdict.status === 'bogus');
  const unanswered = byZone(evidence)
    .flat()
    .filter(({ zone, exchanged }) => zones.includes(zone) && exchanged.outcome.kind !== 'reply');
  return [...bogus, ...unanswered].map(({ exchanged }) => exchanged);
}

/** Picks the outcomes that are failures for validating resolvers only. */
function lostBeside({ evaluation }: Evidence): (outcome: Outcome) => boolean {
  const failing = evaluation.resolverOutcomes.filter(({ end }) => end.kind === 'servfail');
  const zones = new Set(failing.map(({ end }) => end.zone));
  return ({ end }) => end.kind === 'servfail' && (causeOf(end).kind === 'bogus' || !zones.has(end.zone));
}

/** SERVERS_DIFFER_DNSSEC: to one question, one server of a zone gives a reply that verifies, another one that does not. */
export const serversDifferDnssec: Check = (evidence) =>
  grouped(
    judgementsIn(evidence),
    ({ zone, exchanged }) => `${zone} ${questionKey(exchanged.question)}`,
  ).flatMap((panel) => differing(panel, evidence));

function differing(panel: readonly [HeardVerdict, ...HeardVerdict[]], evidence: Evidence): readonly Draft[] {
  const good = panel.filter(({ verdict }) => verdict.status === 'secure' || verdict.status === 'insecure');
  const bad = panel.filter(({ verdict }) => verdict.status === 'bogus');
  if (good.length === 0 || bad.length === 0) return [];
  const { zone, exchanged } = panel[0];
  return [
    {
      zone,
      problem: `What servers of ${plain(zone)} say about ${asked(exchanged.question)} verifies at ${serversIn(good)}, but not at ${serversIn(bad)}, ${sharesWords(evidence)}`,
      advice: 'Make every server serve the same version of the signed zone',
      proof: [...good, ...bad].map((one) => one.exchanged),
    },
  ];
}

function serversIn(judgements: readonly HeardVerdict[]): string {
  const servers = grouped(
    judgements.map(({ server }) => server),
    ({ name }) => name,
  );
  const each = servers.map((own) => {
    const addresses = [...new Set(own.map(({ address }) => address))].sort(byFamily);
    return `${plain(own[0].name)} (${addresses.join(', ')})`;
  });
  return listed(each);
}

function sharesWords({ evaluation: { validating }, scope }: Evidence): string {
  const failing = (outcomes: readonly Outcome[] = []) =>
    total(outcomes.filter(({ end }) => end.kind === 'servfail'));
  const cost = { tryingOn: failing(validating?.outcomes), firstTry: failing(validating?.firstTryOutcomes) };
  const isNone = Object.values(cost).every(({ numerator }) => numerator === 0n);
  return isNone
    ? 'so validating resolvers have to retry'
    : `so it is a matter of luck: ${failingWords(cost, asked(scope.question))}`;
}
