import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { TraversalResult } from '../../src/document/result.ts';
import { showcases } from '../../src/lab/showcases.ts';
import { startDemoService, startProxy, startServer } from './demo-service.ts';
import { inside, type Line, lineFor, linesOf, many, SUMMED_UP } from './inside.ts';
import { ended, start } from './svc.ts';

t.test('many names', async (t) => {
  // Most of them wait for dead servers.
  t.jobs = 3;
  const dir = t.testdir({
    'good.txt': `# all that the demo has\n${showcases.map(({ name, type }) => `${name} ${type}\n`).join('')}`,
    'mixed.txt': '\ufeffwww.shop.example\r\n\r\na..b\r\nwww.stale.example ; trouble\r\nwww.shop.example\r\n',
    'healthy.txt': 'www.shop.example\nwww.blog.test AAAA',
    'empty.txt': '\n# nothing\n',
  });
  const file = (name: string) => join(dir, name);

  t.test('each result is what the name alone gives', async (t) => {
    const { status, stdout, stderr } = await many('--full', '-f', file('good.txt'), '--ordered');
    t.equal(status, 3, 'one of them is intercepted');
    t.match(stderr, SUMMED_UP);
    const lines = linesOf(stdout);
    t.same(
      lines.map(({ line, query }) => `${line} ${query.name} ${query.type}`),
      showcases.map(({ name, type }, at) => `${at + 2} ${name}. ${type}`),
      'in the order given',
    );
    const names = ['www.left.example', 'www.magazine.example', 'www.mixed.example'];
    writeFileSync(file('three.txt'), names.join('\n'));
    const all = linesOf((await inside(['traverse', '--demo', '--full', '-f', file('three.txt')])).stdout);
    for (const name of names) {
      const { line, exitStatus, ...result } = lineFor(name, all);
      const alone: TraversalResult = JSON.parse(
        (await inside(['traverse', '--demo', name, '--json', '--full'])).stdout,
      );
      t.same(result.views['first-tries'].outcomes, alone.views['first-tries'].outcomes, name);
      t.same(result.views.resolver, alone.views.resolver);
      // Of many names, questions on which all servers agree are not asked again.
      const members = (one: object) => Object.keys(one).filter((key) => key !== 'probes');
      t.same(members(result), members(alone), 'the whole document');
      t.equal(exitStatus, 1);
    }
  });

  t.test('bad lines are reported with their number and stop nothing', async (t) => {
    const { status, stdout, stderr } = await many('--full', '-f', file('mixed.txt'));
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
    const { stderr } = await many('--full', '-f', file('evil.txt'));
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
      [`-f ${file('good.txt')} --brief`, 2, /--brief is gone: lines of JSON have no outcomes/],
      [`-f ${file('good.txt')} --format text --full`, 2, /--full is for JSON, to print the evidence/],
      [`-f ${file('good.txt')} --format text --resume f`, 2, /--resume is for lines of JSON/],
      [`-f ${file('good.txt')} --only-problems --resume f`, 2, /--only-problems does not go with --resume/],
      [`-f ${file('good.txt')} --format md`, 2, /--format md is for one name: many are printed as lines/],
      [`-f ${file('good.txt')} --format dot`, 2, /--format dot is for one name: many are printed as lines/],
      [`-f ${file('good.txt')} --jobs 0`, 2, /--jobs 0: must be a whole number, 1 to 256/],
      ['www.shop.example --jobs 2', 2, /--jobs is for many names: add -f FILE/],
      ['www.shop.example --ordered', 2, /--ordered is for many names/],
      ['www.shop.example --resume f', 2, /--resume is for many names/],
      ['www.shop.example --only-problems', 2, /--only-problems is for many names/],
      ['www.shop.example --full', 2, /--full is for JSON, to print the evidence with it: add --json/],
      ['www.shop.example www.blog.test --full', 2, /--full is for JSON/],
      ['www.shop.example --share', 2, /--share is for many names: add -f FILE/],
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
    // Users of that product get what those of the reference get.
    const command = ['-f', file('rows.txt'), '--ordered', '--profiles', 'powerdns'];
    const rows = [
      '✓  www.shop.example. A             all users get the answer',
      '▲  www.dead.example. A             all users get the answer, but ns.dead.example does not reply',
      '▲  name.dead.example. A            all users get NXDOMAIN: no such name, but ns.dead.example does not reply',
      '≠  www.stale.example. A            50 % of users get 198.51.100.104 from ns1.harbour.example and 50 % 192.0.2.104 from ns2.harbour.example, an older version',
      '≠  www.mixed.example. A            75 % of users get 198.51.100.110 and 25 % 192.0.2.110 from ns.mixed.example, an older version; its address 198.51.100.82 does not reply',
    ];
    const broken = ['ns.dead.example breaks 2 of your 6 names', 'ns.mixed.example breaks 1 of your 6 names'];
    // All views: without them each row says that they were not checked.
    const all = (...words: readonly string[]) => inside(['traverse', '--demo', ...command, ...words]);
    const { status, stdout } = await all('--format', 'text');
    t.equal(status, 2);
    t.same(stdout.split('\n'), [...rows, '', ...broken, '']);
    const shown = await inside(['traverse', '--demo', ...command, '--no-color'], {
      terminals: ['stdout'],
      columns: 200,
    });
    t.equal(shown.stdout, stdout, 'on a terminal without being asked for');
    const few = await all('--format', 'text', '--only-problems', '--fail-on', 'error');
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

  t.test('lines hold what a reader of many wants', async (t) => {
    const { stdout } = await many('-f', file('healthy.txt'));
    const line = lineFor('www.shop.example', linesOf(stdout));
    t.match(line, {
      line: 1,
      exitStatus: 0,
      schema: 3,
      complete: true,
      verdict: { status: 'ok' },
      users: [{ share: { fraction: '1' } }],
      findings: [],
    });
    t.notOk('steps' in line || 'exchanges' in line || 'views' in line);
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
    writeFileSync(file('long.txt'), `${names.join('\n')}\n`.repeat(ROUNDS));
    const alone = linesOf(
      (await many('--full', '-f', file('few.txt'), '--ordered', '--timeout', '20s')).stdout,
    );
    for (const [option, said] of [
      ['--ordered', /\d exchanges in/],
      ['--share', /\d exchanges \([\d,]+ shared\) in/],
    ] as const) {
      const command = ['--full', '-f', file('long.txt'), '--ordered', option, '--timeout', '20s'];
      const { status, stdout, stderr } = await ended(start(['traverse', '--demo', '--quick', ...command]));
      t.equal(status, 1);
      t.match(stderr, said);
      const lines = linesOf(stdout);
      t.equal(lines.length, ROUNDS * names.length);
      for (const [
        at,
        {
          line,
          query,
          views: {
            'first-tries': { outcomes },
            resolver,
          },
          exitStatus,
          figures,
        },
      ] of lines.entries()) {
        const one = alone[at % names.length];
        t.same({ outcomes, resolver, exitStatus }, pick(one), `${query.name} ${query.type}`);
        t.same([line, figures.exchanges], [at + 1, one?.figures.exchanges], 'in order');
      }
    }
  });

  t.test('from stdin', async (t) => {
    const names = Array.from({ length: 15 }, (_, at) => `name${at}.shop.example\n`);
    const command = ['traverse', '--demo', '--quick', '-f', '-'];
    const all = await inside([...command, '--jobs', '15'], { stdin: names.join('') });
    t.same([all.status, linesOf(all.stdout).length], [0, 15]);
    t.match(all.stderr, SUMMED_UP);
    const { status, stdout, stderr } = await inside(command, { stdin: 'www.shop.example\na..b\n' });
    t.equal(status, 2);
    t.equal(linesOf(stdout).length, 1);
    t.match(stderr, /^svc: stdin line 2: /);
  });

  t.test('interrupted while it waits for names', async (t) => {
    const child = start(['traverse', '--demo', '--quick', '-f', '-']);
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
    const child = start(['traverse', '--demo', '--quick', '-f', file('good.txt')]);
    child.stdout.destroy();
    const { status, stderr } = await ended(child);
    t.equal(stderr, '');
    t.ok(status === 0 || status === 1, 'with the status of what was done');
  });

  t.test('on a terminal, how far it is and which names are in work', async (t) => {
    writeFileSync(file('slow.txt'), 'www.shop.example\nwww.dead.example\n');
    const command = ['traverse', '--demo', '--quick', '-f', file('slow.txt'), '--json'];
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

  t.test('at a running service, which may ask for patience', async (t) => {
    const service = await startDemoService({ SERVICE_RATE_LIMIT: '3/6s' });
    t.teardown(service.stop);
    const proxy = await startProxy(service.url, { headers: { 'x-forwarded-for': '198.51.100.7' } });
    t.teardown(proxy.stop);
    const list = file('five.txt');
    writeFileSync(
      list,
      'www.shop.example\nwww.blog.test\nnowhere.shop.example\nwww.old.example\nwww.lame.example\n',
    );
    const ran = await inside(['traverse', '--quick', '-f', list, '--ordered', '--server', proxy.url]);
    t.equal(ran.status, 1);
    t.match(
      ran.stderr,
      /^(svc: rate limit exceeded: 3 requests per 6s; waiting until \d\d:\d\d:\d\d \([12]s\)\n)+svc: 5 names: [^\n]+\n$/,
    );
    t.same(
      linesOf(ran.stdout).map(({ line }) => line),
      [1, 2, 3, 4, 5],
    );
    await proxy.stop();
    const gone = await inside(['traverse', '-f', list, '--server', proxy.url]);
    t.equal(gone.status, 3);
    t.match(gone.stderr, /^svc: cannot reach \S+: connection refused\n$/, 'said once');
    const refused = await inside(
      `traverse -f ${list} --max-queries 900000 --server ${service.url}`.split(' '),
    );
    t.equal(refused.status, 2);
    const sharing = await inside(['traverse', '-f', list, '--share', '--server', service.url]);
    t.equal(sharing.status, 2);
    t.equal(sharing.stderr, 'svc: --share is for names that are traversed here: leave out --server\n');
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

/** Beyond the first 16 names, threads make the lines. */
const ROUNDS = 7;

function pick(line: Line | undefined) {
  if (line === undefined) throw new Error('no such line');
  const {
    views: {
      'first-tries': { outcomes },
      resolver,
    },
    exitStatus,
  } = line;
  return { outcomes, resolver, exitStatus };
}
