import type { Recording } from '../../explore/recording.ts';
import type { Pausable } from '../../pausable.ts';
import type { Name } from '../../wire/name.ts';
import { addressesOf } from '../addresses-at.ts';
import { type Evaluation, evaluating } from '../evaluate.ts';
import { stepsInOrder } from '../passes.ts';
import type { Step } from '../step.ts';
import { type AskedHow, imaginedWorld } from './imagined-world.ts';
import type { Named, ServerOrAddress, WhatIf } from './what-if.ts';

/** What an imagined world comes to, or why there is no such world. */
export type Imagined =
  | { readonly kind: 'imagined'; readonly evaluation: Evaluation }
  /** The recording has no such server or address. */
  | { readonly kind: 'unknown-server'; readonly server: ServerOrAddress }
  /** A path comes to a delegation of this zone, and no name server is left in it. */
  | { readonly kind: 'emptied'; readonly zone: Name };

/**
 * Evaluates the world that was recorded with some differences, as if that had been explored: svc-model(7),
 * WHAT IF. A pure function. `recorded`: the evaluation of the recording as it is.
 */
export function* imagining(
  recording: Recording,
  recorded: Evaluation,
  whatIf: WhatIf,
  asked: AskedHow,
): Pausable<Imagined> {
  const servers = [...whatIf.down, ...whatIf.without, ...whatIf.only];
  const known = serversIn(recorded);
  const unknown = servers.find((one) => !isKnown(one, known));
  if (unknown !== undefined) return { kind: 'unknown-server', server: unknown };
  const evaluation = yield* evaluating(recording, imaginedWorld(whatIf, asked));
  const emptied = stepsIn(evaluation).find(({ delegation }) => delegation.nameservers.length === 0);
  if (emptied !== undefined) return { kind: 'emptied', zone: emptied.delegation.zone };
  return { kind: 'imagined', evaluation };
}

function serversIn(evaluation: Evaluation): Named {
  const names = new Set<Name>();
  const addresses = new Set<string>();
  for (const { delegation, servers } of stepsIn(evaluation)) {
    for (const { name, glue } of delegation.nameservers) {
      names.add(name);
      for (const address of glue) addresses.add(address);
    }
    for (const address of servers.flatMap(addressesOf)) addresses.add(address);
  }
  return { names, addresses };
}

function isKnown(one: ServerOrAddress, { names, addresses }: Named): boolean {
  return one.kind === 'server' ? names.has(one.name) : addresses.has(one.address);
}

/** The steps that some path meets, cold or warm, or of a resolver that demands proof. */
function stepsIn({ passes, warm, validating }: Evaluation): readonly Step[] {
  return [
    ...passes.keys(),
    ...(warm === undefined ? [] : stepsInOrder(warm.start, warm.pathView)),
    ...(validating?.steps ?? []),
  ];
}
