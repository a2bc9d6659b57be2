import type { Identifiers } from '../../document/identifiers.ts';
import type { Share } from '../../document/measures.ts';
import type { AddressRow, LeadsTo, NameserverRow, StepRow } from '../../document/steps.ts';
import { exact } from '../../document/summary.ts';
import type { End } from '../../evaluate/end.ts';
import type { Evaluation } from '../../evaluate/evaluate.ts';
import { type Fraction, fractionText, lowestTerms, share, sum, toNumber } from '../../evaluate/fraction.ts';
import type { StepPick } from '../../evaluate/path-view.ts';
import type { Step, StepServer, Visit, Walk } from '../../evaluate/step.ts';
import { visitAt, walkAfter } from '../../evaluate/visit.ts';
import { ADDRESSES_PER_STEP } from '../../explore/work.ts';
import { getOrMake } from '../../get-or-make.ts';
import { type Pausable, Pauses } from '../../pausable.ts';
import type { Name } from '../../wire/name.ts';

/** What the graph's rows are named by. */
interface GraphIdentifiers extends Identifiers {
  end(end: End): string;
}

/** The graph: a row for each step that some path meets, each after all that lead to it. */
export function* stepRows(evaluation: Evaluation, ids: GraphIdentifiers): Pausable<readonly StepRow[]> {
  const pauses = new Pauses();
  const rows: StepRow[] = [];
  for (const [step, passed] of evaluation.passes) {
    const picks = evaluation.pathView.picks(step);
    if (pauses.due(1 + picks.length / ADDRESSES_PER_STEP)) yield;
    rows.push({
      id: ids.step(step),
      question: step.question,
      zone: step.delegation.zone,
      delegation: ids.delegation(step.delegation),
      ...exact(passed),
      nameservers: nameserverRows(step, picks, ids),
    });
  }
  return rows;
}

function nameserverRows(
  step: Step,
  picks: readonly StepPick[],
  ids: GraphIdentifiers,
): readonly NameserverRow[] {
  const each = share(step.servers.length);
  const byServer = new Map<StepServer, StepPick[]>();
  for (const pick of picks) getOrMake(byServer, pick.server, () => []).push(pick);
  return step.servers.map((server) => {
    const own = byServer.get(server) ?? [];
    const failures = own.flatMap((pick) =>
      pick.kind === 'end' ? [{ ...shareOf(pick.weight), end: ids.end(pick.end) }] : [],
    );
    return {
      name: server.name,
      ...shareOf(each),
      source: server.kind === 'not-looked-up' ? 'none' : server.kind,
      ...lookupRows(server, ids),
      addresses: addressRows(step, server.name, own, ids),
      ...(failures.length > 0 ? { failures } : {}),
    };
  });
}

function lookupRows(server: StepServer, ids: GraphIdentifiers): Partial<NameserverRow> {
  if (server.kind !== 'lookup') return {};
  const lookups = server.lookups.map(({ family, walk }) => ({
    type: family === 4 ? ('A' as const) : ('AAAA' as const),
    ...leadsTo(walk, ids),
  }));
  return { lookups };
}

function addressRows(
  step: Step,
  name: Name,
  picks: readonly StepPick[],
  ids: GraphIdentifiers,
): readonly AddressRow[] {
  const weights = new Map<string, Fraction[]>();
  for (const pick of picks) {
    if (pick.kind === 'address') getOrMake(weights, pick.address, (): Fraction[] => []).push(pick.weight);
  }
  return [...weights].map(([address, each]) => {
    const visit = visitAt(step, address);
    return {
      address,
      ...shareOf(sum(each)),
      ...heard(visit, ids),
      leadsTo: after(visit, ids, () => step.ends.afterVisit(visit, name, address)),
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
