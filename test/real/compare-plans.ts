import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { parseName } from '../../src/dns/name.ts';
import { DEFAULT_OPTIONS } from '../../src/document/options.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { createExchange } from '../../src/exchange/exchange.ts';
import { dsData } from '../../src/lab/signing/signing-key.ts';
import { trustAnchorOf, type World } from '../../src/lab/world.ts';
import { type Plan, traverse } from '../../src/traversal/traverse.ts';
import { ED25519, fileOf, HINTS, type RandomPlan, randomPlan, views } from '../traversal/planned-zones.ts';
import { Cleanup } from './daemon.ts';
import { startHierarchy } from './hierarchy.ts';
import { placeFor } from './setting.ts';
import type { NameServer } from './world/zone.ts';

const SOFTWARE = ['nsd', 'bind', 'knot'] as const;

/**
 * What plans are imagined to bring is found once their files are loaded into NSD, BIND and Knot DNS, to the fraction. Each
 * server runs one of the three, by its number and that of the plan.
 */
export async function comparePlans(t: Test, from: number, count: number): Promise<void> {
  const { directory } = await placeFor(t);
  for (let number = from; number < from + count; number += 1) {
    const { today, later, plan, questions } = randomPlan(number);
    // Whether servers follow an alias into another zone that they have is theirs to decide.
    const asked = questions.filter(
      ({ name }) => !name.startsWith('far.') && !(name.startsWith('x.old.') && isMisproved(later, number)),
    );
    const imagined = await results(today, number, join(directory, `${number}-today`), asked, plan);
    const real = await results(later, number, join(directory, `${number}-later`), asked);
    for (const [index, { name, type }] of asked.entries())
      t.strictSame(imagined[index], real[index], `plan ${number}: ${name} ${type}`);
  }
}

/** Whether NSD has the signed zone: where a DNAME leads to a wildcard, it proves something of the name asked for instead. */
function isMisproved({ servers }: World, number: number): boolean {
  return servers.some(({ signed = {} }, index) => {
    const signing = signed['z.test.'];
    return signing !== undefined && signing !== 'unsigned' && softwareOf(number, index) === 'nsd';
  });
}

/** What the views say of each question, asked of real servers. */
async function results(
  world: World,
  number: number,
  directory: string,
  questions: RandomPlan['questions'],
  plan?: Plan,
): Promise<readonly ReturnType<typeof views>[]> {
  const cleanup = new Cleanup();
  await mkdir(directory);
  try {
    await startHierarchy({ nameServers: serversOf(world, number), rootHints: '' }, directory, cleanup);
    const found: ReturnType<typeof views>[] = [];
    for (const question of questions) found.push(views(await result(world, question, plan)));
    return found;
  } finally {
    await cleanup.run();
  }
}

async function result(
  world: World,
  question: RandomPlan['questions'][number],
  plan: Plan | undefined,
): Promise<TraversalResult> {
  const exchange = createExchange({
    route: (address) => ({ address: placeOf(address), port: 53 }),
    timeoutMs: 2000,
  });
  // Which server a product knows when depends on the times, and what is planned has none.
  const evenly: typeof exchange = async (...asked) => {
    const exchanged = await exchange(...asked);
    const { outcome } = exchanged;
    return outcome.kind === 'reply'
      ? { ...exchanged, elapsedMs: REPLY_MS, outcome: { ...outcome, rttMs: REPLY_MS } }
      : exchanged;
  };
  const anchors = trustAnchorOf(world).trim();
  const trustAnchors = anchors === '' ? {} : { trustAnchors: [anchors] };
  const shared = {
    families: [4],
    specialTargets: 'allowed',
    views: ['warm', 'validating', 'profiles'],
  } as const;
  return await traverse(
    {
      question,
      options: { ...DEFAULT_OPTIONS, ...shared, ...trustAnchors },
      hints: HINTS,
      ...(plan && { plan }),
    },
    { exchange: evenly, signal: new AbortController().signal },
  );
}

const REPLY_MS = 1;

function softwareOf(number: number, index: number): (typeof SOFTWARE)[number] {
  return SOFTWARE[(number + index) % SOFTWARE.length] ?? 'nsd';
}

/** Where an address of the world is on this host. */
function placeOf(address: string): string {
  return address.replace('192.0.2.', '127.53.20.');
}

/**
 * The servers of a world, with their zones signed before. None is dead: some servers leave addresses out of referrals that
 * others give, and the lookups of these addresses must not fail.
 */
function serversOf({ servers, signed = {} }: World, number: number): readonly NameServer[] {
  const isSigned = Object.keys(signed).length > 0;
  const dsAt = (cut: string) =>
    isSigned && cut === 'test.' ? [dsData(parseName(cut), { key: {} }, ED25519)] : [];
  return servers.map(({ addresses: [address = ''], zones = [], signed: own = {} }, index): NameServer => {
    const loaded = zones.map((text) => {
      const [, origin = '.'] = /^\$ORIGIN (\S+)/.exec(text) ?? [];
      const signing = own[origin] ?? signed[origin] ?? 'unsigned';
      return { kind: 'loaded', origin, text: `${fileOf(text, signing, dsAt)}\n` } as const;
    });
    return { software: softwareOf(number, index), address: placeOf(address), zones: loaded };
  });
}
