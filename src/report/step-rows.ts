import { getOrMake } from '../base/memo.ts';
import type { Share } from '../document/common-shapes.ts';
import { type EndRow, exact } from '../document/ends.ts';
import type { Identifiers } from '../document/identifiers.ts';
import type { AddressRow, LeadsTo, LookupRow, NameserverRow, StepRow } from '../document/steps.ts';
import { include } from '../evaluate/distribution.ts';
import { type End, endKey } from '../evaluate/end.ts';
import type { Evaluation } from '../evaluate/evaluate.ts';
import { type Fraction, fractionText, lowestTerms, share, sum, toNumber } from '../evaluate/fraction.ts';
import type { AddressPick, PathView } from '../evaluate/path-view.ts';
import {
  type LookupServer,
  type Step,
  type StepServer,
  type Visit,
  visitAt,
  type Walk,
  walkAfter,
} from '../evaluate/step.ts';

/** The graph: a row for each step that some path meets, each after all that lead to it, and for each lookup. */
export function stepRows(evaluation: Evaluation, ids: GraphIdentifiers): Graph {
  const { pathView, passes } = evaluation;
  const lookups = new Lookups(pathView, {
    leadsTo: (walk) => leadsTo(walk, ids),
    end: (end) => ids.end(end),
  });
  const steps: StepRow[] = [];
  for (const [step, passed] of passes) {
    steps.push({
      id: ids.step(step),
      question: step.question,
      zone: step.delegation.zone,
      delegation: ids.delegation(step.delegation),
      ...exact(passed),
      nameservers: nameserverRows(step, pathView.leaving(step).picks, lookups, ids),
    });
  }
  return { steps, lookups: lookups.rows };
}

/** What the graph's rows are named by. */
interface GraphIdentifiers extends Identifiers {
  end(end: End): string;
}

interface Graph {
  readonly steps: readonly StepRow[];
  readonly lookups: readonly LookupRow[];
}

function nameserverRows(
  step: Step,
  picks: readonly AddressPick[],
  lookups: Lookups,
  ids: GraphIdentifiers,
): readonly NameserverRow[] {
  const each = shareOf(share(step.servers.length));
  const byServer = new Map<StepServer, AddressPick[]>();
  for (const pick of picks) getOrMake(byServer, pick.server, () => []).push(pick);
  return step.servers.map((server) => ({
    name: server.name,
    ...each,
    ...sourceRow(server, lookups, ids),
    addresses: addressRows(step, server, byServer.get(server) ?? [], ids),
  }));
}

function sourceRow(
  server: StepServer,
  lookups: Lookups,
  ids: GraphIdentifiers,
): Pick<NameserverRow, 'source' | 'lookup' | 'end'> {
  switch (server.kind) {
    case 'glue':
      return { source: 'glue' };
    case 'lookup':
      return { source: 'lookup', lookup: lookups.id(server) };
    case 'not-looked-up':
      return { source: 'none', end: ids.end(server.end) };
  }
}

function addressRows(
  step: Step,
  server: StepServer,
  picks: readonly AddressPick[],
  ids: GraphIdentifiers,
): readonly AddressRow[] {
  const weights = new Map<string, Fraction[]>();
  for (const pick of picks) getOrMake(weights, pick.address, (): Fraction[] => []).push(pick.weight);
  return [...weights].map(([address, each]) => {
    const visit = visitAt(server, address);
    return {
      address,
      ...shareOf(sum(each)),
      ...heard(visit, ids),
      leadsTo: after(visit, ids, () => step.ends.afterVisit(visit, server.name, address)),
    };
  });
}

function heard(visit: Visit, ids: GraphIdentifiers): Pick<AddressRow, 'exchange' | 'class'> {
  if (visit.kind === 'not-asked') return {};
  return { exchange: ids.exchange(visit.exchanged), class: visit.meaning.kind };
}

function after(visit: Visit, ids: GraphIdentifiers, end: () => End): LeadsTo {
  const walk = walkAfter(visit);
  return walk === undefined ? { end: ids.end(end()) } : leadsTo(walk, ids);
}

function leadsTo(walk: Walk, ids: GraphIdentifiers): LeadsTo {
  return walk.kind === 'step' ? { step: ids.step(walk.step) } : { end: ids.end(walk.end) };
}

function shareOf(weight: Fraction): Share {
  const fraction = lowestTerms(weight);
  return { share: toNumber(fraction), fraction: fractionText(fraction) };
}

/** What steps and ends are named by. */
interface Named {
  readonly leadsTo: (walk: Walk) => LeadsTo;
  readonly end: (end: End) => string;
}

/** The lookups that steps need, numbered from "l1" in the order in which they are met. Those that begin alike are one. */
class Lookups {
  readonly #rows = new Map<string, LookupRow>();
  readonly #view: PathView;
  readonly #ids: Named;

  constructor(view: PathView, ids: Named) {
    this.#view = view;
    this.#ids = ids;
  }

  /** The identifier of the lookup of a server. */
  id(server: LookupServer): string {
    const { name, lookups } = server;
    const begins = lookups.map(({ family, walk }) => ({
      type: family === 4 ? ('A' as const) : ('AAAA' as const),
      ...this.#ids.leadsTo(walk),
    }));
    const make = () => ({
      id: `l${this.#rows.size + 1}`,
      name,
      begins,
      failures: this.#failures(server),
    });
    return getOrMake(this.#rows, JSON.stringify([name, begins]), make).id;
  }

  /** Every lookup met so far. */
  get rows(): readonly LookupRow[] {
    return [...this.#rows.values()];
  }

  #failures(server: LookupServer): LookupRow['failures'] {
    const { whole, limits, causes } = this.#view.lookup(server);
    const parts = new Map<End, bigint>();
    for (const why of [limits, causes]) for (const [end, own] of why) include(parts, end, own);
    return [...parts].map(([end, numerator]) => ({
      fraction: fractionText({ numerator, denominator: whole }),
      end: this.#ids.end(end),
    }));
  }
}

/** The ends that paths come to, numbered from "e1" in the order in which they are met. Equal ends are one. */
export class Ends {
  readonly #rows = new Map<string, EndRow>();
  /** Most ends come as the same object again and again. */
  readonly #ids = new Map<End, string>();

  /** The identifier of an end. */
  id(end: End): string {
    const make = (): EndRow => ({ id: `e${this.#rows.size + 1}`, ...end });
    return getOrMake(this.#ids, end, () => getOrMake(this.#rows, endKey(end), make).id);
  }

  /** Every end met so far. */
  get rows(): readonly EndRow[] {
    return [...this.#rows.values()];
  }
}
