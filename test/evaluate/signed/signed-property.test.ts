/** What holds in every world, whatever is wrong with its signatures. */
import t from 'tap';
import type { Outcome } from '../../../src/evaluate/distribution.ts';
import { endKey } from '../../../src/evaluate/end.ts';
import { evaluate } from '../../../src/evaluate/evaluate.ts';
import { fractionText, sum } from '../../../src/evaluate/fraction.ts';
import { imagining } from '../../../src/evaluate/what-if/imagining.ts';
import type { Exchanged } from '../../../src/exchange/exchanged.ts';
import { type Query, queryKey } from '../../../src/exchange/query.ts';
import { validatingWith } from '../../../src/explore/validating/validate-with.ts';
import { getOrMake } from '../../../src/get-or-make.ts';
import { runThrough } from '../../../src/pausable.ts';
import { NODE_CRYPTO } from '../../../src/validate/node-crypto.ts';
import type { ResourceRecord } from '../../../src/wire/record.ts';
import type { Records } from '../../../src/wire/records.ts';
import { randomFrom } from '../random-world.ts';
import { randomSignedWorld, type SignedWorld } from './random-signed-world.ts';
import { runSignedWorld, type SignedRun } from './run-signed-world.ts';

const WORLDS = 30;

t.test('everything that a path needs is asked, once, whoever replies first', async (t) => {
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const world = randomSignedWorld(seed);
    const [run, again] = [
      await runSignedWorld(world, { seed }),
      await runSignedWorld(world, { seed: -seed }),
    ];
    t.equal(new Set(run.asked).size, run.asked.length, `world ${seed} asks each question once`);
    t.same([...again.asked].sort(), [...run.asked].sort(), `world ${seed} asks the same`);
    t.same(spelled(again), spelled(run), `world ${seed} comes to the same`);
    for (const view of viewsOf(run)) {
      t.equal(fractionText(sum(view.map(({ probability }) => probability))), '1', `world ${seed} is whole`);
      t.notOk(
        view.some(({ end }) => end.kind === 'work-limit'),
        `world ${seed} lacks nothing`,
      );
    }
  }
});

t.test('nor does anything break, or lack, where replies are spoilt', async (t) => {
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const run = await runSignedWorld(spoilt(randomSignedWorld(seed), randomFrom(`spoilt ${seed}`)), { seed });
    for (const view of viewsOf(run)) {
      t.equal(fractionText(sum(view.map(({ probability }) => probability))), '1', `world ${seed} is whole`);
      t.notOk(
        view.some(({ end }) => end.kind === 'work-limit'),
        `world ${seed} lacks nothing`,
      );
    }
  }
});

t.test('a recording comes to the same again, and its signatures are checked once', async (t) => {
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const run = await runSignedWorld(randomSignedWorld(seed), { seed });
    const { scope } = run.recording;
    const checked = scope.dnssec?.validation?.checks.made;
    evaluate(run.recording);
    t.equal(scope.dnssec?.validation?.checks.made, checked, `world ${seed} is not checked again`);
    const dnssec = scope.dnssec && validatingWith(NODE_CRYPTO, scope.dnssec);
    const afresh = { ...run.recording, scope: { ...scope, ...(dnssec && { dnssec }) } };
    t.same(
      spelled({ ...run, evaluation: evaluate(afresh) }),
      spelled(run),
      `world ${seed} comes to the same`,
    );
  }
});

t.test('what is asked for proof changes nothing of the cold views, whatever the limit', async (t) => {
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const world = randomSignedWorld(seed);
    const maxQueries = 1 + Math.floor(randomFrom(`limit ${seed}`)() * 25);
    const { evaluation, ...run } = await runSignedWorld(world, { seed, maxQueries });
    const without = await runSignedWorld(world, { seed, maxQueries, demands: 'nothing' });
    t.same(texts(evaluation.outcomes), texts(without.evaluation.outcomes), `world ${seed}, path view`);
    t.same(
      texts(evaluation.resolverOutcomes),
      texts(without.evaluation.resolverOutcomes),
      `world ${seed}, resolver view`,
    );
    t.equal(without.evaluation.validating, undefined);
    for (const view of viewsOf({ ...run, evaluation }))
      t.equal(fractionText(sum(view.map(({ probability }) => probability))), '1', `world ${seed} is whole`);
  }
});

t.test('what is checked besides changes nothing of the validating views, whatever the limit', async (t) => {
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const world = randomSignedWorld(seed);
    const maxQueries = 1 + Math.floor(randomFrom(`limit ${seed}`)() * 40);
    const run = await runSignedWorld(world, { seed, maxQueries });
    const checked = await runSignedWorld(world, { seed, maxQueries, change: { check: 'on' } });
    t.same(viewsOf(checked).map(texts), viewsOf(run).map(texts), `world ${seed}`);
  }
});

t.test('with a server down it comes to what the world comes to in which that server is dead', async (t) => {
  let compared = 0;
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const world = randomSignedWorld(seed);
    const run = await runSignedWorld(world, { seed });
    const addresses = [
      ...new Set([...run.recording.exchanges.values()].map(({ address }) => address)),
    ].sort();
    const address = addresses[seed % addresses.length] ?? '';
    const imagined = runThrough(
      imagining(
        run.recording,
        run.evaluation,
        { down: [{ kind: 'address', address }], without: [], only: [] },
        { families: [4], timeoutMs: 1_000, retries: 1, maxQueries: 1 },
      ),
    );
    if (imagined.kind !== 'imagined') continue;
    const views = viewsOf({ ...run, evaluation: imagined.evaluation });
    // The record may lack what would have to be asked instead.
    if (views.flat().some(({ end }) => end.kind === 'query-limit')) continue;
    const really = await runSignedWorld(silenced(world, address), { seed });
    t.same(views.map(texts), viewsOf(really).map(texts), `world ${seed} without ${address}`);
    compared += 1;
  }
  t.ok(compared > WORLDS / 2, `${compared} worlds were compared`);
});

/** A world whose servers leave records out, repeat those of others, and send some that nobody can read. */
function spoilt(world: SignedWorld, random: () => number): SignedWorld {
  const sent: ResourceRecord[] = [];
  const some = (records: readonly ResourceRecord[]) => records[Math.floor(random() * records.length)];
  const spoil = (records: Records): readonly ResourceRecord[] => {
    const own = [...records];
    sent.push(...own);
    const left = own.filter(() => random() < 0.93);
    const others = [some(sent), some(own)].filter((record) => record !== undefined && random() < 0.15);
    const unreadable = random() < 0.1 ? own.slice(0, 1).map((one) => ({ ...one, data: '\\# 3 abcdef' })) : [];
    return [...left, ...others.flatMap((record) => record ?? []), ...unreadable];
  };
  const said = new Map<string, Exchanged>();
  const exchange = (query: Query) =>
    getOrMake(said, queryKey(query), () => {
      const { outcome, ...exchanged } = world.exchange(query);
      if (outcome.kind !== 'reply') return { ...exchanged, outcome };
      const [answer, authority] = [spoil(outcome.answer), spoil(outcome.authority)];
      return { ...exchanged, outcome: { ...outcome, answer, authority } };
    });
  return { ...world, exchange };
}

function silenced(world: SignedWorld, address: string): SignedWorld {
  const exchange = (query: Parameters<SignedWorld['exchange']>[0]): Exchanged => {
    const exchanged = world.exchange(query);
    return query.address === address ? { ...exchanged, outcome: { kind: 'timeout' } } : exchanged;
  };
  return { ...world, exchange };
}

function viewsOf({ evaluation: { validating } }: SignedRun): readonly (readonly Outcome[])[] {
  return validating === undefined ? [] : [validating.outcomes, validating.firstTryOutcomes];
}

function spelled(run: SignedRun): readonly (readonly string[])[] {
  const verdicts = [...(run.evaluation.validating?.verdicts ?? [])];
  return [
    ...viewsOf(run).map(texts),
    verdicts.map(([key, verdict]) => `${key} ${JSON.stringify(verdict)}`).sort(),
  ];
}

function texts(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.map(({ end, probability }) => `${fractionText(probability)} ${endKey(end)}`);
}
