import { extendedErrorOf } from '../dns/dnssec/verdict.ts';
import { outcomeRow } from '../document/ends.ts';
import { exchangeRow, probeRow, serverRow } from '../document/exchange-rows.ts';
import type { ExchangeRow, ExchangeSecurity } from '../document/exchanges.ts';
import type { Finding } from '../document/finding.ts';
import { type Identifiers, identifiers } from '../document/identifiers.ts';
import { isQuick } from '../document/options.ts';
import {
  type Circumstances,
  type Figures,
  SCHEMA,
  type TraversalResult,
  type UnaskedRow,
  type UnjudgedResult,
} from '../document/result.ts';
import { viewsByName } from '../document/views.ts';
import type { Evaluation } from '../evaluate/evaluate.ts';
import type { ExchangeVerdict, Step } from '../evaluate/step.ts';
import { serverText, type WhatIf } from '../evaluate/world.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import type { QueryRank } from '../exchange/query.ts';
import type { Recording } from '../explore/recording.ts';
import { askedSteps, repeatedQuestions, unrepeated } from '../explore/repeats.ts';
import type { Known } from '../explore/replayed-exploration.ts';
import type { ServerNames } from '../explore/server-names.ts';
import { findingsIn, withoutIgnored } from '../findings/findings.ts';
import { graphRows } from './graph-rows.ts';
import { verdictRow } from './views/conclusion.ts';
import { isIntercepted, nothingHeard } from './views/findings.ts';
import { NOT_RECORDED, notCheckedIn } from './views/not-checked.ts';
import { failingFirstTries, userShares } from './views/user-shares.ts';
import { zonesOnWay } from './views/zones-on-way.ts';

/**
 * The result document (svc-api(5), RESULT): a pure function of the recording. Where another world is
 * imagined, exchanges, findings and most counts stay those of the recording.
 */
export function reporting(
  recording: Recording,
  recorded: Evaluation,
  circumstances: Circumstances,
  { imagined, known }: Reported,
): TraversalResult {
  const evaluation = imagined?.evaluation ?? recorded;
  const ids = identifiers(recording);
  const { stepId, ...graph } = graphRows(evaluation, recorded, ids);
  const isWhole = [recorded, evaluation].every(({ coverage }) => coverage === 'whole');
  const { options, startedAt, finishedAt, durationMs, ending, silentFamily } = circumstances;
  const complete = isWhole && ending !== 'cancelled';
  const rotation = rotationNotChecked(recording, known, circumstances);
  const notChecked = notCheckedIn(evaluation, recording.scope, options, { rotation, silentFamily });
  const found = findingsIn(recording, recorded, ids);
  const unjudged: UnjudgedResult = {
    schema: SCHEMA,
    query: { ...recording.scope.question, class: 'IN' },
    ...withoutIgnored(found, options.ignore),
    views: viewsByName(evaluation),
    options,
    startedAt,
    finishedAt,
    durationMs,
    complete,
    ending,
    ...(silentFamily && { silentFamily }),
    ...(notChecked && { notChecked }),
    ...(options.expect && { expected: options.expect }),
    ...whatIfRow(recording, recorded, imagined, options),
    coldLatencyMs: evaluation.latency,
    figures: { ...figuresOf(recording, recorded, known), paths: `${evaluation.countPaths()}` },
    ...graph,
    ...stickyRows(evaluation, stepId),
    exchanges: [...recording.exchanges].map(([key, exchanged]) =>
      withSecurity(
        {
          ...exchangeRow(ids(exchanged), exchanged, known.names.of(exchanged.address), known.rankOf(key)),
          ...(recording.unasked.has(key) && { unused: true }),
        },
        trusted(recorded.validation?.verdicts.get(key), found),
      ),
    ),
    ...probeRows(recording, known.names, ids),
    unasked: unaskedRows(recording, known.names).filter(({ kind }) => !complete || kind === 'blocked'),
  };
  const { schema, query, findings, ...others } = unjudged;
  // If others answered, or nobody did, nothing is known of users.
  const isUnheard = isIntercepted(unjudged) || nothingHeard(unjudged);
  const users = isUnheard ? [] : userShares(unjudged);
  return {
    schema,
    query,
    verdict: verdictRow(unjudged, users),
    users,
    firstTries: isUnheard ? [] : failingFirstTries(unjudged),
    findings,
    zones: zonesOnWay(unjudged),
    ...others,
  };
}

/** What a result is made of besides the recording and its evaluation. */
interface Reported {
  /** Another world, to be shown. */
  readonly imagined?: Imagination | undefined;
  /** What exploring the recording knew. */
  readonly known: Known;
}

/** Why answers were not all asked for again, to learn whether they vary by themselves; undefined if they were. */
function rotationNotChecked(
  recording: Recording,
  known: Known,
  { options, ending }: Circumstances,
): string | undefined {
  const isRepeated = recording.probes.some(({ probe }) => probe === 'repeat');
  if (isQuick(options) && !isRepeated) return '--quick';
  const questions = repeatedQuestions(askedSteps(known.mainSteps(), recording), recording);
  const reason = unrepeated(questions);
  if (isRepeated) return reason;
  if (options.views === undefined && questions.length > 0) return NOT_RECORDED;
  if (ending === 'whole' || questions.length === 0) return reason;
  return ending === 'cancelled' ? 'cancelled' : 'a limit was reached before';
}

/** Another world than the one recorded, to be shown in its place. */
interface Imagination {
  readonly whatIf: WhatIf;
  readonly evaluation: Evaluation;
}

function stickyRows({ sticky }: Evaluation, stepId: (step: Step) => string): Pick<TraversalResult, 'sticky'> {
  if (sticky === undefined) return {};
  return {
    sticky: sticky.map(({ step, rows, fastest = null }) => ({
      step: stepId(step),
      rows: rows.map((row) => ({ ...row, outcomes: row.outcomes.map(outcomeRow) })),
      fastestHere: fastest,
    })),
  };
}

function withSecurity(row: ExchangeRow, security: ExchangeVerdict | undefined): ExchangeRow {
  return security === undefined ? row : { ...row, security: securityRow(security) };
}

/** Where something on the path answers in place of the servers, nothing is secure. */
function trusted(
  verdict: ExchangeVerdict | undefined,
  findings: readonly Finding[],
): ExchangeVerdict | undefined {
  return verdict?.status !== 'bogus' && isIntercepted({ findings }) ? undefined : verdict;
}

/** The verdict with its reason as one row, and the code by which resolvers tell that reason. */
function securityRow(verdict: ExchangeVerdict): ExchangeSecurity {
  switch (verdict.status) {
    case 'secure':
    case 'unknown':
      return verdict;
    case 'insecure': {
      const { status, why, server } = verdict;
      if (why === undefined) return { status };
      const { address: _, ...reason } = why;
      return { status, ...reason, ...(server && { server }), ...extendedError(why) };
    }
    case 'bogus':
      return { ...verdict, ...extendedError(verdict) };
  }
}

function extendedError(why: Parameters<typeof extendedErrorOf>[0]): { readonly ede?: number } {
  const ede = extendedErrorOf(why);
  return ede === undefined ? {} : { ede };
}

/** What is planned was recorded as if it were made, so that there is nothing else to compare it with. */
function whatIfRow(
  { scope: { planned, zoneFiles, plannedDs } }: Recording,
  recorded: Evaluation,
  imagined: Imagination | undefined,
  options: Circumstances['options'],
): Pick<TraversalResult, 'whatIf' | 'recorded'> {
  if ((imagined ?? planned ?? zoneFiles ?? plannedDs) === undefined) return {};
  const { down, without, only } = imagined?.whatIf ?? NOTHING_ELSE;
  const whatIf = {
    down: down.map(serverText),
    without: without.map(serverText),
    only: only.map(serverText),
    delegate: planned ?? [],
    ...(zoneFiles && { zone: zoneFiles }),
    ...(plannedDs && { ds: plannedDs }),
  };
  if (imagined === undefined) return { whatIf };
  const { warm: _, 'first-tries/warm': __, ...views } = viewsByName(recorded);
  return { whatIf, recorded: { views, users: userShares({ views, options }) } };
}

const NOTHING_ELSE: WhatIf = { down: [], without: [], only: [] };

function probeRows(
  { scope, probes }: Recording,
  names: ServerNames,
  ids: Identifiers,
): Pick<TraversalResult, 'probes'> {
  if (scope.check === 'off' && probes.length === 0) return {};
  return { probes: probes.map((one) => probeRow(ids(one), one, names.of(one.address))) };
}

function unaskedRows({ unasked }: Recording, names: ServerNames): readonly UnaskedRow[] {
  return [...unasked.values()].map(({ query: { address, question }, why }) => {
    return { server: serverRow(address, names.of(address)), question, ...why };
  });
}

/** What was counted, but for the paths. */
function figuresOf(recording: Recording, evaluation: Evaluation, known: Known): Omit<Figures, 'paths'> {
  const exchanges = [...recording.exchanges.values()];
  const total = (part: keyof Exchanged['traffic']) =>
    [...exchanges, ...recording.probes].reduce((sum, { traffic }) => sum + traffic[part], 0);
  const madeFor = (rank: QueryRank) =>
    [...recording.exchanges.keys()].filter((key) => known.rankOf(key) === rank).length;
  return {
    exchanges: exchanges.length,
    ...sharedAmong(exchanges),
    ...(recording.scope.warm === 'off' ? {} : { warmExchanges: madeFor('warm') }),
    ...(recording.scope.dnssec === undefined ? {} : { dnssecExchanges: madeFor('dnssec') }),
    ...(recording.scope.profiles === undefined ? {} : { minimiseExchanges: madeFor('minimise') }),
    checkExchanges: madeFor('check'),
    unused: [...recording.exchanges.keys()].filter((key) => recording.unasked.has(key)).length,
    packetsSent: total('packetsSent'),
    packetsReceived: total('packetsReceived'),
    bytesSent: total('bytesSent'),
    bytesReceived: total('bytesReceived'),
    timeouts: exchanges.reduce((sum, { tries }) => sum + tries.filter(isTimeout).length, 0),
    servers: new Set(exchanges.filter(({ planned }) => !planned).map(({ address }) => address)).size,
    zones: new Set([...evaluation.passes.keys()].map(({ delegation }) => delegation.zone)).size,
  };
}

function sharedAmong(exchanges: readonly Exchanged[]): Pick<Figures, 'sharedExchanges'> {
  const count = exchanges.filter(({ shared }) => shared).length;
  return count === 0 ? {} : { sharedExchanges: count };
}

function isTimeout({ outcome }: Exchanged['tries'][number]): boolean {
  return outcome.kind === 'timeout';
}
