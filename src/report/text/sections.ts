import type { ExchangeRow } from '../../document/exchanges.ts';
import type { NameserverRow, StepRow } from '../../document/steps.ts';
import { add, type Fraction, multiply, readFraction } from '../../evaluate/fraction.ts';
import { byFamily } from '../../reading/by-family.ts';
import { type Doing, doingAt, doingOf } from '../../reading/doing.ts';
import { grouped } from '../../reading/grouped.ts';
import type { Graph } from '../../reading/result-index.ts';
import type { Name } from '../../wire/name.ts';
import { type Question, questionKey } from '../../wire/question.ts';

/** What came of one address of one name server, or of the search for its addresses. */
export interface Outcome {
  readonly name: Name;
  /** Absent where no address was to be had. */
  readonly address?: string;
  readonly source: NameserverRow['source'];
  readonly doing: Doing;
  readonly exchange?: ExchangeRow;
  /** How much of all paths passes here. */
  readonly probability: Fraction;
}

/** The servers of one delegation and what they did, however many ways led there. */
export interface Section {
  readonly question: Question;
  readonly zone: Name;
  /** How much of all paths passes here. */
  readonly probability: Fraction;
  readonly outcomes: readonly Outcome[];
  /** The servers whose referrals lead here. */
  readonly delegatedBy: readonly Name[];
}

/** Which steps belong together: those of one delegation, for each question or for all. */
export type Together = 'same-question' | 'any-question';

/** Puts the steps of walks together. */
export function sectionsOf(steps: readonly StepRow[], graph: Graph, together: Together): readonly Section[] {
  const key = ({ question, delegation }: StepRow) =>
    together === 'any-question' ? delegation : `${questionKey(question)} ${delegation}`;
  return grouped(steps, key).map((same) => ({
    question: same[0].question,
    zone: same[0].zone,
    probability: total(same.map(({ fraction }) => readFraction(fraction))),
    outcomes: outcomesOf(same, graph),
    delegatedBy: delegatedBy(same, steps),
  }));
}

function outcomesOf(same: readonly StepRow[], graph: Graph): readonly Outcome[] {
  const outcomes = same.flatMap(({ nameservers, fraction }) =>
    nameservers.flatMap((server) => serverOutcomes(server, readFraction(fraction), graph)),
  );
  const groups = grouped(outcomes, ({ name, address, doing }) => [name, address, doing.words].join('\n'));
  return groups.map((group) => ({
    ...group[0],
    probability: total(group.map(({ probability }) => probability)),
  }));
}

function serverOutcomes(server: NameserverRow, reached: Fraction, graph: Graph): readonly Outcome[] {
  const { name, source, addresses, failures = [] } = server;
  const passing = ({ fraction }: { readonly fraction: string }) => multiply(reached, readFraction(fraction));
  const inOrder = [...addresses].sort((a, b) => byFamily(a.address, b.address));
  const asked = inOrder.map((row) => {
    const exchange = graph.exchange(row);
    const outcome = {
      name,
      address: row.address,
      source,
      doing: doingAt(row, graph),
      probability: passing(row),
    };
    return exchange === undefined ? outcome : { ...outcome, exchange };
  });
  const failed = failures.map((row) => ({
    name,
    source,
    doing: doingOf(graph.end(row.end)),
    probability: passing(row),
  }));
  return [...asked, ...failed];
}

function delegatedBy(same: readonly StepRow[], steps: readonly StepRow[]): readonly Name[] {
  const ids = new Set(same.map(({ id }) => id));
  const servers = steps.flatMap(({ nameservers }) =>
    nameservers.filter(({ addresses }) =>
      addresses.some((row) => row.class === 'referral' && 'step' in row.leadsTo && ids.has(row.leadsTo.step)),
    ),
  );
  return [...new Set(servers.map(({ name }) => name))];
}

function total(parts: readonly Fraction[]): Fraction {
  return parts.reduce(add);
}
