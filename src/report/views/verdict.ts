import type { Name } from '../../dns/name.ts';
import { exact, type OutcomeRow } from '../../document/ends.ts';
import type { Finding } from '../../document/finding.ts';
import type { TraversalResult } from '../../document/result.ts';
import { firstOfEach, grouped, listed } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { count, percentage } from '../../document/words/quantities.ts';
import { shortened } from '../../document/words/shortened.ts';
import type { End, PickedServer } from '../../evaluate/end.ts';
import { compare, type Fraction, multiply, ONE, readFraction, ZERO } from '../../evaluate/fraction.ts';
import { isTrouble } from './conclusion.ts';
import { comparisonOf, type Effect, effectShare, weightOf } from './effects.ts';
import { isIntercepted } from './findings.ts';
import { securityIn } from './result-index.ts';
import { validatingFailureWords, warmthOf } from './warm-and-validating.ts';
import { endTerm, summaryLine } from './wording.ts';

/** Says whether the result can be trusted, whether every path ends the same way, and how many fail or are unknown. */
export function verdictOn(result: TraversalResult): Verdict {
  if (isIntercepted(result)) {
    return { words: 'DNS is intercepted on the way: nothing here can be trusted', effect: 'fails' };
  }
  const { outcomes } = result;
  const [fails, unknown] = [effectShare(outcomes, 'fails'), effectShare(outcomes, 'unknown')];
  const { answers } = comparisonOf(outcomes);
  const unproven = validatingFailureWords(result);
  const parts = [
    ...(answers > 1 ? [`${answers} different answers`] : []),
    ...partOf(fails, 'fails', 'fail'),
    ...partOf(unknown, 'is unknown', 'are unknown'),
  ];
  if (parts.length === 0) return agreementIn(result);
  const warmth = warmthOf(result);
  if (warmth.kind === 'differs') parts.push(`different ${ONCE_WARM}`);
  if (warmth.kind === 'unknown' && compare(unknown, ZERO) === 0)
    parts.push(`${percentage(warmth.unexamined)} unknown ${ONCE_WARM}`);
  if (unproven !== undefined) return { words: [...parts, unproven].join(', '), effect: 'fails' };
  const effect = compare(fails, ZERO) > 0 ? 'fails' : compare(unknown, ZERO) > 0 ? 'unknown' : 'differs';
  return { words: parts.join(', '), effect };
}

/** The conclusion of a result in a few words. */
interface Verdict {
  readonly words: string;
  readonly effect: Effect;
}

/** The name servers at which paths go wrong: "at ns1.example"; empty if there are none. */
export function faultyServerWords(result: TraversalResult): string {
  const culprits = faultyServersOf(result).map(({ name }) => plain(name));
  return culprits.length === 0 ? '' : `at ${listed(culprits)}`;
}

function partOf(share: Fraction, whole: string, some: string): readonly string[] {
  if (compare(share, ZERO) === 0) return [];
  return compare(share, ONE) === 0 ? [`every path ${whole}`] : [`${percentage(share)} of paths ${some}`];
}

const ONCE_WARM = "once the zones' own NS records are known";

/** Every path ends the same way, but a server can still have a fault that does not show in the ends. */
function agreementIn(result: TraversalResult): Verdict {
  const words = agreement(result);
  const unproven = validatingFailureWords(result);
  if (unproven !== undefined) return { words: `${words}, but ${unproven}`, effect: 'fails' };
  const warmth = warmthOf(result);
  if (warmth.kind === 'differs') {
    return { words: `${words}, but ${warmDifference(result)}`, effect: 'differs' };
  }
  if (warmth.kind === 'unknown') {
    return {
      words: `${words}, but ${percentage(warmth.unexamined)} is unknown ${ONCE_WARM}`,
      effect: 'unknown',
    };
  }
  const errors = result.findings.filter(isErrorItself);
  if (errors.length === 0) return { words, effect: 'ends-well' };
  return { words: `${words}; ${errorWords(errors)}`, effect: 'differs' };
}

/** "resolvers that learn the zones' own NS records get 192.0.2.80 instead" */
function warmDifference({ resolver, warm }: TraversalResult): string {
  const { summary } = warm?.resolver ?? resolver;
  const learnt = summaryLine(summary, 'terse');
  if (learnt === summaryLine(resolver.summary, 'terse')) return `paths end otherwise ${ONCE_WARM}`;
  const [only, ...others] = summary;
  const words = only !== undefined && others.length === 0 ? shortened(endTerm(only), 'terse') : learnt;
  return `resolvers that learn the zones' own NS records get ${words} instead`;
}

/** "1 error: EDNS_BREAKS at ns1.example". The addresses of a server count once. */
function errorWords(errors: readonly Finding[]): string {
  const each = firstOfEach(errors, ({ code, server, zone }) => [code, server?.name, zone].join(' '));
  const places = grouped(each, ({ code }) => code).map((alike) => {
    const servers = new Set(alike.flatMap(({ server }) => (server === undefined ? [] : plain(server.name))));
    return servers.size === 0 ? alike[0].code : `${alike[0].code} at ${listed([...servers])}`;
  });
  const isGrave = each.some(({ severity }) => severity === 'critical');
  return `${count(each.length, isGrave ? 'fault' : 'error')}: ${listed(places)}`;
}

function isErrorItself({ severity, consequenceOf }: Finding): boolean {
  return consequenceOf === undefined && isTrouble(severity);
}

function agreement({ query, outcomes }: TraversalResult): string {
  const kind = outcomes[0]?.kind;
  if (kind === 'nxdomain') return 'every path says that the name does not exist';
  return kind === 'nodata'
    ? `every path says that the name has no ${query.type} record`
    : 'every path gets the same answer';
}

/** A name server at which paths go wrong: they fail there, end in something else than most, or hear what does not verify. */
export interface FaultyServer {
  readonly name: Name;
  /** Of the paths that go wrong there, cold or warm, whichever are more. */
  readonly share: Fraction;
  /** Each as often as paths end so, in the view where most do. */
  readonly ends: readonly OutcomeRow[];
}

/** What it takes to find them. */
type FaultEvidence = Pick<
  TraversalResult,
  'outcomes' | 'warm' | 'findings' | 'validating' | 'steps' | 'exchanges'
>;

/** The name servers at which paths of a result go wrong, the worst first; none where others answered for them. */
export function faultyServersOf(result: FaultEvidence): readonly FaultyServer[] {
  if (isIntercepted(result)) return [];
  const walks = [result, ...(result.warm === undefined ? [] : [result.warm])].flatMap(faultyServersIn);
  const found = [...walks, ...bogusServersIn(result)];
  const worstFirst = found.sort((a, b) => compare(b.share, a.share));
  return grouped(worstFirst, ({ name }) => name).map(([worst]) => worst);
}

/** Those whose replies do not verify, where somebody asked for that. */
function bogusServersIn({ validating, steps, exchanges }: FaultEvidence): readonly FaultyServer[] {
  if (validating === undefined) return [];
  const securityAt = securityIn({ exchanges });
  const bogus = steps.flatMap(({ zone, question, nameservers, ...step }) =>
    nameservers.flatMap(({ name, addresses }) =>
      addresses.flatMap((row): readonly BogusOutcome[] => {
        const reason = securityAt(row, zone)?.reason;
        if (reason === undefined) return [];
        const part = exact(multiply(readFraction(step.fraction), readFraction(row.fraction)));
        return [{ kind: 'bogus', reason, zone, question, server: { name, address: row.address }, ...part }];
      }),
    ),
  );
  return grouped(bogus, ({ server }) => server.name).map((ends) => {
    return { name: ends[0].server.name, share: weightOf(ends), ends };
  });
}

type BogusOutcome = Extract<OutcomeRow, { kind: 'bogus' }> & { readonly server: PickedServer };

function faultyServersIn({ outcomes }: Pick<TraversalResult, 'outcomes'>): readonly FaultyServer[] {
  const { effectOf } = comparisonOf(outcomes);
  const wrong = outcomes.flatMap((end) => {
    const name = WRONG[effectOf(end)] ? blamedFor(end) : undefined;
    return name === undefined ? [] : [{ name, end }];
  });
  return grouped(wrong, ({ name }) => name).map((own) => {
    const ends = own.map(({ end }) => end);
    return { name: own[0].name, share: weightOf(ends), ends };
  });
}

const WRONG: Readonly<Record<Effect, boolean>> = {
  'leads-on': false,
  'ends-well': false,
  differs: true,
  denies: true,
  fails: true,
  unknown: false,
};

/** The server at which an end came about; undefined where zones are at fault rather than a server. */
function blamedFor(end: End): Name | undefined {
  if (end.kind === 'alias-loop') return undefined;
  if (end.server !== null) return end.server.name;
  const cause = 'cause' in end && end.cause !== undefined ? blamedFor(end.cause) : undefined;
  return cause ?? ('nameserver' in end ? end.nameserver : undefined);
}
