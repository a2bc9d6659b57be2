import t from 'tap';
import { faultsIn } from './check-history.ts';
import { type Entry, type EntryOf, readHistory, writtenHistory } from './history.ts';

const RULES: Entry = {
  kind: 'rules',
  at: 0,
  tokens: 2,
  windowMs: 1_000,
  ratePerAddress: 3,
  runningPerClient: 1,
};

const post = (job: string, at: number, more: Partial<EntryOf<'post'>> = {}): Entry => ({
  kind: 'post',
  at,
  until: at + 5,
  name: `${job}.example`,
  client: `client of ${job}`,
  status: 202,
  job,
  ...more,
});

const refused = (job: string, at: number, status: number, client = `client of ${job}`): Entry => ({
  kind: 'post',
  at,
  until: at + 5,
  name: `${job}.example`,
  client,
  status,
});

const began = (job: string, at: number, instance = 'one'): Entry => ({
  kind: 'began',
  at,
  instance,
  job,
  name: `${job}.example`,
});

const ended = (job: string, at: number, instance = 'one'): Entry => ({ kind: 'ended', at, instance, job });

const read = (job: string, at: number, status = 'complete', failure?: string): Entry => ({
  kind: 'read',
  at,
  job,
  status,
  ...(failure !== undefined && { failure }),
});

const webhook = (job: string, at: number, event = 'complete'): Entry => ({
  kind: 'webhook',
  at,
  id: `${job}.${event}`,
  job,
  event,
});

const killed = (instance: string, at: number): Entry => ({ kind: 'loss', at, instance, how: 'killed' });

/** What a follower got, an event a millisecond; a number after the name is the attempt. */
const told = (job: string, at: number, names: readonly string[], follower = `follower of ${job}`) =>
  names.map((said, index): Entry => {
    const [event = '', attempt] = said.split(' ');
    const more = attempt === undefined ? {} : { attempt: Number(attempt) };
    return { kind: 'event', at: at + index, job, follower, id: index + 1, event, ...more };
  });

/** All that there is of a job that nothing happens to, from its POST to 60 ms after it. */
const whole = (job: string, at: number, client = `client of ${job}`): readonly Entry[] => [
  post(job, at, { client }),
  began(job, at + 10),
  webhook(job, at + 20, 'start'),
  ...told(job, at + 30, ['started', 'exchange', 'complete', 'servers']),
  ended(job, at + 40),
  webhook(job, at + 50),
  read(job, at + 60),
];

/** A job that three instances began. */
const givenUp = (at: number): readonly Entry[] => [
  post('a', at),
  ...[1, 2, 3].flatMap((attempt) => [
    began('a', at + attempt * 1_000, `${attempt}`),
    killed(`${attempt}`, at + attempt * 1_000 + 900),
  ]),
  ...told('a', at, ['started', 'started 2', 'started 3', 'complete', 'servers']),
  webhook('a', at + 4_000),
  read('a', at + 4_000, 'failed', 'Given up'),
];

const without = (entries: readonly Entry[], kind: Entry['kind'], from = 0) =>
  entries.filter((entry) => entry.kind !== kind || entry.at < from);

const query = (at: number, since = at - 10, address = '192.0.2.1'): Entry => ({
  kind: 'query',
  at,
  since,
  address,
});

const ROWS: readonly (readonly [what: string, entries: readonly Entry[], faults: readonly string[]])[] = [
  ['a job that runs', whole('a', 0), []],
  ['two jobs of two clients at once', [...whole('a', 0), ...whole('b', 1)], []],
  [
    'a job that runs again elsewhere',
    [
      post('a', 0),
      began('a', 10),
      killed('one', 500),
      began('a', 8_000, 'two'),
      ...told('a', 20, ['started', 'exchange', 'started 2', 'complete', 'servers']),
      ended('a', 9_000, 'two'),
      webhook('a', 9_000),
      read('a', 9_000),
    ],
    [],
  ],
  [
    'a job that is never read to its end',
    [...without(whole('a', 0), 'read'), read('a', 60, 'running')],
    ['each accepted job ends once: a is running in the end'],
  ],
  [
    'a job that nobody read',
    without(whole('a', 0), 'read').filter(({ kind }) => kind !== 'webhook'),
    ['each accepted job ends once: a is not read in the end'],
  ],
  [
    'a job that is lost for a while',
    [...whole('a', 0), read('a', 5, 'unknown')],
    ['each accepted job ends once: a was not known'],
  ],
  [
    'a job that ends in two ways',
    [...whole('a', 0), read('a', 70, 'cancelled')],
    [
      'each accepted job ends once: a is complete and cancelled',
      'no job fails but the one that is given up: a is cancelled: nobody says why',
    ],
  ],
  [
    'a job that fails',
    [...without(whole('a', 0), 'read'), read('a', 60, 'failed', 'Internal error')],
    ['no job fails but the one that is given up: a is failed: Internal error'],
  ],
  [
    'a job that ends at two instances',
    [...whole('a', 0), ended('a', 45, 'two')],
    ['each accepted job ends once: a ended at 2 instances'],
  ],
  [
    'a stream with two ends',
    [...without(whole('a', 0), 'event'), ...told('a', 30, ['started', 'complete', 'complete', 'servers'])],
    ['each accepted job ends once: follower of a saw 2 ends'],
  ],
  ...[400, 422, 429, 503].map(
    (status) =>
      [
        `a POST with ${status}, of which nothing comes, and one that runs`,
        [refused('a', 0, status), refused('b', 0, status), began('b', 10), ended('b', 20)],
        [`a job that was refused never runs: b.example got ${status}`],
      ] as const,
  ),
  ['a POST without a reply, and another with its key', [refused('a', 0, 0), ...whole('a', 10)], []],
  [
    'two POSTs with one key that make two jobs',
    [...whole('a', 0), ...whole('b', 100)].map((entry) =>
      entry.kind === 'post' || entry.kind === 'began' ? { ...entry, name: 'a.example' } : entry,
    ),
    ['POSTs with one key make one job: a.example has 2'],
  ],
  ['a POST without a reply that runs', [refused('a', 0, 0), began('a', 10), ended('a', 20)], []],
  [
    'a bucket of two that refills within a second',
    [0, 10, 496, 1_010].flatMap((at, index) => whole(`${index}`, at, 'c')),
    [],
  ],
  [
    'one too many',
    [0, 10, 480].flatMap((at, index) => whole(`${index}`, at, 'c')),
    ['nobody gets more than a bucket gives: c got 1 of 3 too many'],
  ],
  [
    'one more, and it took long: the store was away, and an instance counted by itself',
    [0, 10, 496, 1_010, 5]
      .flatMap((at, index) => whole(`${index}`, at, 'c'))
      .map((entry) => (entry.kind === 'post' && entry.job === '4' ? { ...entry, until: 1_006 } : entry)),
    [],
  ],
  [
    'one whose reply was late enough',
    [...[0, 10].flatMap((at, index) => whole(`${index}`, at, 'c')), ...whole('2', 480, 'c')].map((entry) =>
      entry.kind === 'post' && entry.job === '2' ? { ...entry, until: 505 } : entry,
    ),
    [],
  ],
  [
    'one that may have taken its token when its first reply was lost',
    [...[0, 10, 480].flatMap((at, index) => whole(`${index}`, at, 'c')), refused('0', -40, 0, 'c')],
    [],
  ],
  ['three queries a second', [0, 300, 600, 1_005, 1_310].map((at) => query(at)), []],
  [
    'a fourth within a second',
    [0, 300, 600, 980].map((at) => query(at)),
    ['no address gets more than its rate: 192.0.2.1, 1 times, first at 980'],
  ],
  ['a fourth that may have come later', [query(0, -40), query(300), query(600), query(980)], []],
  ['a fourth at another address', [query(0), query(1), query(2), query(3, 0, '192.0.2.2')], []],
  [
    'two jobs of a client at once',
    [...whole('a', 0, 'c'), ...whole('b', 5, 'c')].map((entry) =>
      entry.kind === 'ended' ? { ...entry, at: 1_000 } : entry,
    ),
    ['no client has more jobs running than it may: c had 2'],
  ],
  [
    'the second when the instance of the first is dead',
    [
      ...without(whole('a', 0, 'c'), 'ended'),
      killed('one', 500),
      ...whole('b', 600, 'c').map((entry) => (entry.kind === 'began' ? began('b', 600, 'two') : entry)),
    ],
    [],
  ],
  [
    'an event twice',
    whole('a', 0).map((entry) => (entry.kind === 'event' && entry.id === 3 ? { ...entry, id: 2 } : entry)),
    [
      'each follower gets each event once, in order: follower of a got complete as 2, another exchange',
      'each follower gets each event once, in order: follower of a got 2 after 2',
    ],
  ],
  [
    'events that begin with the second',
    whole('a', 0).filter((entry) => entry.kind !== 'event' || entry.id > 1),
    ['each follower gets each event once, in order: follower of a got 2 after nothing'],
  ],
  [
    'two followers who are told different things',
    [...whole('a', 0), ...told('a', 30, ['started', 'progress', 'complete'], 'another')],
    ['each follower gets each event once, in order: another got progress as 2, another exchange'],
  ],
  [
    'a second attempt, without an event of the first',
    whole('a', 0).map((entry) =>
      entry.kind === 'event' && entry.id === 1 ? { ...entry, attempt: 2 } : entry,
    ),
    [],
  ],
  [
    'an attempt that is counted twice',
    [...without(whole('a', 0), 'event'), ...told('a', 30, ['started 2', 'started 2', 'complete', 'servers'])],
    ['attempts count up to three: follower of a saw attempts 2, 2'],
  ],
  [
    'a fourth attempt',
    [
      ...without(whole('a', 0), 'event'),
      ...told('a', 30, ['started', 'started 2', 'started 3', 'started 4', 'complete', 'servers']),
    ],
    ['attempts count up to three: follower of a saw attempts 1, 2, 3, 4'],
  ],
  ['a job under which three instances died', givenUp(0), []],
  [
    'given up after two',
    givenUp(0).filter((entry) => entry.kind !== 'began' || entry.instance !== '3'),
    ['only a job that was alone in a lost instance is given up: a after 2 attempts'],
  ],
  [
    'given up though another job ran beside it',
    [...givenUp(0), began('b', 3_100, '3')],
    ['only a job that was alone in a lost instance is given up: a, which ran beside b'],
  ],
  [
    'no webhook of an end',
    without(whole('a', 0), 'webhook', 30),
    ['each webhook comes, and comes once unless an instance was lost: none says that a ended'],
  ],
  [
    'a webhook twice',
    [...whole('a', 0), webhook('a', 55)],
    ['each webhook comes, and comes once unless an instance was lost: a.complete came 2 times'],
  ],
  [
    'a webhook twice, as its sender was killed',
    [...whole('a', 0), killed('one', 52), webhook('a', 8_000)],
    [],
  ],
];

t.test('a history is judged', async (t) => {
  for (const [what, entries, faults] of ROWS) t.same(faultsIn([RULES, ...entries]), faults, what);
});

t.test('a history is read as it was written', async (t) => {
  const entries = [RULES, ...whole('a', 0), ...givenUp(100), query(70)];
  t.same(readHistory(writtenHistory(entries)), entries);
  t.throws(() => readHistory('{"kind":"rumour","at":1}\n'));
});
