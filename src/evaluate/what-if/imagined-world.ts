import type { Exchanged } from '../../exchange/exchanged.ts';
import { type Delegation, glueFor } from '../../explore/delegation.ts';
import { getOrMake } from '../../get-or-make.ts';
import type { Family } from '../../wire/address.ts';
import { EVERY_ADDRESS, type EvaluatedWorld, type Selection } from '../evaluated-world.ts';
import { type Named, namesAndAddresses, type WhatIf } from './what-if.ts';

/** How the recorded world was asked. */
export interface AskedHow {
  readonly families: readonly Family[];
  readonly timeoutMs: number;
  readonly retries: number;
  readonly maxQueries: number;
}

/** The world that was recorded with these differences: svc-model(7), WHAT IF. */
export function imaginedWorld(whatIf: WhatIf, asked: AskedHow): EvaluatedWorld {
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
function taken(delegation: Delegation, gone: Named, families: readonly Family[]): Delegation {
  const nameservers = delegation.nameservers.flatMap((server) => {
    if (gone.names.has(server.name)) return [];
    const left = { ...server, glue: server.glue.filter((address) => !gone.addresses.has(address)) };
    const isLast = glueFor(server, families).length > 0 && glueFor(left, families).length === 0;
    return isLast ? [] : [left];
  });
  return { ...delegation, nameservers };
}

function cutDown(delegation: Delegation, only: Named, families: readonly Family[]): Delegation {
  const chosen = delegation.nameservers.flatMap((server) => {
    const glue = glueFor(server, families).filter((address) => only.addresses.has(address));
    if (glue.length > 0) return [{ ...server, glue }];
    return only.names.has(server.name) ? [server] : [];
  });
  return chosen.length === 0 ? delegation : { ...delegation, nameservers: chosen };
}

function selectionOf(gone: Named, only: Named): Selection {
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
function unanswered(recorded: Exchanged, { timeoutMs, retries }: AskedHow): Exchanged {
  return { ...recorded, outcome: { kind: 'timeout' }, tries: [], elapsedMs: (1 + retries) * timeoutMs };
}
