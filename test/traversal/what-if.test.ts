import t from 'tap';
import { parseName } from '../../src/dns/name.ts';
import { summaryOf } from '../../src/document/ends.ts';
import { traversalOptions } from '../../src/document/options.ts';
import { readResult, type Saved } from '../../src/document/read-result.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import type { ServerOrAddress } from '../../src/evaluate/world.ts';
import { type PlanScope, scopeOf } from '../../src/explore/recording.ts';
import { replay } from '../../src/traversal/node-replay.ts';
import { replayWhatIf } from '../../src/traversal/replay.ts';
import { exploreTable } from '../evaluate/table-world.ts';

t.test(
  'a result says what it imagines and what was recorded, and a replay starts from the exchanges',
  async (t) => {
    const saved = await savedWorld();
    const result = imagined(saved, { kind: 'server', name: parseName('ns2.a') });
    t.same(result.whatIf, { down: ['ns2.a.'], without: [], only: [], delegate: [] });
    t.same(spelled(result.views['first-tries']), ['1/2 answer', '1/2 timeout']);
    t.same(result.recorded && spelled(result.recorded.views['first-tries']), ['1 answer']);
    const plain = replay(saved);
    t.same(result.exchanges, plain.exchanges);
    t.same(result.findings, plain.findings);
    t.same(result.figures, plain.figures, 'there are as many paths');
    t.strictSame(again(result), again(plain));
  },
);

t.test('root hints that are imagined away are still there for a replay', async (t) => {
  const saved = await savedWorld();
  const result = imagined(saved, { kind: 'address', address: '192.0.2.2' }, 'without');
  t.equal(result.figures.paths, '2');
  t.equal(replay(readResult(JSON.parse(JSON.stringify(result)))).figures.paths, '4');
});

t.test('planned delegations are part of what was recorded', async (t) => {
  const planned = [
    { zone: parseName('a'), nameservers: [{ name: parseName('ns1.a'), glue: ['192.0.2.11'] }] },
  ];
  const saved = await savedWorld(planned);
  const result = replay(saved);
  t.same(result.whatIf, { down: [], without: [], only: [], delegate: planned });
  t.equal(result.recorded, undefined);
  t.strictSame(again(result), JSON.parse(JSON.stringify(result)));
});

function imagined(saved: Saved, server: ServerOrAddress, how: 'down' | 'without' = 'down'): TraversalResult {
  const whatIf = { down: [], without: [], only: [], [how]: [server] };
  const one = replayWhatIf(saved, whatIf);
  if (one.kind !== 'imagined') throw new Error(one.kind);
  return one.result;
}

/** The result as it is read back and replayed. */
function again(result: TraversalResult): unknown {
  return JSON.parse(JSON.stringify(replay(readResult(JSON.parse(JSON.stringify(result))))));
}

function spelled(view: TraversalResult['views']['resolver']): readonly string[] {
  return summaryOf(view).map(({ fraction, kind }) => `${fraction} ${kind}`);
}

async function savedWorld(planned?: PlanScope['planned']): Promise<Saved> {
  const options = traversalOptions({ families: [4], specialTargets: 'allowed' });
  const { recording } = await exploreTable({
    roots: 'r1.=192.0.2.1 r2.=192.0.2.2',
    scope: planned === undefined ? {} : { planned },
    says: {
      '192.0.2.1 *': 'referral a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12',
      '192.0.2.2 *': 'referral a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12',
      '192.0.2.11 *': 'answer 192.0.2.80',
      '192.0.2.12 *': 'answer 192.0.2.80',
    },
  });
  const { question, hints } = recording.scope;
  const at = '2026-01-01T00:00:00.000Z';
  const circumstances = { options, startedAt: at, finishedAt: at, durationMs: 1, ending: 'whole' } as const;
  return {
    recording: { ...recording, scope: scopeOf(question, hints, options, planned && { planned }) },
    circumstances,
  };
}
