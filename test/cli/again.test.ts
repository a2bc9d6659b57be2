import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import t from 'tap';
import { systemClock } from '../../src/base/clock.ts';
import { runShellCommand } from '../../src/cli/many/shell-command.ts';
import { type Round, traverseRepeatedly } from '../../src/cli/many/traverse-repeatedly.ts';
import { type RoundFlags, roundPrinter } from '../../src/cli/many/watch-again.ts';
import { summaryOf } from '../../src/document/ends.ts';
import { readResult } from '../../src/document/read-result.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { failed, ok, type RunAnswer } from '../../src/document/run-answer.ts';
import { changesBetween } from '../../src/report/views/changes.ts';
import { replay } from '../../src/traversal/node-replay.ts';
import { createFakeClock } from '../base/fake-clock.ts';
import { answers, resultIn, worldWith, type Zone } from '../report/graph-results.ts';
import { inside } from './inside.ts';

const OLD = answers('203.0.113.1');
const HEALTHY: Zone = { '11.0.0.2': OLD, '11.0.0.3': OLD };
const ILL: Zone = { ...HEALTHY, '11.0.0.2': { kind: 'timeout' } };
const healthy = await resultIn(worldWith(HEALTHY));
const ill = await resultIn(worldWith(ILL));
const silence = await resultIn({ ...worldWith(HEALTHY), says: () => ({ kind: 'timeout' }) });
const intercepted = {
  ...ill,
  findings: [
    {
      id: 'f1',
      code: 'PATH_INTERCEPTED',
      severity: 'critical',
      message: 'It is.',
      advice: 'Look.',
      causes: [],
      evidence: [],
    },
  ],
} as const;
const unreachable = failed({ kind: 'unreachable', reason: 'connection refused' });

/** What rounds with these answers, a minute apart, tell, each with the minute of its time. */
async function told(rounds: readonly RunAnswer<TraversalResult>[], takesMs = 0): Promise<readonly string[]> {
  const clock = createFakeClock();
  const controller = new AbortController();
  const texts: string[] = [];
  const ahead = [...rounds];
  const going = traverseRepeatedly({
    traverse: async () => {
      const next = ahead.shift();
      if (next === undefined) controller.abort();
      if (takesMs > 0) await new Promise<void>((resolve) => clock.after(takesMs, resolve));
      return next ?? failed({ kind: 'stopped' });
    },
    tell: async (round) => {
      texts.push(`${clock.now() / 60_000} ${textOf(round)}`);
    },
    everyMs: 60_000,
    clock,
    signal: controller.signal,
  });
  await clock.advance(60_000 * (rounds.length + 2) + takesMs * rounds.length);
  await going;
  t.equal(clock.timers, 0, 'nothing is left to wait for');
  return texts;
}

function textOf(round: Round): string {
  switch (round.kind) {
    case 'first':
    case 'back':
      return round.kind;
    case 'changed':
      return `changed ${round.before === healthy ? 'for the worse' : 'for the better'}`;
    case 'lost':
      return `lost ${round.obstacle.kind}`;
  }
}

t.test('what is told of rounds', async (t) => {
  const rows: readonly (readonly [
    what: string,
    rounds: readonly RunAnswer<TraversalResult>[],
    told: readonly string[],
  ])[] = [
    ['nothing but the first if nothing changes', [ok(healthy), ok(healthy), ok(healthy)], ['0 first']],
    [
      'each change once, when it is seen',
      [ok(healthy), ok(ill), ok(ill), ok(healthy)],
      ['0 first', '1 changed for the worse', '3 changed for the better'],
    ],
    [
      'a network that goes away and comes back is no change',
      [ok(healthy), ok(silence), ok(silence), ok(healthy)],
      ['0 first', '1 lost silence', '3 back'],
    ],
    [
      'what changed meanwhile is',
      [ok(healthy), unreachable, ok(intercepted), ok(ill)],
      ['0 first', '1 lost failure', '3 back', '3 changed for the worse'],
    ],
    [
      'nor is a service that stops in the middle',
      [ok(healthy), ok({ ...silence, ending: 'cancelled' }), failed({ kind: 'stopped' }), ok(healthy)],
      ['0 first', '1 lost cancelled', '3 back'],
    ],
    ['no network to begin with', [ok(silence), ok(healthy)], ['0 lost silence', '1 back', '1 first']],
    ['interception', [ok(intercepted), ok(ill)], ['0 lost interception', '1 back', '1 first']],
  ];
  for (const [what, rounds, expected] of rows) t.same(await told(rounds), expected, what);
});

t.test('a round begins at its time, or when the one before is over', async (t) => {
  t.same(await told([ok(healthy), ok(ill)], 30_000), ['0.5 first', '1.5 changed for the worse']);
  t.same(await told([ok(healthy), ok(ill)], 90_000), ['1.5 first', '3 changed for the worse']);
});

/** What telling rounds writes. */
async function telling(flags: Partial<RoundFlags>, rounds: readonly Round[]) {
  const written = { stdout: '', stderr: '' };
  const stream = (which: 'stdout' | 'stderr') =>
    new Writable({
      write: (chunk, _, done) => {
        written[which] += chunk;
        done();
      },
    });
  const io = { stdout: stream('stdout'), stderr: stream('stderr'), env: {} };
  const tell = roundPrinter(
    { everyMs: 300_000, format: 'text', color: true, ...flags },
    {
      question: 'www.x A',
      server: new URL('http://localhost:8053'),
      clock: systemClock,
      signal: new AbortController().signal,
      io,
    },
  );
  for (const round of rounds) await tell(round);
  return written;
}

const CHANGED: Round = {
  kind: 'changed',
  changes: changesBetween(healthy, ill),
  before: healthy,
  after: ill,
};
const LOST: Round = {
  kind: 'lost',
  obstacle: { kind: 'failure', failure: { kind: 'unreachable', reason: 'connection refused' } },
};

t.test('what is printed', async (t) => {
  const all = await telling({}, [{ kind: 'first', result: healthy }, LOST, { kind: 'back' }, CHANGED]);
  const [first = '', ...others] = all.stderr.split('\n');
  t.match(first, /^svc: www\.x A: all users get the answer, but .*; looking again every 5m$/);
  t.equal(
    others.join('\n'),
    [
      'svc: cannot reach http://localhost:8053: connection refused; trying again every 5m',
      'svc: back again',
      '',
    ].join('\n'),
  );
  t.match(
    all.stdout,
    /^\d{4}-[\d-]+T[\d:.]+Z {2}100 % 203\.0\.113\.1 as before, by other servers; first tries end in 50 % [^\n]+\n$/,
  );
  const full = await telling({ verbose: true }, [CHANGED]);
  t.match(full.stdout, /^www\.x\. A {2}changed\n\nbefore [^\n]+\nafter /);
  const json = await telling({ format: 'jsonl' }, [CHANGED]);
  const { at, ...changes } = JSON.parse(json.stdout);
  t.equal(at, ill.finishedAt);
  t.same(changes, JSON.parse(JSON.stringify(CHANGED.changes)));
  t.equal(json.stdout.split('\n').length, 2, 'on one line');
});

t.test('a command hears of a change', async (t) => {
  const heard = await telling({ onChange: 'cat' }, [CHANGED]);
  t.match(JSON.parse(heard.stderr), { at: ill.finishedAt, same: false }, 'as JSON');
  const failing = await telling({ onChange: 'echo no >&2; exit 7' }, [CHANGED, CHANGED]);
  const complaint = 'no\nsvc: --on-change echo no >&2; exit 7: ended with exit status 7\n';
  t.equal(failing.stderr, complaint.repeat(2), 'its failure ends nothing');
  t.same(await telling({ onChange: 'echo x' }, [{ kind: 'back' }]), {
    stdout: '',
    stderr: 'svc: back again\n',
  });
});

t.test('a command is bounded', async (t) => {
  const clock = createFakeClock();
  const signal = new AbortController().signal;
  const late = runShellCommand('trap "" TERM; echo begun; sleep 600 & wait; wait', '', {
    clock,
    signal,
    write: () => void clock.advance(60_000).then(() => clock.advance(1_000)),
  });
  t.same(await late, { kind: 'failed', why: 'took longer than a minute' }, 'in time, with all it started');
  t.equal(clock.timers, 0);
  const controller = new AbortController();
  const left = runShellCommand('echo begun; sleep 600', '', {
    clock,
    signal: controller.signal,
    write: () => controller.abort(),
  });
  t.same(await left, { kind: 'failed', why: 'was interrupted' });
  let octets = 0;
  const much = runShellCommand('head -c 300000 /dev/zero', 'x'.repeat(1_000_000), {
    clock,
    signal,
    write: ({ length }) => {
      octets += length;
    },
  });
  t.same([await much, octets], [{ kind: 'done' }, 65_536], 'in what it writes');
});

t.test('results are kept', async (t) => {
  const dir = t.testdir({ kept: {} });
  const keep = join(dir, 'kept');
  await telling({ keep }, [{ kind: 'first', result: healthy }, LOST, CHANGED]);
  const files = readdirSync(keep).sort();
  t.match(files, [/^www\.x\.A\.\d{4}-\d\d-\d\dT[\d.]+Z\.json$/, /^www\.x\.A\./]);
  const results = files.map((file) => replay(readResult(JSON.parse(readFileSync(join(keep, file), 'utf8')))));
  t.same(
    results.map(({ views }) => summaryOf(views['first-tries'])),
    [healthy, ill].map(({ views }) => summaryOf(views['first-tries'])),
  );
  const gone = await telling({ keep: join(dir, 'gone') }, [CHANGED]);
  t.match(gone.stderr, /^svc: cannot write .*gone.*: no such file or directory\n$/);
  t.match(gone.stdout, /was 100 %/, 'and if not, the change is told');
});

t.test('svc watch --every', async (t) => {
  const dir = t.testdir({ kept: {} });
  const keep = join(dir, 'kept');
  const ran = await inside(['watch', 'www.stale.example', '--demo', '--every', '10s', '--keep', keep], {
    onStderr: (written, interrupt) => {
      if (written.includes('looking again') && readdirSync(keep).length > 0) interrupt();
      else if (written.includes('looking again')) whenKept(keep, interrupt);
    },
  });
  t.same([ran.status, ran.stdout], [130, '']);
  t.match(
    ran.stderr,
    /^svc: www\.stale\.example A: 50 % of users get \S+ from \S+ and 50 % \S+ from \S+ an older version; looking again every 10s\n$/,
  );
  const rows: readonly (readonly [args: string, status: number, words: RegExp])[] = [
    ['www.shop.example --demo --every 9s', 2, /--every 9s: must be a duration such as 5m, 10s to 24h/],
    ['www.shop.example --demo --on-change cat', 2, /--on-change needs --every/],
    ['www.shop.example --demo --keep .', 2, /--keep needs --every/],
    [
      `www.shop.example --demo --every 1m --keep ${join(dir, 'none')}`,
      3,
      /cannot keep results in .*none: there is no such directory; make it first\n$/,
    ],
    [
      'www.shop.example --demo --every 1m --keep /dev/null',
      3,
      /cannot keep results in .*null: not a directory\n$/,
    ],
    [
      '0f8fad5b-d9cb-469f-a165-70867728950e --every 1m --server http://localhost:1',
      2,
      /is a job, which runs once/,
    ],
  ];
  for (const [args, status, words] of rows) {
    const ran = await inside(['watch', ...args.split(' ')]);
    t.equal(ran.status, status, args);
    t.match(ran.stderr, words);
  }
  t.notOk(existsSync(join(dir, 'none')));
});

function whenKept(folder: string, run: () => void): void {
  if (readdirSync(folder).some((file) => file.endsWith('.json'))) run();
  else setImmediate(() => whenKept(folder, run));
}
