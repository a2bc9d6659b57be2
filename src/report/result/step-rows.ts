import { getOrMake } from '../../base/memo.ts';
import type { Pausable } from '../../base/pausable.ts';
import type { Share } from '../../document/common-shapes.ts';
import { exact } from '../../document/ends.ts';
import type { Identifiers } from '../../document/identifiers.ts';
import type { AddressRow, LeadsTo, LookupRow, NameserverRow, StepRow } from '../../document/steps.ts';
import type { End } from '../../evaluate/end.ts';
import type { Evaluation } from '../../evaluate/evaluate.ts';
import { type Fraction, fractionText, lowestTerms, share, sum, toNumber } from '../../evaluate/fraction.ts';
import type { AddressPick } from '../../evaluate/path-view.ts';
import {
  type Step,
  type StepServer,
  type Visit,
  visitAt,
  type Walk,
  walkAfter,
} from '../../evaluate/step.ts';
import { Lookups } from './lookup-rows.ts';

/** What the graph's rows are named by. */
interface GraphIdentifiers extends Identifiers {
  end(end: End): string;
}

interface Graph {
  readonly steps: readonly StepRow[];
  readonly lookups: readonly LookupRow[];
}

/** The graph: a row for each step that some path meets, each after all that lead to it, and for each lookup. */
export function* stepRows(evaluation: Evaluation, ids: GraphIdentifiers): Pausable<Graph> {
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
      nameservers: nameserverRows(step, pathView.picks(step), lookups, ids),
    });
    yield;
  }
  return { steps, lookups: lookups.rows };
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
