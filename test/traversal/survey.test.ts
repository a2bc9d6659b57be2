import t from 'tap';
import { onAbort } from '../../src/base/abort.ts';
import type { Fingerprint, ListedServer } from '../../src/document/servers.ts';
import type { MetServer } from '../../src/traversal/servers-met.ts';
import { MOST_ASKED, SURVEY_MS, survey } from '../../src/traversal/survey.ts';
import { createFakeClock, settled } from '../base/fake-clock.ts';

const BIND: Fingerprint = { versionBind: { status: 'answer', text: '9.18.49' } };

function met(number: number, reaction: MetServer['reaction'] = 'replied'): MetServer {
  return { address: `192.0.${number >> 8}.${number & 255}`, names: [], zones: [], reaction };
}

function metMany(count: number, reaction: MetServer['reaction'] = 'replied'): readonly MetServer[] {
  return Array.from({ length: count }, (_, index) => met(index, reaction));
}

/** What each row says: the status of version.bind, or why there is none. */
function said(rows: readonly ListedServer[]): readonly string[] {
  return rows.map(({ versionBind: told }) => (told.status === 'skipped' ? told.reason : told.status));
}

/** A survey that a test leads: who is asked waits until it answers. */
function setUp(servers: readonly MetServer[], known?: (address: string) => Fingerprint | undefined) {
  const clock = createFakeClock();
  const stop = new AbortController();
  const asked: string[] = [];
  const told: string[] = [];
  const waiting = new Map<string, (fingerprint: Fingerprint) => void>();
  const fingerprint = ({ address }: MetServer, signal: AbortSignal) =>
    new Promise<Fingerprint>((resolve, reject) => {
      asked.push(address);
      waiting.set(address, resolve);
      onAbort(signal, () => reject(signal.reason));
    });
  const rows = survey(servers, {
    fingerprint,
    clock,
    signal: stop.signal,
    ...(known === undefined ? {} : { known }),
    tell: ({ address }) => told.push(address),
  });
  /** All who are asked answer, and so do those who are asked then. */
  const answerAll = async () => {
    await settled();
    while (waiting.size > 0) {
      for (const [address, answer] of waiting) {
        waiting.delete(address);
        answer(BIND);
      }
      await settled();
    }
  };
  return { clock, stop, asked, told, rows, answerAll };
}

t.test('who never replied is not asked, and says so', async (t) => {
  const { asked, told, rows, answerAll } = setUp([
    met(1),
    met(2, 'silent'),
    { ...met(3), allNames: 'unknown' },
  ]);
  await answerAll();
  const skipped = { status: 'skipped', reason: 'silent' } as const;
  t.strictSame(await rows, [
    { address: '192.0.0.1', names: [], zones: [], ...BIND },
    {
      address: '192.0.0.2',
      names: [],
      zones: [],
      versionBind: skipped,
      hostnameBind: skipped,
      idServer: skipped,
      nsid: skipped,
    },
    { address: '192.0.0.3', names: [], zones: [], ...BIND },
  ]);
  t.same(asked, ['192.0.0.1', '192.0.0.3']);
  t.same([...told].sort(), ['192.0.0.1', '192.0.0.2', '192.0.0.3'], 'every row is told');
});

t.test('thousands of silent servers are no work at all', async (t) => {
  const { clock, asked, rows } = setUp(metMany(1_700, 'silent'));
  t.same(new Set(said(await rows)), new Set(['silent']));
  t.same([(await rows).length, asked, clock.timers], [1_700, [], 0]);
});

t.test('no more than some are asked; each of the others is still a row', async (t) => {
  const { asked, rows, answerAll } = setUp(metMany(MOST_ASKED + 10));
  await answerAll();
  const words = said(await rows);
  t.equal(asked.length, MOST_ASKED);
  t.same(new Set(words.slice(0, MOST_ASKED)), new Set(['answer']));
  t.same(words.slice(MOST_ASKED), Array(10).fill('limit'));
});

t.test('what is known costs nothing, and says what a server that is silent now said before', async (t) => {
  const servers = [met(1), met(2, 'silent'), ...metMany(MOST_ASKED).map((_, index) => met(300 + index))];
  const known = (address: string) => (/^192\.0\.0\.[12]$/.test(address) ? BIND : undefined);
  const { asked, rows, answerAll } = setUp(servers, known);
  await answerAll();
  t.same(new Set(said(await rows)), new Set(['answer']));
  t.equal(asked.length, MOST_ASKED);
});

t.test('it ends in time, however long servers take, and with what there is by then', async (t) => {
  const { clock, asked, rows } = setUp(metMany(100));
  await clock.advance(SURVEY_MS - 1);
  let over = false;
  void rows.then(() => {
    over = true;
  });
  await settled();
  t.notOk(over);
  t.ok(asked.length < 100, 'they are not all asked at once');
  await clock.advance(1);
  t.same(said(await rows), Array(100).fill('time'));
  t.equal(clock.timers, 0);
});

t.test('it is stopped by its signal, and tells nothing more', async (t) => {
  const { clock, stop, told, rows } = setUp([met(1), met(2, 'silent')]);
  stop.abort(new Error('enough'));
  await t.rejects(rows, { message: 'enough' });
  t.same([told, clock.timers], [['192.0.0.2'], 0]);
  await t.rejects(survey([], { fingerprint: async () => BIND, clock, signal: stop.signal }), {
    message: 'enough',
  });
});

t.test('a bug in asking is no row', async (t) => {
  const clock = createFakeClock();
  const { signal } = new AbortController();
  const fingerprint = () => Promise.reject(new Error('oh'));
  await t.rejects(survey(metMany(3), { fingerprint, clock, signal }), { message: 'oh' });
  t.equal(clock.timers, 0);
});
