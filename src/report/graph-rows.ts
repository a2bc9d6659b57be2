/* The graph of a result: ends, delegations, steps and lookups, each with the identifier by which others name it. */

import { getOrMake } from '../base/memo.ts';
import type { Share } from '../document/common-shapes.ts';
import { type EndRow, exact } from '../document/ends.ts';
import type { Identifiers } from '../document/identifiers.ts';
import type {
  AddressRow,
  DelegationRow,
  LeadsTo,
  LookupRow,
  NameserverRow,
  StepRow,
} from '../document/steps.ts';
import { include } from '../evaluate/distribution.ts';
import { type End, endKey } from '../evaluate/end.ts';
import { type Evaluation, outcomesIn } from '../evaluate/evaluate.ts';
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
import { type Delegation, delegationKey } from '../explore/delegation.ts';

/**
 * The graph: a row for each step that some path meets, each after all that lead to it, and for all that these name.
 * `recorded`: the evaluation of the recording as it is; delegations of another world are numbered after its own.
 */
export function graphRows(evaluation: Evaluation, recorded: Evaluation, exchangeId: Identifiers): Graph {
  const { start, passes, pathView, varying } = evaluation;
  const stepIds = new Map([...passes.keys()].map((step, at) => [step, `s${at + 1}`]));
  const ends = new Numbered('e', endKey, (id, end: End): EndRow => ({ id, ...end }));
  const delegations = new Numbered('d', delegationKey, (id, one: Delegation) => ({ id, ...one }));
  for (const { delegation } of [...recorded.passes.keys(), ...passes.keys()]) delegations.id(delegation);
  if (start.kind === 'cut') ends.id(start.end);
  const named = new Names(pathView, stepIds, (end) => ends.id(varying.shown(end)), exchangeId);
  const steps = [...passes].map(
    ([step, passed]): StepRow => ({
      id: named.step(step),
      question: step.question,
      zone: step.delegation.zone,
      delegation: delegations.id(step.delegation),
      ...exact(passed),
      nameservers: named.nameservers(step, pathView.leaving(step).picks),
    }),
  );
  for (const { end } of outcomesIn(evaluation, 'first-tries')) ends.id(end);
  const rows = { ends: ends.rows, delegations: delegations.rows, steps, lookups: named.lookups.rows };
  return { ...rows, stepId: (step) => named.step(step) };
}

interface Graph {
  readonly ends: readonly EndRow[];
  readonly delegations: readonly DelegationRow[];
  readonly steps: readonly StepRow[];
  readonly lookups: readonly LookupRow[];
  readonly stepId: (step: Step) => string;
}

/** Rows of things, numbered from 1 in the order in which these are met. Things with equal keys are one. */
class Numbered<Thing extends object, Row> {
  readonly #prefix: string;
  readonly #keyOf: (thing: Thing) => string;
  readonly #rowOf: (id: string, thing: Thing) => Row;
  /** Most come as the same object again and again. */
  readonly #known = new Map<Thing, string>();
  readonly #ids = new Map<string, string>();
  readonly rows: Row[] = [];

  constructor(prefix: string, keyOf: (thing: Thing) => string, rowOf: (id: string, thing: Thing) => Row) {
    this.#prefix = prefix;
    this.#keyOf = keyOf;
    this.#rowOf = rowOf;
  }

  id(thing: Thing): string {
    return getOrMake(this.#known, thing, () =>
      getOrMake(this.#ids, this.#keyOf(thing), () => this.#add(thing)),
    );
  }

  #add(thing: Thing): string {
    const id = `${this.#prefix}${this.rows.length + 1}`;
    this.rows.push(this.#rowOf(id, thing));
    return id;
  }
}

/** The rows within steps, which name other steps, ends, exchanges and lookups. */
class Names {
  readonly #view: PathView;
  readonly #stepIds: ReadonlyMap<Step, string>;
  readonly #end: (end: End) => string;
  readonly #exchange: Identifiers;
  /** Lookups that begin alike are one. */
  readonly lookups = new Numbered(
    'l',
    (server: LookupServer) => JSON.stringify([server.name, this.#begins(server)]),
    (id, server): LookupRow => {
      const begins = this.#begins(server);
      return { id, name: server.name, begins, failures: this.#failures(server) };
    },
  );

  constructor(
    view: PathView,
    stepIds: ReadonlyMap<Step, string>,
    end: (end: End) => string,
    exchange: Identifiers,
  ) {
    this.#view = view;
    this.#stepIds = stepIds;
    this.#end = end;
    this.#exchange = exchange;
  }

  step(step: Step): string {
    const id = this.#stepIds.get(step);
    if (id === undefined) throw new Error('a step of the result has no identifier');
    return id;
  }

  nameservers({ servers, ends }: Step, picks: readonly AddressPick[]): readonly NameserverRow[] {
    const each = shareOf(share(servers.length));
    const byServer = new Map<StepServer, AddressPick[]>();
    for (const pick of picks) getOrMake(byServer, pick.server, () => []).push(pick);
    return servers.map((server) => ({
      name: server.name,
      ...each,
      ...this.#source(server),
      addresses: this.#addresses(server, byServer.get(server) ?? [], ends),
    }));
  }

  #source(server: StepServer): Pick<NameserverRow, 'source' | 'lookup' | 'end'> {
    switch (server.kind) {
      case 'glue':
        return { source: 'glue' };
      case 'lookup':
        return { source: 'lookup', lookup: this.lookups.id(server) };
      case 'not-looked-up':
        return { source: 'none', end: this.#end(server.end) };
    }
  }

  #addresses(server: StepServer, picks: readonly AddressPick[], ends: Step['ends']): readonly AddressRow[] {
    const weights = new Map<string, Fraction[]>();
    for (const pick of picks) getOrMake(weights, pick.address, (): Fraction[] => []).push(pick.weight);
    return [...weights].map(([address, each]) => {
      const visit = visitAt(server, address);
      const walk = walkAfter(visit) ?? { kind: 'cut', end: ends.afterVisit(visit, server.name, address) };
      return { address, ...shareOf(sum(each)), ...this.#heard(visit), leadsTo: this.#leadsTo(walk) };
    });
  }

  #heard(visit: Visit): Pick<AddressRow, 'exchange' | 'class'> {
    if (visit.kind === 'not-asked') return {};
    return { exchange: this.#exchange(visit.exchanged), class: visit.meaning.kind };
  }

  #leadsTo(walk: Walk): LeadsTo {
    return walk.kind === 'step' ? { step: this.step(walk.step) } : { end: this.#end(walk.end) };
  }

  #begins({ lookups }: LookupServer): LookupRow['begins'] {
    return lookups.map(({ family, walk }) => ({
      type: family === 4 ? 'A' : 'AAAA',
      ...this.#leadsTo(walk),
    }));
  }

  #failures(server: LookupServer): LookupRow['failures'] {
    const { whole, limits, causes } = this.#view.lookup(server);
    const parts = new Map<End, bigint>();
    for (const why of [limits, causes]) for (const [end, own] of why) include(parts, end, own);
    return [...parts].map(([end, numerator]) => ({
      fraction: fractionText({ numerator, denominator: whole }),
      end: this.#end(end),
    }));
  }
}

function shareOf(weight: Fraction): Share {
  const fraction = lowestTerms(weight);
  return { share: toNumber(fraction), fraction: fractionText(fraction) };
}
