/**
 * What a planned delegation is said to bring in random worlds, beside worlds in which the registrar has made
 * it: every reply of the servers above that gives way is a referral to the new servers there.
 */
import t from 'tap';
import type { Step } from '../../../src/evaluate/step.ts';
import { queryKey } from '../../../src/exchange/query.ts';
import { type Delegation, delegationOf } from '../../../src/explore/delegation.ts';
import { isUsable, type Meaning } from '../../../src/explore/meaning.ts';
import { meaningFor } from '../../../src/explore/meaning-for.ts';
import { isAtOrBelow, isBelow, type Name, parseName } from '../../../src/wire/name.ts';
import { randomWarmWorld } from '../random-warm-world.ts';
import { pick, randomFrom, randomWorld, type Said, type World } from '../random-world.ts';
import { compareLines, type Run, runWorld, spelledView } from '../run-world.ts';

const WORLDS = 400;
const MOST_QUERIES = 100_000;
const NEW_SERVERS = ['11.9.9.1', '2a00:9:9::1'];

/** What new servers say: nothing that leads on to servers from before. */
const FINAL: readonly Said[] = [
  { kind: 'answer', data: ['11.0.0.1'] },
  { kind: 'nodata' },
  { kind: 'nxdomain' },
  { kind: 'timeout' },
  { kind: 'error', rcode: 'REFUSED' },
];

for (const check of ['off', 'on'] as const) {
  t.test(`what ${WORLDS} worlds come to with a planned delegation, check ${check}`, async (t) => {
    const seen = { compared: 0, changed: 0 };
    for (let seed = 1; seed <= WORLDS; seed += 1) {
      const random = randomFrom(`plan ${seed}`);
      const zone = parseName(pick(random, ['x.a.', 'p.x.a.', 'y.a.', 'z.b.', 'www.x.a.']));
      const before = check === 'on' ? randomWarmWorld(seed) : randomWorld(seed);
      const world = withNewServers(before, pick(random, FINAL));
      const planned = delegationOf(zone, new Map([[parseName(`ns9.${zone}`), NEW_SERVERS]]));
      const found = await runWorld(world, MOST_QUERIES, check, [planned]);
      const givingWay = repliesGivingWay(stepsIn(found), zone);
      if (givingWay === undefined) continue;
      const really = await runWorld(redelegated(world, planned, givingWay), MOST_QUERIES, check);
      seen.compared += 1;
      if (givingWay.size > 0) seen.changed += 1;
      const differences = compareLines('what is planned', views(really), views(found));
      if (differences.length > 0) t.fail(`world ${seed}`, { zone, differences });
    }
    t.ok(seen.compared > WORLDS / 2, 'most can be compared', seen);
    t.ok(seen.changed > WORLDS / 5, 'many are changed', seen);
  });
}

function withNewServers(world: World, final: Said): World {
  return {
    ...world,
    says: (address, name, type) =>
      NEW_SERVERS.includes(address) ? finalFor(final, type) : world.says(address, name, type),
  };
}

function finalFor(final: Said, type: string): Said {
  return final.kind === 'answer' && type !== 'A' ? { kind: 'nodata' } : final;
}

function stepsIn({ evaluation }: Run): readonly Step[] {
  return [...evaluation.passes.keys(), ...(evaluation.warm?.steps ?? [])];
}

/**
 * By key, the exchanges whose replies give way: svc-model(7), WHAT IF. Undefined where one does at one
 * delegation and not at another, as no server could know that.
 */
function repliesGivingWay(steps: readonly Step[], zone: Name): ReadonlySet<string> | undefined {
  const decided = new Map<string, boolean>();
  for (const { question, delegation, visits } of steps) {
    if (!isBelow(zone, delegation.zone) || !isAtOrBelow(question.name, zone)) continue;
    const heard = [...visits.values()].flatMap((visit) => (visit.kind === 'asked' ? [visit.exchanged] : []));
    const meanings = heard.map((one) => [queryKey(one), meaningFor(one, delegation.zone)] as const);
    const between = meanings.some(([, meaning]) => isReferralAbove(meaning, zone));
    for (const [key, meaning] of meanings) {
      const stays = meaning.kind === 'referral' ? isReferralAbove(meaning, zone) : between;
      const givesWay = isUsable(meaning.kind) && !stays;
      if ((decided.get(key) ?? givesWay) !== givesWay) return undefined;
      decided.set(key, givesWay);
    }
  }
  return new Set([...decided].flatMap(([key, givesWay]) => (givesWay ? [key] : [])));
}

function isReferralAbove(meaning: Meaning, zone: Name): boolean {
  return meaning.kind === 'referral' && isBelow(zone, meaning.delegation.zone);
}

function redelegated(world: World, { zone, nameservers }: Delegation, replies: ReadonlySet<string>): World {
  const servers = nameservers.map(({ name, glue }) => ({ name, addresses: glue }));
  return {
    ...world,
    says: (address, name, type) =>
      replies.has(queryKey({ address, question: { name: parseName(name), type } }))
        ? { kind: 'ns', zone, servers }
        : world.says(address, name, type),
  };
}

function views({ evaluation }: Run): readonly string[] {
  return [evaluation, evaluation.warm].flatMap((both, at) =>
    [both?.outcomes ?? [], both?.resolverOutcomes ?? []].flatMap((view, which) =>
      spelledView(view).map((line) => `${at} ${which}: ${line}`),
    ),
  );
}
