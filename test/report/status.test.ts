import t from 'tap';
import type { VerdictStatus } from '../../src/document/result.ts';
import { EXIT_STATUS, type StatusFacts, statusOf } from '../../src/report/views/status.ts';

const FINE: StatusFacts = {
  known: 'enough',
  users: new Set(['answer']),
  answers: 1,
  firstTries: 'fine',
  findings: 'fine',
};

const ROWS: readonly (readonly [what: string, more: Partial<StatusFacts>, VerdictStatus, 0 | 1 | 3])[] = [
  ['all users get the answer', {}, 'ok', 0],
  ['some first tries fail', { firstTries: 'some-fail' }, 'slow', 1],
  ['a finding is an error', { findings: 'error' }, 'slow', 1],
  ['answers differ', { answers: 2 }, 'differs', 1],
  ['some answers are not expected', { users: new Set(['answer', 'unexpected']) }, 'differs', 1],
  ['some users get none', { users: new Set(['answer', 'none']) }, 'partial', 1],
  ['some users get it too late', { users: new Set(['answer', 'late']) }, 'partial', 1],
  ['all users get it too late', { users: new Set(['late']) }, 'partial', 1],
  ['some get none, and answers differ', { users: new Set(['answer', 'none']), answers: 2 }, 'partial', 1],
  ['no user gets any', { users: new Set(['none']), answers: 0 }, 'broken', 1],
  ['no user gets one that is expected', { users: new Set(['unexpected', 'none']) }, 'broken', 1],
  ['a limit decides', { known: 'too-little', users: new Set(['none']), findings: 'error' }, 'unknown', 3],
];

t.test('the status of a verdict', async (t) => {
  for (const [what, more, status, exit] of ROWS) {
    t.equal(statusOf({ ...FINE, ...more }), status, what);
    t.equal(EXIT_STATUS[status], exit, status);
  }
});
