import t from 'tap';
import { parseName } from '../../src/dns/name.ts';
import type { PastJob } from '../../src/document/api/history.ts';
import type { UsersRow, VerdictRow } from '../../src/document/result.ts';
import { pastRows, seenFirst, timeWords } from '../../src/page/model/past-results.ts';

const ONE: UsersRow = {
  kind: 'answer',
  answer: ['192.0.2.1'],
  share: { fraction: '1', least: 1, most: 1 },
  profiles: {},
  from: [],
};
const OTHER: UsersRow = { ...ONE, answer: ['192.0.2.2'] };

const OK: VerdictRow = {
  status: 'ok',
  text: 'all users get the answer',
  severity: 'info',
  exitStatus: 0,
};

function past(id: string, more: Partial<PastJob> = {}, said: Partial<PastJob['conclusion']> = {}): PastJob {
  return {
    id,
    status: 'complete',
    query: { name: parseName('www.example'), type: 'A', class: 'IN' },
    createdAt: '2026-01-31T12:00:00.000Z',
    finishedAt: '2026-01-31T12:00:01.250Z',
    progress: { exchanges: 1, pending: 0 },
    conclusion: {
      status: 'complete',
      verdict: OK,
      users: [ONE],
      limits: [],
      findings: { critical: 0, error: 0, warning: 0, notice: 0, info: 0 },
      durationMs: 1,
      ...said,
    },
    ...more,
  };
}

t.test('a row says whether users got something else than the time before', async (t) => {
  const rotating = (address: string): UsersRow => ({ ...ONE, answer: [address], varies: true });
  const other = past('b', {}, { users: [OTHER] });
  const failed = past('f', { status: 'failed', error: { title: 'Bug', detail: 'It failed.' } });
  for (const [what, jobs, changes] of [
    ['one alone', [past('a')], [undefined]],
    ['the same', [past('a'), past('b')], ['same', undefined]],
    ['another answer', [past('a'), other], ['changed', undefined]],
    ['what failed in between says nothing', [past('a'), failed, other], ['changed', undefined, undefined]],
    [
      'addresses that rotate',
      [
        past('a', {}, { verdict: { ...OK, text: 'one of at least 3' }, users: [rotating('192.0.2.1')] }),
        past('b', {}, { verdict: { ...OK, text: 'one of at least 4' }, users: [rotating('192.0.2.2')] }),
      ],
      ['same', undefined],
    ],
    [
      'trouble',
      [past('a', {}, { verdict: { ...OK, status: 'slow', exitStatus: 1 } }), past('b')],
      ['changed', undefined],
    ],
  ] as const)
    t.same(
      pastRows(jobs).map(({ change }) => change),
      changes,
      what,
    );
});

t.test('the first result since another one that says what a later one says', async (t) => {
  const other = { users: [OTHER] };
  const fell = past('f', { status: 'failed', error: { title: 'Bug', detail: 'It failed.' } });
  const jobs = [past('d', {}, other), past('c', {}, other), fell, past('b', {}, other), past('a'), past('0')];
  for (const [what, rows, before, after, first] of [
    ['the first of three', jobs, 'a', 'd', 'b'],
    ['whatever was before', jobs, '0', 'd', 'b'],
    ['later results do not count', jobs, 'a', 'c', 'b'],
    ['the change itself', jobs, 'a', 'b', 'b'],
    ['nothing changed', jobs, '0', 'a', 'a'],
    ['nothing changed since a result in between', jobs, 'b', 'd', 'd'],
    ['the first that is known', jobs.slice(0, 2), 'a', 'd', 'c'],
    ['a result that is not in the list', jobs.slice(1), 'a', 'd', 'd'],
  ] as const)
    t.equal(seenFirst(pastRows(rows), before, after), first, what);
});

t.test('a row says in words what came of a job', async (t) => {
  for (const [job, words, effect] of [
    [past('a'), 'all users get the answer: 192.0.2.1', 'ends-well'],
    [
      past('a', {}, { verdict: { ...OK, status: 'slow', exitStatus: 1 } }),
      'all users get the answer: 192.0.2.1',
      'fails',
    ],
    [
      past('a', {}, { verdict: { ...OK, status: 'unknown', exitStatus: 3 } }),
      'all users get the answer: 192.0.2.1',
      'unknown',
    ],
    [past('a', { status: 'cancelled' }), 'cancelled', 'unknown'],
    [
      past('a', { status: 'failed', error: { title: 'Bug', detail: 'a\u202eb' } }),
      'failed: a\\u{202e}b',
      'unknown',
    ],
  ] as const)
    t.match(pastRows([job]), [{ words, effect, hasResult: job.status === 'complete' }]);
});

t.test('times are written without what nobody reads', async (t) => {
  t.equal(timeWords('2026-01-31T12:00:01.250Z'), '2026-01-31 12:00:01 UTC');
  t.equal(timeWords('2026-01-31T12:00:01Z'), '2026-01-31 12:00:01 UTC');
});
