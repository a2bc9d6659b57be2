import { getOrMake } from '../base/memo.ts';
import type { Family } from '../dns/address.ts';
import type { Name } from '../dns/name.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import { type Delegation, glueFor } from '../explore/delegation.ts';
import type { Recording } from '../explore/recording.ts';
import { addressesOf } from './addresses-to-pick.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import type { Step, Walk } from './step.ts';
import { bottomUp, stepsInOrder } from './step-order.ts';
import {
  EVERY_ADDRESS,
  type EvaluatedWorld,
  type NamesAndAddresses,
  namesAndAddresses,
  type Selection,
  type ServerOrAddress,
  type WhatIf,
} from './world.ts';

/**
 * Evaluates the world that was recorded with some differences, as if that had been explored: svc-model(7),
 * WHAT IF. A pure function. `recorded`: the evaluation of the recording as it is.
 */
export function evaluateWhatIf(
  recording: Recording,
  recorded: Evaluation,
  whatIf: WhatIf,
  asked: AskOptions,
): WhatIfEvaluation {
  const servers = [...whatIf.down, ...whatIf.without, ...whatIf.only];
  const known = serversIn(recorded);
  const unknown = servers.find((one) => !isKnown(one, known));
  if (unknown !== undefined) return { kind: 'unknown-server', server: unknown };
  const taken = takenIn(recorded, whatIf);
  if (taken !== undefined) return { kind: 'taken', server: taken };
  const evaluation = evaluate(recording, changedWorld(whatIf, asked), recorded);
  const emptied = stepsIn(evaluation).find(({ delegation }) => delegation.nameservers.length === 0);
  if (emptied !== undefined) return { kind: 'emptied', zone: emptied.delegation.zone };
  return { kind: 'imagined', evaluation };
}

/** What an imagined world comes to, or why there is no such world. */
export type WhatIfEvaluation =
  | { readonly kind: 'imagined'; readonly evaluation: Evaluation }
  /** The recording has no such server or address. */
  | { readonly kind: 'unknown-server'; readonly server: ServerOrAddress }
  /** `only` leaves this server or address, and `without` takes it: its name, or all its addresses. */
  | { readonly kind: 'taken'; readonly server: ServerOrAddress }
  /** A path comes to a delegation of this zone, and no name server is left in it. */
  | { readonly kind: 'emptied'; readonly zone: Name };

/** The first of `only` that is in every delegation taken away: else "only X is left" would be said of the others. */
function takenIn(recorded: Evaluation, { without, only }: WhatIf): ServerOrAddress | undefined {
  if (without.length === 0 || only.length === 0) return undefined;
  const gone = namesAndAddresses(without);
  const names = new Set<Name>();
  const addresses = new Set<string>();
  for (const server of [...everyStep(recorded)].flatMap(({ servers }) => servers)) {
    const had = addressesOf(server);
    const left = had.filter((address) => !gone.addresses.has(address));
    if (gone.names.has(server.name) || (had.length > 0 && left.length === 0)) continue;
    names.add(server.name);
    for (const address of left) addresses.add(address);
  }
  return only.find((one) => !isKnown(one, { names, addresses }));
}

/** The servers of every step. */
function serversIn(evaluation: Evaluation): NamesAndAddresses {
  const names = new Set<Name>();
  const addresses = new Set<string>();
  for (const { delegation, servers } of everyStep(evaluation)) {
    for (const { name, glue } of delegation.nameservers) {
      names.add(name);
      for (const address of glue) addresses.add(address);
    }
    for (const address of servers.flatMap(addressesOf)) addresses.add(address);
  }
  return { names, addresses };
}

/** Those included that no path comes to while some server gives an own set. */
function everyStep({ start, warm, validation }: Evaluation): Iterable<Step> {
  const fromWarm = warm === undefined ? [] : [warm.start];
  return bottomUp(start, ...fromWarm, ...(validation?.steps ?? []).map(walkAt));
}

function walkAt(step: Step): Walk {
  return { kind: 'step', step };
}

function isKnown(one: ServerOrAddress, { names, addresses }: NamesAndAddresses): boolean {
  return one.kind === 'server' ? names.has(one.name) : addresses.has(one.address);
}

/** The steps that some path meets, cold or warm, or of a resolver that demands proof. */
function stepsIn({ passes, warm, validation }: Evaluation): readonly Step[] {
  return [
    ...passes.keys(),
    ...(warm === undefined ? [] : stepsInOrder(warm.start, warm.pathView)),
    ...(validation?.steps ?? []),
  ];
}

/** How the recorded world was asked. */
interface AskOptions {
  readonly families: readonly Family[];
  readonly timeoutMs: number;
  readonly retries: number;
  readonly maxQueries: number;
}

/** The world that was recorded with these differences: svc-model(7), WHAT IF. */
export function changedWorld(whatIf: WhatIf, asked: AskOptions): EvaluatedWorld {
  const [down, gone, only] = [
    namesAndAddresses(whatIf.down),
    namesAndAddresses(whatIf.without),
    namesAndAddresses(whatIf.only),
  ];
  const delegations = new WeakMap<Delegation, Delegation>();
  const silent = new WeakMap<Exchanged, Exchanged>();
  const { families, maxQueries } = asked;
  return {
    delegation: (recorded) =>
      getOrMake(delegations, recorded, () => cutDown(taken(recorded, gone, families), only, families)),
    selection: selectionOf(gone, only),
    isDown: (server) => down.names.has(server),
    exchanged: (recorded, server) =>
      server === 'down' || down.addresses.has(recorded.address)
        ? getOrMake(silent, recorded, () => unanswered(recorded, asked))
        : recorded,
    lacking: () => ({ kind: 'query-limit', limit: maxQueries }),
  };
}

/** A name leaves with the last of its glue: else its address would be looked up, which nobody does now. */
function taken(delegation: Delegation, gone: NamesAndAddresses, families: readonly Family[]): Delegation {
  const nameservers = delegation.nameservers.flatMap((server) => {
    if (gone.names.has(server.name)) return [];
    const left = { ...server, glue: server.glue.filter((address) => !gone.addresses.has(address)) };
    const isLast = glueFor(server, families).length > 0 && glueFor(left, families).length === 0;
    return isLast ? [] : [left];
  });
  return { ...delegation, nameservers };
}

function cutDown(delegation: Delegation, only: NamesAndAddresses, families: readonly Family[]): Delegation {
  const chosen = delegation.nameservers.flatMap((server) => {
    const glue = glueFor(server, families).filter((address) => only.addresses.has(address));
    if (glue.length > 0) return [{ ...server, glue }];
    return only.names.has(server.name) ? [server] : [];
  });
  return chosen.length === 0 ? delegation : { ...delegation, nameservers: chosen };
}

function selectionOf(gone: NamesAndAddresses, only: NamesAndAddresses): Selection {
  const { ofAnswer } = gone.addresses.size === 0 ? EVERY_ADDRESS : { ofAnswer: without(gone.addresses) };
  return only.addresses.size === 0 ? { ofAnswer } : { ofAnswer, ofAll: among(only.addresses) };
}

function without(gone: ReadonlySet<string>): Selection['ofAnswer'] {
  return (addresses) => addresses.filter((address) => !gone.has(address));
}

function among(only: ReadonlySet<string>): Selection['ofAnswer'] {
  return (addresses) => {
    const chosen = addresses.filter((address) => only.has(address));
    return chosen.length === 0 ? addresses : chosen;
  };
}

/** As if every try of the stage that exchanges begin with had been waited for. */
function unanswered(recorded: Exchanged, { timeoutMs, retries }: AskOptions): Exchanged {
  return { ...recorded, outcome: { kind: 'timeout' }, tries: [], elapsedMs: (1 + retries) * timeoutMs };
}
