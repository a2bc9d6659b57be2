import type { Command } from 'commander';
import { getOrMake } from '../../base/memo.ts';
import { parseAddress } from '../../dns/address.ts';
import { isAtOrBelow, type Name, ROOT } from '../../dns/name.ts';
import { plain } from '../../document/words/names.ts';
import { type ServerOrAddress, serverText, type WhatIf } from '../../evaluate/world.ts';
import { type Delegation, delegationOf } from '../../explore/delegation.ts';
import type { WhatIfReplay } from '../../traversal/replay.ts';
import { usageError } from '../process/errors.ts';
import type { Evaluating } from '../runner/runner.ts';
import { quoted, readName } from './names.ts';

/** The options that imagine another world, as commander gives them. */
export interface WhatIfFlags extends PlanFlags {
  readonly down?: readonly string[];
  readonly without?: readonly string[];
  readonly only?: readonly string[];
}

/** Those that plan a change. */
export interface PlanFlags {
  readonly delegate?: readonly string[];
  readonly zone?: readonly string[];
  readonly ds?: readonly string[];
}

/** Adds them. Each can be given several times. */
export function addWhatIfFlags(command: Command): void {
  command
    .optionsGroup('What if:')
    .option('--down <x>', 'what if X (a server or an address) did not reply; repeatable', oneMore)
    .option('--without <x>', 'what if X were taken out of every delegation; repeatable', oneMore)
    .option('--only <x>', 'what if X were the only server left in its delegations; repeatable', oneMore);
  addPlanFlags(command);
}

/** Adds those that plan a change. Each can be given several times. */
export function addPlanFlags(command: Command): void {
  command
    .option('--delegate <zone=ns>', 'what if ZONE were delegated to NS[/ADDRESS...]; repeatable', oneMore)
    .option('--zone <zone=file>', "what if ZONE's servers had this zone file (-: stdin); repeatable", oneMore)
    .option(
      '--ds <zone=ds>',
      'what if ZONE had this DS record: TAG,ALGORITHM,DIGEST,HEX, those of a file, or none; repeatable',
      oneMore,
    );
}

/**
 * How to evaluate the world that the flags imagine; undefined: the recorded one. Throws a `CommandError` for bad flags,
 * and so does the evaluation if there is no such world.
 */
export async function evaluatingFor(flags: WhatIfFlags): Promise<Evaluating | undefined> {
  const whatIf = whatIfOf(flags);
  if (whatIf === undefined) return undefined;
  const { replayWhatIf } = await import('../../traversal/replay.ts');
  return (saved) => {
    const imagined = replayWhatIf(saved, whatIf);
    if (imagined.kind === 'imagined') return imagined.result;
    throw usageError(whyNot(imagined));
  };
}

function whyNot(one: Exclude<WhatIfReplay, { readonly kind: 'imagined' }>): string {
  switch (one.kind) {
    case 'unknown-server':
      return `no name server on the way ${one.server.kind === 'server' ? 'is called' : 'has the address'} ${serverText(one.server)}: --json lists them as nameservers`;
    case 'taken':
      return `--without takes away ${serverText(one.server)}, which --only leaves: leave out one of them`;
    case 'emptied':
      // --only never takes the last one.
      return `--without takes away every name server of ${plain(one.zone)}: keep one of them`;
  }
}

function whatIfOf({ down, without, only }: WhatIfFlags): WhatIf | undefined {
  if ((down ?? without ?? only) === undefined) return undefined;
  const whatIf = { down: serversIn(down), without: serversIn(without), only: serversIn(only) };
  const gone = new Set(whatIf.without.map(serverText));
  const both = whatIf.only.map(serverText).find((server) => gone.has(server));
  if (both !== undefined)
    throw usageError(`${both} cannot be both gone and left: leave it out of --without or of --only`);
  return whatIf;
}

/**
 * The delegations that the flags plan, one for each zone; undefined if they plan none. Throws a `CommandError`
 * for what is no delegation.
 */
export function plannedOf({ delegate }: WhatIfFlags): readonly Delegation[] | undefined {
  if (delegate === undefined) return undefined;
  const zones = new Map<Name, Map<Name, readonly string[]>>();
  for (const text of delegate) {
    const { zone, name, addresses } = plannedServer(text);
    const servers = getOrMake(zones, zone, () => new Map<Name, readonly string[]>());
    servers.set(name, [...(servers.get(name) ?? []), ...addresses]);
  }
  return [...zones].map(([zone, servers]) => delegationOf(zone, servers));
}

interface PlannedServer {
  readonly zone: Name;
  readonly name: Name;
  readonly addresses: readonly string[];
}

function plannedServer(text: string): PlannedServer {
  const [, zoneText, nameText, rest] = /^([^=]+)=([^/]+)((?:\/[^/]+)*)$/.exec(text) ?? [];
  if (zoneText === undefined || nameText === undefined)
    throw usageError(`--delegate ${quoted(text)}: write ZONE=NAME or ZONE=NAME/ADDRESS`);
  const zone = readName(zoneText);
  const name = readName(nameText);
  if (zone === ROOT)
    throw usageError('--delegate: the root is delegated by nobody; --root-hints names its servers');
  const addresses = (rest ?? '')
    .split('/')
    .slice(1)
    .map((one) => {
      const address = parseAddress(one);
      if (address === undefined)
        throw usageError(`--delegate ${quoted(text)}: ${quoted(one)} is not an address`);
      return address;
    });
  if (addresses.length === 0 && isAtOrBelow(name, zone))
    throw usageError(
      `--delegate ${quoted(text)}: a name server within the zone needs an address: ${text}/ADDRESS`,
    );
  return { zone, name, addresses };
}

function oneMore(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Each once, however often it is given. */
function serversIn(texts: readonly string[] = []): readonly ServerOrAddress[] {
  const servers = new Map<string, ServerOrAddress>();
  for (const text of texts) {
    const server = serverIn(text);
    servers.set(serverText(server), server);
  }
  return [...servers.values()];
}

function serverIn(text: string): ServerOrAddress {
  const address = parseAddress(text);
  return address === undefined ? { kind: 'server', name: readName(text) } : { kind: 'address', address };
}
