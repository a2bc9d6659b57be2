import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { showcases } from '../../src/lab/showcases.ts';
import { inside } from './inside.ts';
import { linesOf, many, SUMMED_UP } from './result-lines.ts';
import { ended, start } from './svc.ts';

/** How far a run over all showcases is. */
const SIX_OR_MORE = new RegExp(`\\D(?:[6-9]|1\\d|2\\d) of ${showcases.length} names`);

const dir = t.testdir({
  'good.txt': `# all that the demo has\n${showcases.map(({ name, type }) => `${name} ${type}\n`).join('')}`,
  'healthy.txt': 'www.shop.example\nwww.blog.test',
});
const file = (name: string) => join(dir, name);

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

function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}
