import type { StepRow } from '../../document/steps.ts';
import { grouped } from '../../reading/grouped.ts';
import { listed } from '../../reading/listed.ts';
import type { Graph } from '../../reading/result-index.ts';
import type { Name } from '../../wire/name.ts';
import { questionKey } from '../../wire/question.ts';

/** The text that is equal exactly for steps of one delegation and question. */
export function zoneKey({ question, delegation }: StepRow): string {
  return `zone ${delegation} ${questionKey(question)}`;
}

/** Who delegates a zone so, for the zones of a walk that others delegate otherwise; by their keys. */
export function delegationRemarks(steps: readonly StepRow[], graph: Graph): ReadonlyMap<string, string> {
  const referring = referringServers(steps, graph);
  const zones = grouped(steps, ({ zone, question }) => `${zone} ${questionKey(question)}`);
  const disputed = zones
    .map((same) => [...new Set(same.map(zoneKey))])
    .filter((delegations) => delegations.length > 1);
  return new Map(
    disputed
      .flat()
      .map((key) => [key, [...(referring.get(key) ?? [])]] as const)
      .filter(([, servers]) => servers.length > 0)
      .map(([key, servers]) => [key, `as delegated by ${listed(servers, NAMED)}`]),
  );
}

const NAMED = 3;

function referringServers(steps: readonly StepRow[], graph: Graph): ReadonlyMap<string, ReadonlySet<Name>> {
  const referring = new Map<string, Set<Name>>();
  for (const { name, addresses } of steps.flatMap(({ nameservers }) => nameservers)) {
    for (const { class: heard, leadsTo } of addresses) {
      const step = heard === 'referral' && 'step' in leadsTo ? graph.step(leadsTo.step) : undefined;
      if (step === undefined) continue;
      const known = referring.get(zoneKey(step));
      if (known === undefined) referring.set(zoneKey(step), new Set([name]));
      else known.add(name);
    }
  }
  return referring;
}
