/* Explains in sentences what each end of a result means, and what to do about it. */

import { formatDurationMs } from '../base/duration.ts';
import { questionKey } from '../dns/message.ts';
import type { OutcomeRow } from '../document/ends.ts';
import type { ResolverRow } from '../document/resolvers.ts';
import type { TraversalResult } from '../document/result.ts';
import { viewsOf } from '../document/views.ts';
import { endWords } from '../document/words/end-words.ts';
import { grouped } from '../document/words/lists.ts';
import { plain } from '../document/words/names.ts';
import { percent } from '../document/words/quantities.ts';
import type { Shorten } from '../document/words/shortened.ts';
import { causeOf, type End, isUnknown, type PickedServer } from '../evaluate/end.ts';
import { compare, type Fraction } from '../evaluate/fraction.ts';
import type { ViewKind } from '../evaluate/views.ts';
import type { FindingCode } from '../findings/catalogue.ts';
import { type Action, type Advice, actionSentence, type ResultContext, type Subject } from './advice.ts';
import { explainAgreeing, explainDifference, explainOnceWarm } from './explain/answers.ts';
import { explainBogus } from './explain/bogus.ts';
import { contextOf } from './explain/context.ts';
import { explainDelegationTrouble } from './explain/delegation-trouble.ts';
import { explainNotExamined } from './explain/not-examined.ts';
import { explainServerTrouble } from './explain/server-trouble.ts';
import { type Effect, weightOf } from './views/effects.ts';
import { isIntercepted } from './views/findings.ts';
import type { ResultView } from './views/result-view.ts';
import { validatingDiffers } from './views/users.ts';
import { resolverAddress, saidWords } from './views/wording.ts';

/** An explanation of all ends of one view that are alike. */
export interface Explanation extends Advice {
  readonly view: ViewKind;
  readonly end: End;
  /** The servers that share it. */
  readonly servers: readonly PickedServer[];
  readonly effect: Effect;
  readonly probability: Fraction;
}

/** The views whose ends are explained, and what goes between a share and the words for an end: who ends so. */
const EXPLAINED: Readonly<Record<ViewKind, ExplainedView | undefined>> = {
  'first-tries': { who: '', ends: 'all' },
  resolver: { who: 'of resolvers end in ', ends: 'given-up' },
  'first-tries/warm': undefined,
  warm: undefined,
  validating: { who: 'of validating resolvers end in ', ends: 'given-up-unlike-others' },
  product: undefined,
  'product/warm': undefined,
};

interface ExplainedView {
  readonly who: string;
  /** Which ends are explained: of resolvers those that no path has. */
  readonly ends: 'all' | 'given-up' | 'given-up-unlike-others';
}

/** The heading of an explanation: "25 % of resolvers end in timeout". */
export function explanationTitle({ view, end, probability }: Explanation, shorten: Shorten): string {
  return `${percent(probability)} ${EXPLAINED[view]?.who ?? ''}${endWords(end, shorten)}`;
}

/** Advice that is given once, for the result as a whole. */
export interface Remark extends Advice {
  readonly title: string;
  /** The findings that are about the same. */
  readonly codes: readonly FindingCode[];
}

/** The explanations of a result. */
interface Explained {
  /** Those of the path view, the most probable first, then what only resolvers end in. */
  readonly ends: readonly Explanation[];
  readonly remarks: readonly Remark[];
}

/** Explains what each end of a result means and what to do about it. */
export function explained(view: ResultView): Explained {
  const { result } = view;
  if (isIntercepted(result)) return { ends: [], remarks: [INTERCEPTED] };
  const context = contextOf(view);
  const ends = viewsOf(result).flatMap(({ row, view: { outcomes } }) =>
    explanationsOf(endsToExplain(EXPLAINED[row.kind], outcomes, result), row.kind, context),
  );
  return { ends, remarks: [...remarksOn(view, context), ...resolverRemarks(result)] };
}

/** Whether an end is there only because servers are imagined to be down: nobody has to repair these. */
function isImaginedEnd(end: End, { recorded, exchanges }: TraversalResult): boolean {
  if (recorded === undefined) return false;
  const { kind, server, question, zone } = causeOf(end);
  if (kind === 'servfail')
    return !recorded.views.resolver.outcomes.some(
      (other) => other.kind === 'servfail' && other.zone === zone,
    );
  const asked = exchanges.find(
    (one) => one.server.address === server?.address && questionKey(one.question) === questionKey(question),
  );
  return kind === 'timeout' && asked !== undefined && asked.failure === undefined;
}

function endsToExplain(
  explained: ExplainedView | undefined,
  outcomes: readonly OutcomeRow[],
  result: TraversalResult,
): readonly OutcomeRow[] {
  switch (explained?.ends) {
    case 'all':
      return outcomes.filter((end) => !isImaginedEnd(end, result));
    case 'given-up':
      return outcomes.filter((end) => end.kind === 'servfail' && !isImaginedEnd(end, result));
    case 'given-up-unlike-others':
      return validatingDiffers(result) ? outcomes.filter(({ kind }) => kind === 'servfail') : [];
    case undefined:
      return [];
  }
}

function remarksOn({ result, answers }: ResultView, context: ResultContext): readonly Remark[] {
  const warm = explainOnceWarm(result, context);
  const onceWarm = warm === undefined ? [] : [{ title: ONCE_WARM, codes: WARM_CODES, ...warm }];
  if (answers < 2) return onceWarm;
  const difference = {
    title: 'The answers differ',
    codes: DIFFERENCE_CODES,
    ...explainDifference(result, context),
  };
  const told = new Set(difference.actions.map(actionSentence));
  return [
    difference,
    ...onceWarm.map((one) => ({
      ...one,
      actions: one.actions.filter((action) => !told.has(actionSentence(action))),
    })),
  ];
}

function resolverRemarks(result: TraversalResult): readonly Remark[] {
  return (result.resolvers ?? []).flatMap((row) => {
    const advice = explainResolver(row, result);
    return advice === undefined
      ? []
      : [{ title: `The resolver ${resolverAddress(row.server)}`, codes: [], ...advice }];
  });
}

const ONCE_WARM = 'What users get changes';

const WARM_CODES = ['WARM_DIFFERS'] as const;

const DIFFERENCE_CODES = ['ANSWERS_DIFFER', 'ANSWER_NOT_CERTAIN'] as const;

const INTERCEPTED: Remark = {
  title: 'DNS is intercepted on the way',
  codes: ['PATH_INTERCEPTED'],
  means:
    'Something between you and the name servers answers in their place. Nothing that this result says about names and servers can be trusted.',
  actions: [{ who: 'you', what: 'run this again from a network that lets DNS queries (port 53) through' }],
};

function explanationsOf(
  outcomes: readonly OutcomeRow[],
  view: Explanation['view'],
  context: ResultContext,
): readonly Explanation[] {
  return grouped(outcomes, (end) => likeness(end, context))
    .map((alike) => {
      const [end] = alike;
      const servers = serversOf(alike);
      const advice = explainEnd({ end, servers }, context);
      return { view, end, servers, effect: context.effectOf(end), probability: weightOf(alike), ...advice };
    })
    .sort((a, b) => compare(b.probability, a.probability));
}

/** A text that is equal for ends that one explanation fits. */
function likeness(end: End, context: ResultContext): string {
  const special = end.server !== null && context.isFound('NS_ADDR_NOT_GLOBAL', end.server);
  const reasons = [special, context.tooLargeForUdp(end)];
  return [end.kind, endWords(end), end.zone, end.question.name, ...reasons].join('\n');
}

function serversOf(outcomes: readonly OutcomeRow[]): readonly PickedServer[] {
  const servers = outcomes.flatMap(({ server }) => server ?? []);
  return grouped(servers, ({ name, address }) => `${name} ${address}`).map(([first]) => first);
}

/** What an end means to users and what to do about it, for every kind of end. */
export function explainEnd({ end, servers }: Subject, context: ResultContext): Advice {
  if (isUnknown(end)) return explainNotExamined({ end, servers });
  switch (end.kind) {
    case 'answer':
    case 'nodata':
    case 'nxdomain':
      return explainAgreeing({ end, servers }, context);
    case 'timeout':
    case 'unreachable':
    case 'malformed':
    case 'error':
    case 'lame':
      return explainServerTrouble({ end, servers }, context);
    case 'no-glue':
    case 'unresolvable-ns':
    case 'loop':
    case 'alias-loop':
    case 'servfail':
      return explainDelegationTrouble({ end, servers }, context, (cause) => explainCause(cause, context));
    case 'bogus':
      return explainBogus(end, context);
  }
}

function explainCause(end: End, context: ResultContext): Advice {
  return explainEnd({ end, servers: end.server === null ? [] : [end.server] }, context);
}

/** What it means that a resolver said something that no path ends in, or nothing of use; undefined where nothing is odd. */
function explainResolver(row: ResolverRow, { query, complete }: TraversalResult): Advice | undefined {
  const { says, outcomes } = row;
  const who = `the operator of ${resolverAddress(row.server)}`;
  const name = plain(query.name);
  switch (says.kind) {
    case 'answer':
    case 'nodata':
    case 'nxdomain':
    case 'alias-loop':
      if (outcomes.length > 0) return undefined;
      return {
        means: `It says ${saidWords(row)}, which no ${complete ? '' : 'known '}path from the root ends in. It may keep what was true before a change, reach other servers than this host does, or replace replies on purpose.`,
        actions: [...waitFor(row), { who, what: `remove ${name} from its cache` }],
      };
    case 'error':
      if (says.rcode === 'SERVFAIL') return outcomes.length > 0 ? undefined : rejects(who);
      return {
        means: `It replied ${says.rcode}, so it does not serve users here.`,
        actions: [{ who: 'you', what: 'ask a resolver that serves this host' }],
      };
    case 'no-resolver':
      return {
        means: 'It refers to other servers instead of asking them, so it is no resolver for this host.',
        actions: [{ who: 'you', what: 'ask a resolver that serves this host' }],
      };
    case 'malformed':
    case 'unreachable':
    case 'timeout':
      return {
        means: 'It gave no usable reply, which says nothing about the name.',
        actions: [{ who: 'you', what: 'check its address and port, and whether it serves this host' }],
      };
  }
}

function waitFor({ ttl }: ResolverRow): readonly Action[] {
  if (ttl === null) return [];
  return [
    {
      who: 'you',
      what: `ask it again in ${formatDurationMs(ttl * MS_PER_SECOND)}, when its TTL has run out`,
    },
  ];
}

const MS_PER_SECOND = 1_000;

function rejects(who: string): Advice {
  return {
    means:
      'It replied SERVFAIL although no path fails. It may reject the data, as resolvers do that validate signatures (DNSSEC), or not reach the servers.',
    actions: [
      {
        who: 'you',
        what: 'ask it with checking disabled (dig +cd): an answer then means that validation fails',
      },
      { who, what: 'find in its log why the lookup failed' },
    ],
  };
}
