import type { Evaluation } from '../evaluate/evaluate.ts';
import type { Step } from '../evaluate/step.ts';
import type { Exchanged, Probed } from '../exchange/exchanged.ts';
import { queryKey } from '../exchange/query.ts';
import { type Delegation, delegationKey } from '../explore/delegation.ts';
import type { Recording } from '../explore/recording.ts';

/**
 * Numbers what a result refers to: "d1" for delegations, and so on, the same in every run over one recording.
 * `recorded`: the evaluation of the recording as it is, if the result shows another world, whose delegations
 * are numbered after those of the recording.
 */
export function identifiers(
  shown: Evaluation,
  recording: Recording,
  recorded: Evaluation = shown,
): Identifiers {
  const steps = new Map<Step, string>();
  for (const step of shown.passes.keys()) steps.set(step, `s${steps.size + 1}`);
  const delegations = new Map<string, Delegation>();
  for (const step of [...recorded.passes.keys(), ...steps.keys()]) {
    const key = delegationKey(step.delegation);
    if (!delegations.has(key)) delegations.set(key, step.delegation);
  }
  const delegationIds = numbered('d', delegations.keys());
  const exchanges = numbered('x', recording.exchanges.values());
  const probes = numbered('p', recording.probes);
  // In another world, that of the same question in the recording.
  const recordedId = (imagined: Exchanged) => {
    const own = recording.exchanges.get(queryKey(imagined));
    return own && exchanges.get(own);
  };
  return {
    step: (step) => found(steps.get(step)),
    delegation: (delegation) => found(delegationIds.get(delegationKey(delegation))),
    exchange: (exchanged) => found(exchanges.get(exchanged) ?? recordedId(exchanged)),
    probe: (probed) => found(probes.get(probed)),
    delegations: [...delegations.values()],
  };
}

/** The short names of things in one result: "s1", "d1", "x1", "p1", each counted in its order. */
export interface Identifiers {
  step(step: Step): string;
  delegation(delegation: Delegation): string;
  exchange(exchanged: Exchanged): string;
  probe(probed: Probed): string;
  /** Every delegation that some path meets, in the order of identifiers. */
  readonly delegations: readonly Delegation[];
}

function numbered<T>(prefix: string, things: Iterable<T>): ReadonlyMap<T, string> {
  const ids = new Map<T, string>();
  for (const thing of things) ids.set(thing, `${prefix}${ids.size + 1}`);
  return ids;
}

function found(id: string | undefined): string {
  if (id === undefined) throw new Error('something in the result has no identifier');
  return id;
}
