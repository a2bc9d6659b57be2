import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { MostCounted } from '../../src/cli/many/culprits.ts';
import { untilTime } from '../../src/cli/many/lines-at-service.ts';
import { Ahead, type ListSize, listSize, readLine } from '../../src/cli/many/name-list.ts';
import { runPool } from '../../src/cli/many/pool.ts';
import { closingLine, type NameCounts, paceNotice, progressLine } from '../../src/cli/many/tally.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { showcases } from '../../src/lab/demo/showcases.ts';
import { settled } from '../base/fake-clock.ts';
import { startDemoService, startProxy, startServer } from './demo-service.ts';
import { inside } from './inside.ts';
import { ended, start } from './svc.ts';

interface Line extends TraversalResult {
  readonly line: number;
  readonly exitStatus: number;
}

/** How far a run over all showcases is. */
const SIX_OR_MORE = new RegExp(`\\D(?:[6-9]|1\\d|2\\d) of ${showcases.length} names`);

/** What is said at the end of a run. */
const SUMMED_UP = /^svc: \d+ names?: [^\n]+; \d+ exchanges in [^\n]+ names a second\n$/;

const many = (...words: readonly string[]) => inside(['traverse', '--demo', ...words]);

t.test('a line of a list', async (t) => {
  const rows: readonly (readonly [text: string, expected: string | undefined])[] = [
    ['www.example.com', 'www.example.com. A'],
    ['  example.com\tmx  ', 'example.com. MX'],
    ['example.com TYPE65280 # a comment', 'example.com. TYPE65280'],
    ['example.com ; a comment', 'example.com. A'],
    ['münchen.example', 'xn--mnchen-3ya.example. A'],
    ['192.0.2.1', '1.2.0.192.in-addr.arpa. PTR'],
    ['2001:db8::1', `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa. PTR`],
    ['.', '. A'],
    ['', undefined],
    ['   ', undefined],
    ['# only a comment', undefined],
    ['; only a comment', undefined],
    ['\r', undefined],
    ['a..b', 'bad: "a..b" is not a domain name'],
    ['a.test NONSENSE', 'bad: "NONSENSE" is not a record type'],
    ['a.test A b.test', 'bad: "a.test A b.test" is more than a name and a type'],
    ['192.0.2.1 A', 'bad: "192.0.2.1" is an address'],
    [`a b ${'c'.repeat(500)}`, 'bad: "a b ccccccccccccccccccccccccccc"… (506 characters) is more than'],
  ];
  for (const [text, expected] of rows) {
    const read = readLine(text, 7);
    if (read === undefined || expected === undefined) t.equal(read, expected, JSON.stringify(text));
    else if (read.kind === 'name') t.equal(`${read.question.name} ${read.question.type}`, expected);
    else t.ok(`bad: ${read.why}`.startsWith(expected), `bad: ${read.why}`);
  }
});

t.test('what is counted most, in a bounded room', async (t) => {
  const few = new MostCounted<string>(3);
  for (const key of 'abacab') few.add(key);
  t.same(few.all, [
    { key: 'a', count: 3 },
    { key: 'b', count: 2 },
    { key: 'c', count: 1 },
  ]);
  t.ok(few.isExact);
  const crowded = new MostCounted<string>(2);
  for (const key of 'aaxaybaz') crowded.add(key);
  t.same(crowded.all, [{ key: 'a', count: 2 }], 'what stands out stays');
  t.notOk(crowded.isExact);
  const many = new MostCounted<string>(100);
  for (let name = 0; name < 100_000; name += 1) many.add(name % 4 === 0 ? 'broken' : `ns${name}`);
  t.ok(many.all.length <= 100, 'however many there are');
  const [first] = many.all;
  t.equal(first?.key, 'broken');
  t.ok((first?.count ?? 0) > 24_000 && (first?.count ?? 0) <= 25_000, 'and little is lost');
});

t.test('many names', async (t) => {
  const dir = t.testdir({
    'good.txt': `# all that the demo has\n${showcases.map(({ name, type }) => `${name} ${type}\n`).join('')}`,
    'mixed.txt': '\ufeffwww.shop.example\r\n\r\na..b\r\nwww.stale.example ; trouble\r\nwww.shop.example\r\n',
    'healthy.txt': 'www.shop.example\nwww.blog.test AAAA',
    'empty.txt': '\n# nothing\n',
  });
  const file = (name: string) => join(dir, name);

  t.test('each result is what the name alone gives', async (t) => {
    const { status, stdout, stderr } = await many('-f', file('good.txt'), '--ordered');
    t.equal(status, 3, 'one of them is intercepted');
    t.match(stderr, SUMMED_UP);
    const lines = linesOf(stdout);
    t.same(
      lines.map(({ line, query }) => `${line} ${query.name} ${query.type}`),
      showcases.map(({ name, type }, at) => `${at + 2} ${name}. ${type}`),
      'in the order given',
    );
    for (const name of ['www.left.example', 'www.magazine.example', 'www.mixed.example']) {
      const { line, exitStatus, ...result } = lineFor(name, lines);
      const alone: TraversalResult = JSON.parse((await many(name, '--json')).stdout);
      t.same(result.outcomes, alone.outcomes, name);
      t.same(result.resolver, alone.resolver);
      t.same(Object.keys(result), Object.keys(alone), 'the whole document');
      t.equal(exitStatus, 1);
    }
  });

  t.test('bad lines are reported with their number and stop nothing', async (t) => {
    const { status, stdout, stderr } = await many('-f', file('mixed.txt'));
    t.equal(status, 2);
    t.equal(stderr.split('\n').length, 3);
    t.match(
      stderr,
      /^svc: \S+mixed\.txt line 3: "a\.\.b" is not a domain name: [^\n]+\nsvc: 4 names: [^\n]+\n$/,
    );
    t.same(
      linesOf(stdout)
        .map(({ line, exitStatus }) => [line, exitStatus])
        .sort(),
      [
        [1, 0],
        [4, 1],
        [5, 0],
      ],
    );
  });

  t.test('what lines say is harmless', async (t) => {
    writeFileSync(file('evil.txt'), '\u001b[2J\u009b31m\n');
    const { stderr } = await many('-f', file('evil.txt'));
    t.match(
      stderr,
      /^svc: \S+evil\.txt line 1: "\\u\{1b\}\[2J\\u\{9b\}31m" is not a domain name: [^\n]+\nsvc: 1 name: [^\n]+\n$/,
    );
  });

  t.test('exit status', async (t) => {
    const rows: readonly (readonly [command: string, status: number, words: RegExp])[] = [
      [`-f ${file('healthy.txt')}`, 0, SUMMED_UP],
      [`-f ${file('healthy.txt')} --json`, 0, SUMMED_UP],
      [`-f ${file('healthy.txt')} --format jsonl`, 0, SUMMED_UP],
      [`-f ${file('empty.txt')}`, 0, /^svc: there are no names in \S+empty\.txt\n$/],
      ['-f /dev/null', 0, /^svc: there are no names in \/dev\/null\n$/],
      ['-f -', 0, /^svc: there are no names in stdin\n$/],
      [`-f ${file('healthy.txt')} -q`, 0, /^$/],
      [`-f ${file('healthy.txt')} --max-queries 4`, 3, SUMMED_UP],
      [`-f ${file('none.txt')}`, 3, /cannot read .*none\.txt: no such file or directory/],
      [`-f ${dir}`, 3, /cannot read .*: is a directory/],
      [`-f ${file('good.txt')} www.shop.example`, 2, /-f FILE holds the names: leave out NAME and TYPE/],
      [`-f ${file('good.txt')} -x 192.0.2.1`, 2, /-x is for one name/],
      [`-f ${file('good.txt')} --save f`, 2, /--save is for one name/],
      [`-f ${file('good.txt')} --short`, 2, /--short is for one name: leave out -f FILE/],
      [`-f ${file('good.txt')} --format text --brief`, 2, /--brief is for lines of JSON: leave out --format/],
      [`-f ${file('good.txt')} --format text --resume f`, 2, /--resume is for lines of JSON/],
      [`-f ${file('good.txt')} --only-problems --resume f`, 2, /--only-problems does not go with --resume/],
      [`-f ${file('good.txt')} --format md`, 2, /-f FILE prints lines of JSON, or rows of text/],
      [`-f ${file('good.txt')} --format dot`, 2, /-f FILE prints lines of JSON/],
      [`-f ${file('good.txt')} --jobs 0`, 2, /--jobs 0: must be a whole number, 1 to 256/],
      ['www.shop.example --jobs 2', 2, /--jobs is for many names: add -f FILE/],
      ['www.shop.example --ordered', 2, /--ordered is for many names/],
      ['www.shop.example --resume f', 2, /--resume is for many names/],
      ['www.shop.example --only-problems', 2, /--only-problems is for many names/],
      ['www.shop.example --brief', 2, /--brief is for many names/],
      ['www.shop.example --share-referrals', 2, /--share-referrals is for many names: add -f FILE/],
    ];
    for (const [command, status, words] of rows) {
      const ran = await many(...command.split(' '));
      t.equal(ran.status, status, `${command}: ${status}`);
      t.match(ran.stderr, words);
    }
  });

  t.test('rows for people, and which servers break most names', async (t) => {
    const names = ['www.shop', 'www.dead', 'name.dead', 'www.stale', 'www.mixed'].map(
      (name) => `${name}.example`,
    );
    writeFileSync(file('rows.txt'), `${names.join('\n')}\na..b\n`);
    const command = ['-f', file('rows.txt'), '--ordered'];
    const rows = [
      '✓  www.shop.example. A             every path gets the same answer',
      '✗  www.dead.example. A             50 % of paths fail  at ns.dead.example',
      '✗  name.dead.example. A            50 % of paths fail  at ns.dead.example',
      '≠  www.stale.example. A            2 different answers  at ns1.harbour.example and ns2.harbour.example',
      '✗  www.mixed.example. A            2 different answers, 12.5 % of paths fail  at ns.mixed.example',
    ];
    const broken = [
      'ns.dead.example breaks 2 of your 6 names',
      'ns1.harbour.example breaks 1 of your 6 names',
      'ns2.harbour.example breaks 1 of your 6 names',
      'ns.mixed.example breaks 1 of your 6 names',
    ];
    const { status, stdout } = await many(...command, '--format', 'text');
    t.equal(status, 2);
    t.same(stdout.split('\n'), [...rows, '', ...broken, '']);
    const shown = await inside(['traverse', '--demo', ...command, '--no-color'], {
      terminals: ['stdout'],
      columns: 120,
    });
    t.equal(shown.stdout, stdout, 'on a terminal without being asked for');
    const few = await many(...command, '--format', 'text', '--only-problems', '--fail-on', 'error');
    t.same(
      few.stdout.split('\n'),
      [...rows.slice(3), '', ...broken.slice(1), ''],
      'what is no error is no problem',
    );
    const none = await many('-f', file('healthy.txt'), '--format', 'text', '--only-problems');
    t.same([none.status, none.stdout], [0, '']);
    const lines = linesOf((await many(...command, '--only-problems', '--fail-on', 'error')).stdout);
    t.same(
      lines.map(({ line, exitStatus }) => [line, exitStatus]),
      [
        [4, 1],
        [5, 1],
      ],
    );
  });

  t.test('brief lines hold what a reader of many wants', async (t) => {
    const { stdout } = await many('-f', file('healthy.txt'), '--brief');
    const line = lineFor('www.shop.example', linesOf(stdout));
    t.match(line, {
      line: 1,
      exitStatus: 0,
      schema: 2,
      complete: true,
      summary: [{ fraction: '1' }],
      findings: [],
    });
    t.notOk('steps' in line || 'exchanges' in line || 'outcomes' in line);
  });

  t.test('a list for which threads are worth starting', async (t) => {
    // Nobody is silent there, so patience costs nothing.
    const names = [
      'www.shop.example',
      'www.blog.test',
      'nowhere.shop.example',
      'www.old.example',
      'www.lame.example',
    ];
    writeFileSync(file('few.txt'), names.join('\n'));
    writeFileSync(file('long.txt'), `${names.join('\n')}\n`.repeat(12));
    const alone = linesOf((await many('-f', file('few.txt'), '--ordered', '--timeout', '20s')).stdout);
    for (const [option, said] of [
      ['--ordered', /\d exchanges in/],
      ['--share-referrals', /\d exchanges \([\d,]+ shared\) in/],
    ] as const) {
      const command = ['-f', file('long.txt'), '--ordered', option, '--timeout', '20s'];
      const { status, stdout, stderr } = await ended(start(['traverse', '--demo', ...command]));
      t.equal(status, 1);
      t.match(stderr, said);
      const lines = linesOf(stdout);
      t.equal(lines.length, 12 * names.length);
      for (const [at, { line, query, outcomes, resolver, exitStatus, stats }] of lines.entries()) {
        const one = alone[at % names.length];
        t.same({ outcomes, resolver, exitStatus }, pick(one), `${query.name} ${query.type}`);
        t.same([line, stats.exchanges], [at + 1, one?.stats.exchanges], 'in order');
      }
    }
  });

  t.test('a long run that was killed is resumed', async (t) => {
    const names = Array.from({ length: 300 }, (_, at) => `name${at}.shop.example`);
    writeFileSync(file('killed.txt'), names.join('\n'));
    const results = file('killed.jsonl');
    const command = ['traverse', '--demo', '-f', file('killed.txt'), '--brief', '--resume', results];
    const child = start(command);
    const gone = ended(child);
    while (!existsSync(results) || readFileSync(results, 'utf8').split('\n').length < 60) await soon();
    child.kill('SIGKILL');
    t.equal((await gone).status, null);
    const { status } = await ended(start(command));
    t.equal(status, 0);
    const done = linesOf(readFileSync(results, 'utf8')).map(({ query }) => query.name);
    t.same(done.sort(), names.map((name) => `${name}.`).sort(), 'each name is there once');
  });

  t.test('from stdin', async (t) => {
    const names = Array.from({ length: 15 }, (_, at) => `name${at}.shop.example\n`);
    const together = start(['traverse', '--demo', '-f', '-', '--brief', '--jobs', '15']);
    together.stdin.end(names.join(''));
    const all = await ended(together);
    t.same([all.status, linesOf(all.stdout).length], [0, 15]);
    t.match(all.stderr, SUMMED_UP);
    const child = start(['traverse', '--demo', '-f', '-', '--brief']);
    child.stdin.end('www.shop.example\na..b\n');
    const { status, stdout, stderr } = await ended(child);
    t.equal(status, 2);
    t.equal(linesOf(stdout).length, 1);
    t.match(stderr, /^svc: stdin line 2: /);
  });

  t.test('interrupted while it waits for names', async (t) => {
    const child = start(['traverse', '--demo', '-f', '-', '--brief']);
    child.stdin.write('www.shop.example\n');
    child.stdout.once('data', () => child.kill('SIGINT'));
    const { status, stdout, stderr } = await ended(child);
    t.equal(status, 130);
    t.equal(linesOf(stdout).length, 1, 'what was known is there');
    t.ok(
      stderr.endsWith(
        'svc: interrupted; to resume, keep the lines printed so far in a file and add --resume FILE\n',
      ),
    );
  });

  t.test('a reader that goes away ends it quietly', async (t) => {
    const child = start(['traverse', '--demo', '-f', file('good.txt')]);
    child.stdout.destroy();
    const { status, stderr } = await ended(child);
    t.equal(stderr, '');
    t.ok(status === 0 || status === 1, 'with the status of what was done');
  });

  t.test('on a terminal, how far it is and which names are in work', async (t) => {
    writeFileSync(file('slow.txt'), 'www.shop.example\nwww.dead.example\n');
    const command = ['traverse', '--demo', '-f', file('slow.txt'), '--brief'];
    const terminals = ['stdout', 'stderr'] as const;
    const halfway = /1 of 2 names\n.*www\.dead\.example\. A.* replies, \d+ awaited/;
    // The dead server keeps the second name from ending until that has been shown.
    const slow = await inside([...command, '--timeout', '60s'], {
      terminals,
      onStderr: (written, interrupt) => {
        if (halfway.test(written)) interrupt();
      },
    });
    t.match(slow.stderr, halfway);
    const ran = await inside(command, { terminals });
    t.equal(ran.status, 1);
    t.equal(linesOf(ran.stdout).length, 2);
    t.match(ran.stderr, /svc: 2 names: 1 healthy, 1 with trouble; [^\n]+\n$/);
  });

  t.test('an interrupted run is resumed', async (t) => {
    const results = file('results.jsonl');
    const command = ['--ordered', '--jobs', '2', '--resume', results, '-f', file('good.txt')];
    // The seventh name has a dead server, which holds up the order; the run cannot end by itself.
    const first = await inside(['traverse', '--demo', '--timeout', '60s', ...command], {
      terminals: ['stderr'],
      onStderr: (written, interrupt) => {
        if (SIX_OR_MORE.test(written)) interrupt();
      },
    });
    t.equal(first.status, 130);
    t.match(
      first.stderr,
      /svc: \d+ names: 4 healthy, [^\n]+\nsvc: interrupted; run the same command to resume\n$/,
    );
    t.equal(first.stdout, '');
    const before = readFileSync(results, 'utf8');
    const done = linesOf(before).map(({ line }) => line);
    t.same(done.slice(0, 6), [2, 3, 4, 5, 6, 7], 'what is known is kept');
    t.notOk(done.includes(8));
    appendFileSync(results, before.slice(0, 300));
    const second = await many(...command);
    t.equal(second.status, 3, 'one of them is intercepted');
    t.match(second.stderr, SUMMED_UP);
    const after = readFileSync(results, 'utf8');
    t.ok(after.startsWith(before), 'what was there stays, but for the torn last line');
    t.same(
      linesOf(after)
        .map(({ line }) => line)
        .sort((a, b) => a - b),
      showcases.map((_, at) => at + 2),
      'each name is there once',
    );
    const third = await many(...command);
    t.equal(third.status, 3, 'what was done before counts');
    t.equal(readFileSync(results, 'utf8'), after);
  });

  t.test('a name that comes twice has two lines', async (t) => {
    const names = file('twice.txt');
    const results = file('twice.jsonl');
    writeFileSync(names, 'www.shop.example\nwww.shop.example\n');
    t.equal((await many('-f', names, '--resume', results, '--brief')).status, 0);
    appendFileSync(names, 'www.shop.example\n');
    t.equal((await many('-f', names, '--resume', results, '--brief')).status, 0);
    t.equal(linesOf(readFileSync(results, 'utf8')).length, 3);
  });

  t.test('a file of something else is not touched', async (t) => {
    for (const [name, text] of Object.entries({
      'names.txt': 'www.shop.example\nwww.blog.test\n',
      'torn.txt': 'no line end',
      'json.txt': '{"query": 1}\n',
      'mixed.jsonl': '{"line":1,"exitStatus":0,"query":{"name":"a.","type":"A"}}\nx\n',
    })) {
      writeFileSync(file(name), text);
      const ran = await many('-f', file('healthy.txt'), '--resume', file(name));
      t.equal(ran.status, 3, name);
      t.match(ran.stderr, /line \d is not a result: is it the right file\?\n$/);
      t.equal(readFileSync(file(name), 'utf8'), text);
    }
    const nowhere = await many('-f', file('healthy.txt'), '--resume', join(dir, 'no', 'where'));
    t.equal(nowhere.status, 3);
    t.match(nowhere.stderr, /^svc: cannot write \S+: no such file or directory\n$/);
  });

  t.test(
    'a device is no file of results',
    { skip: !existsSync('/dev/full') && 'no /dev/full here' },
    async (t) => {
      const ran = await many('-f', file('healthy.txt'), '--resume', '/dev/full');
      t.equal(ran.status, 3);
      t.equal(ran.stderr, 'svc: cannot write /dev/full: it is not a regular file\n');
    },
  );

  t.test('at a running service, which may ask for patience', async (t) => {
    const service = await startDemoService({ SERVICE_RATE_LIMIT: '3/15s' });
    t.teardown(service.stop);
    const proxy = await startProxy(service.url, { headers: { 'x-forwarded-for': '198.51.100.7' } });
    t.teardown(proxy.stop);
    const list = file('five.txt');
    writeFileSync(
      list,
      'www.shop.example\nwww.blog.test\nnowhere.shop.example\nwww.old.example\nwww.lame.example\n',
    );
    const ran = await inside(['traverse', '-f', list, '--ordered', '--server', proxy.url]);
    t.equal(ran.status, 1);
    t.match(
      ran.stderr,
      /^(svc: rate limit exceeded: 3 requests per 15s; waiting until \d\d:\d\d:\d\d \([1-5]s\)\n)+svc: 5 names: [^\n]+\n$/,
    );
    t.same(
      linesOf(ran.stdout).map(({ line }) => line),
      [1, 2, 3, 4, 5],
    );
    await proxy.stop();
    const gone = await inside(['traverse', '-f', list, '--server', proxy.url]);
    t.equal(gone.status, 3);
    t.match(gone.stderr, /^svc: cannot reach \S+: connection refused\n$/, 'said once');
    const refused = await inside([
      'traverse',
      '-f',
      list,
      '--max-queries',
      '900000',
      '--server',
      service.url,
    ]);
    t.equal(refused.status, 2);
    const sharing = await inside(['traverse', '-f', list, '--share-referrals', '--server', service.url]);
    t.equal(sharing.status, 2);
    t.equal(
      sharing.stderr,
      'svc: --share-referrals is for names that are traversed here: leave out --server\n',
    );
    t.match(refused.stderr, /^svc: \S+ refused the request: --max-queries must be [^\n]+\n$/, 'said once');
  });

  t.test('a service that refuses new jobs, and says so strangely', async (t) => {
    const rows: readonly (readonly [retryAfter: string, body: string, expected: RegExp])[] = [
      ['0', '\u001b[2Jslow', /^svc: \\u\{1b\}\[2Jslow; waiting until \d\d:\d\d:\d\d \(1s\)$/],
      [
        '3599',
        'rate limit exceeded: 30 requests per 1h0m0s',
        /^svc: rate limit exceeded: 30 requests per 1h0m0s; waiting until [\d: -]+ \(59m59s\)\. Ctrl-C loses nothing: to resume, keep the lines printed so far in a file and add --resume FILE$/,
      ],
      [
        '999999999',
        '',
        /^svc: the service is refusing new jobs; waiting until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(24h0m0s\)\. Ctrl-C/,
      ],
    ];
    for (const [retryAfter, body, expected] of rows) {
      let requests = 0;
      const { url, stop } = await startServer((_, response) => {
        requests += 1;
        response.writeHead(429, { 'Retry-After': retryAfter }).end(body);
      });
      const ran = await inside(['traverse', '-f', file('healthy.txt'), '--server', url], {
        onStderr: (_, interrupt) => interrupt(),
      });
      t.equal(ran.status, 130);
      t.match(ran.stderr.split('\n')[0], expected);
      t.ok(requests <= 2, 'it is not asked again at once');
      await stop();
    }
  });
});

t.test('how far it is', async (t) => {
  const none: NameCounts = { agreed: 0, trouble: 0, failed: 0, skipped: 0 };
  const rows: readonly (readonly [
    counts: Partial<NameCounts>,
    total: number | undefined,
    expected: string,
  ])[] = [
    [{}, undefined, '0 names'],
    [{}, 1_000, '0 of 1,000 names'],
    [{ agreed: 2 }, 1_000, '2 of 1,000 names'],
    [{ agreed: 20 }, 1_000, '20 of 1,000 names, 20.0 a second, about 49 s left'],
    [{ agreed: 10 }, 10_000, '10 of 10,000 names, 10.0 a second, about 17 min left'],
    [{ agreed: 3 }, 100_000, '3 of 100,000 names, 3.0 a second, about 9 h left'],
    [{ agreed: 9, skipped: 20, trouble: 1 }, 30, '30 of 30 names, 1 with trouble'],
    [
      { agreed: 6, skipped: 20, trouble: 3, failed: 1 },
      40,
      '30 of 40 names, 10.0 a second, about 1 s left, 3 with trouble, 1 not done',
    ],
  ];
  for (const [counts, total, expected] of rows)
    t.equal(progressLine({ ...none, ...counts }, total, 1_000), expected);
  const done = { agreed: 6, skipped: 20, trouble: 3, failed: 1 };
  const names = '30 names: 6 healthy, 3 with trouble, 1 not done, 20 done before';
  t.equal(
    closingLine(done, { exchanges: 1_200, shared: 0 }, 4_000),
    `${names}; 1,200 exchanges in 4.0 s, 2.5 names a second`,
  );
  t.equal(
    closingLine(done, { exchanges: 1_200, shared: 1_100 }, 4_000),
    `${names}; 1,200 exchanges (1,100 shared) in 4.0 s, 2.5 names a second`,
  );
  t.equal(
    closingLine({ ...none, skipped: 20 }, { exchanges: 0, shared: 0 }, 4_000),
    '20 names: 0 healthy, 20 done before',
  );
});

t.test('what the pace costs is said before a long run', async (t) => {
  const rows: readonly (readonly [
    size: ListSize,
    rate: number,
    prefix: number,
    expected: RegExp | undefined,
  ])[] = [
    [
      { kind: 'counted', names: 1_000_000 },
      20,
      100,
      /^1,000,000 names at 20 queries a second to one address: about 14 h,/,
    ],
    [
      { kind: 'estimated', names: 9_000_000 },
      20,
      100,
      /^about 9,000,000 names at 20 queries a second .* about 125 h,/,
    ],
    [
      { kind: 'counted', names: 1_000_000 },
      500,
      100,
      /at 100 queries a second to one prefix: about 3 h,.*--share-referrals/,
    ],
    [{ kind: 'counted', names: 6_000 }, 0, 100, /at 100 queries a second to one prefix: about 60 s,/],
    [{ kind: 'counted', names: 1_199 }, 20, 100, undefined],
    [{ kind: 'counted', names: 1_000_000 }, 0, 0, undefined],
  ];
  for (const [size, ratePerAddress, ratePerPrefix, expected] of rows) {
    const notice = paceNotice(size, { ratePerAddress, ratePerPrefix });
    if (expected === undefined) t.equal(notice, undefined);
    else t.match(notice, expected);
  }
});

t.test('the size of a list', async (t) => {
  const text = '# a comment\n\na.test\n  ; another\n\tb.test # a name\r\n\r\nc.test';
  const dir = t.testdir({ 'list.txt': text, 'long.txt': 'a.test\n'.repeat(100) });
  t.same(await listSize(join(dir, 'list.txt')), { kind: 'counted', names: 3 });
  t.same(await listSize(join(dir, 'long.txt'), 70), { kind: 'estimated', names: 100 });
  // Opening it would wait for a writer.
  const pipe = join(dir, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const path of [dir, '/dev/null', pipe, join(dir, 'none')]) t.equal(await listSize(path), undefined);
});

t.test('until when a wait lasts', async (t) => {
  const now = new Date(2026, 10, 21, 23, 30, 5);
  t.equal(untilTime(1_000, now), '23:30:06');
  t.equal(untilTime(3_600_000, now), '2026-11-22 00:30:05', 'another day has its date');
});

t.test('several at once, in order or not', async (t) => {
  const run = async (order: 'as-given' | 'as-they-end', steps: readonly number[]) => {
    const waiting = new Map<number, () => void>();
    const written: number[] = [];
    let most = 0;
    let ahead = 0;
    const items = (async function* () {
      for (let item = 0; item < steps.length; item += 1) yield item;
    })();
    const work = (item: number) =>
      new Promise<number>((resolve) => {
        waiting.set(item, () => resolve(item));
        most = Math.max(most, waiting.size);
        ahead = Math.max(ahead, item - written.length);
      });
    const write = async (item: number) => {
      written.push(item);
    };
    const signal = new AbortController().signal;
    const done = runPool({ items, work, write, jobs: 2, order, signal });
    for (const step of steps) {
      while (!waiting.has(step)) await settled();
      waiting.get(step)?.();
      waiting.delete(step);
      await settled();
    }
    await done;
    return { written, most, ahead };
  };
  t.same(await run('as-they-end', [1, 2, 0, 3]), { written: [1, 2, 0, 3], most: 2, ahead: 1 });
  t.same(await run('as-given', [1, 2, 0, 3]), { written: [0, 1, 2, 3], most: 2, ahead: 3 });
  const inOrder = Array.from({ length: 12 }, (_, item) => item);
  const firstLate = [...inOrder.slice(1, 8), 0, ...inOrder.slice(8)];
  t.same(
    await run('as-given', firstLate),
    { written: inOrder, most: 2, ahead: 7 },
    'a slow one holds up those that are too far ahead of it',
  );
  const lines = new Ahead(
    (async function* () {
      yield 1;
      throw new Error('unreadable');
    })(),
  );
  t.same(await lines.next(), { done: false, value: 1 });
  await t.rejects(lines.next(), { message: 'unreadable' });
});

t.test('a list that is read far ahead', async (t) => {
  const numbers = new Ahead(
    (async function* () {
      for (let number = 0; number < 2_500; number += 1) yield number;
    })(),
  );
  const taken: number[] = [];
  for (let next = await numbers.next(); next.done !== true; next = await numbers.next())
    taken.push(next.value);
  t.same(
    taken,
    Array.from({ length: 2_500 }, (_, number) => number),
  );
  t.equal(numbers.total, 2_500);
});

function pick(line: Line | undefined) {
  if (line === undefined) throw new Error('no such line');
  const { outcomes, resolver, exitStatus } = line;
  return { outcomes, resolver, exitStatus };
}

function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

function lineFor(name: string, lines: readonly Line[]): Line {
  const line = lines.find(({ query }) => query.name === `${name}.`);
  if (line === undefined) throw new Error(`no line for ${name}`);
  return line;
}

function linesOf(text: string): readonly Line[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}
