import t from 'tap';
import type { ListedServer, ServerList } from '../../src/document/servers.ts';
import { startDemoService, startProxy, startServer } from './demo-service.ts';
import { inside } from './inside.ts';
import { ended, type Ran, start } from './svc.ts';

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[\\d*m`, 'g');
const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

t.test('here', async (t) => {
  // Most of them wait for dead servers.
  t.jobs = 3;
  t.test('a table from the root down', async (t) => {
    const { status, stdout, stderr } = await inside(['servers', 'www.mixed.example', '--demo', '--quick']);
    t.same([status, stderr], [0, '']);
    const [heading = '', ...rows] = stdout.split('\n');
    t.same(heading.split(/ {2,}/), ['Address', 'Names', 'Zones', 'Software', 'version.bind']);
    const cells = rows.map((row) => row.split(/ {2,}/));
    t.same(cells[0], ['192.0.2.1', 'a.root.', '.', 'NSD 4.8.0', '"NSD 4.8.0"']);
    t.same(cells[1], ['2001:db8::1', 'a.root.', '.', 'NSD 4.8.0', '"NSD 4.8.0"']);
    t.same(
      cells.find(([address]) => address === '198.51.100.82'),
      ['198.51.100.82', 'ns.mixed.example.', 'mixed.example.', 'not asked: silent'],
      'why it was not asked',
    );
    t.match(
      cells.find(([address]) => address === '203.0.113.1'),
      { 2: 'meadow.test. and mixed.example.' },
    );
    t.match(stdout, /\n\n24 addresses: \d [^\n]+\n$/);
    const full = await inside(['servers', 'www.shop.example', '--demo', '--quick', '-v']);
    t.match(full.stdout, /^Address .* version\.bind {2,}hostname\.bind {2,}id\.server {2,}NSID\n/);
    t.match(full.stdout, /^192\.0\.2\.3 .* refused {2,}"c2\.lhr" {2,}"c2\.lhr\.root"$/m);
  });

  t.test('in a narrow terminal a version text that says no more than the software is left out', async (t) => {
    const narrow = await inside(['servers', 'www.dead.example', '--demo', '--quick'], {
      terminals: ['stdout'],
      columns: 80,
    });
    const lines = stripped(narrow.stdout).split('\n');
    t.equal(lines[0], 'Address         Names                 Zones          Software');
    t.equal(lines[1], '192.0.2.1       a.root.               .              NSD 4.8.0');
    t.ok(lines.includes('198.51.100.66   ns.dead.example.      dead.example.  not asked: silent'));
    t.ok(lines.every((line) => line.length <= 80));
    t.equal(lines.filter((line) => line.startsWith(' ')).length, 2, 'hardly a line is broken');
    const full = await inside(['servers', 'www.dead.example', '--demo', '--quick', '-v'], {
      terminals: ['stdout'],
      columns: 80,
    });
    t.match(full.stdout, '"NSD 4.8.0"', 'not where nothing is to be left out');
  });

  t.test('json is the server list of the interface, jsonl a server a line', async (t) => {
    const { status, stdout } = await inside(['servers', 'www.shop.example', '--demo', '--quick', '--json']);
    t.equal(status, 0);
    const list: ServerList = JSON.parse(stdout);
    t.equal(list.status, 'ready');
    // In the order in which they replied.
    t.match(byAddress(list.servers)[0], {
      address: '192.0.2.1',
      names: ['a.root.'],
      zones: ['.'],
      versionBind: { status: 'answer', text: 'NSD 4.8.0' },
      software: { product: 'NSD', version: '4.8.0' },
    });
    const lines = await inside(['servers', 'www.shop.example', '--demo', '--quick', '--format', 'jsonl']);
    const servers: readonly ListedServer[] = lines.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    t.same(byAddress(servers), byAddress(list.servers));
  });

  t.test('a line that tells how far it is, where there is a terminal', async (t) => {
    const { stdout, stderr } = await inside(['servers', 'www.dead.example', '--demo', '--quick'], {
      terminals: ['stderr'],
    });
    t.match(stderr, /www\.dead\.example\. A.* {2}\d+ replies, \d+ awaited, [\d.]+ m?s/);
    t.ok(stderr.endsWith('\u001b[J'), 'and that is taken away');
    t.match(stdout, /^Address /);
  });

  t.test('exit status', async (t) => {
    const rows: readonly (readonly [command: string, status: number, words: RegExp])[] = [
      ['www.circle.example --demo --quick', 0, /^$/],
      ['--demo', 0, /^$/],
      ['-x 192.0.2.1 --demo --quick', 0, /^$/],
      ['www.shop.example --demo --max-queries 4', 3, /^svc: a limit was reached/],
      ['', 2, /NAME is missing: write svc servers www/],
      ['a..b --demo', 2, /is not a domain name/],
      [ID, 2, /name its server with --server URL/],
      ['www.shop.example --demo --json --format jsonl', 2, /leave out --format jsonl/],
      ['www.shop.example --demo --server http://localhost', 2, /--demo does not go with --server/],
    ];
    for (const [command, status, words] of rows) {
      const ran = await inside(['servers', ...command.split(' ').filter(Boolean)]);
      t.equal(ran.status, status, `${command}: ${status}`);
      t.match(ran.stderr, words);
    }
    const offline = await inside(['servers', 'www.shop.example'], { families: [] });
    t.equal(offline.status, 3);
    t.match(offline.stderr, /no network/);
  });

  t.test('interrupted, those that are known are listed', async (t) => {
    let asking = false;
    // At one query a second the four questions take three, and a view or two show that they are asked.
    const ran = await inside(
      ['servers', 'www.dead.example', '-4', '--demo', '--quick', '--rate', '1', '--json'],
      {
        terminals: ['stderr'],
        onStderr: (written, interrupt) => {
          if (asking || written.split('asking the servers who they are').length < 4) return;
          asking = true;
          interrupt();
        },
      },
    );
    t.equal(ran.status, 130);
    const list: { readonly status: string; readonly servers: readonly ListedServer[] } = JSON.parse(
      ran.stdout,
    );
    t.equal(list.status, 'pending', 'the list says that it is not whole');
    const [dead, ...others] = list.servers;
    t.match(
      dead,
      { address: '198.51.100.66', versionBind: { status: 'skipped', reason: 'silent' } },
      'the dead one, which need not be asked',
    );
    t.ok(others.length > 0, 'those that replied in the traversal');
    for (const { versionBind } of others) t.same(versionBind, { status: 'skipped', reason: 'time' });
    t.match(ran.stderr, /svc: interrupted: 0 servers identified by then\n$/);
  });

  t.test('interrupted on the way, those that had replied are listed', async (t) => {
    for (const format of ['text', 'json'] as const) {
      let heard = false;
      const command = `servers www.dead.example -4 --demo --quick --timeout 5s --format ${format}`.split(' ');
      const ran = await inside(command, {
        terminals: ['stderr'],
        onStderr: (written, interrupt) => {
          if (heard || !written.includes('198.51.100.66')) return;
          heard = true;
          interrupt();
        },
      });
      t.equal(ran.status, 130);
      t.match(ran.stderr, /svc: interrupted: 0 servers identified by then\n$/);
      if (format === 'text') {
        t.match(ran.stdout, /^192\.0\.2\.1 {2,}a\.root\. {2,}\. {2,}not asked: no time left$/m);
        t.notMatch(ran.stdout, '198.51.100.66', 'not the one that is silent');
        continue;
      }
      const list: { readonly servers: readonly ListedServer[] } = JSON.parse(ran.stdout);
      t.match(byAddress(list.servers)[0], {
        address: '192.0.2.1',
        names: ['a.root.'],
        zones: ['.'],
        versionBind: { status: 'skipped', reason: 'time' },
      });
    }
  });

  t.test('a reader that goes away ends it quietly', async (t) => {
    const child = start(['servers', 'www.shop.example', '--demo', '--quick']);
    child.stdout.destroy();
    const { stderr } = await ended(child);
    t.equal(stderr, '');
  });
});

t.test('at a running service', async (t) => {
  const service = await startDemoService();
  t.teardown(service.stop);
  const servers = (...words: readonly string[]) => inside(['servers', ...words, '--server', service.url]);

  t.test('the same list, by name and by job', async (t) => {
    const here = rowsOf(
      await inside(['servers', 'www.shop.example', '--demo', '--quick', '--format', 'jsonl']),
    );
    const byName = await servers('www.shop.example', '--quick', '--format', 'jsonl');
    t.same([byName.status, byName.stderr], [0, '']);
    t.same(rowsOf(byName), here);
    const reply = await fetch(`${service.url}/api/traverse`, {
      method: 'POST',
      body: '{"name": "www.shop.example", "options": {"views": ["resolver"]}}',
    });
    const { id }: { readonly id: string } = JSON.parse(await reply.text());
    const pending = await servers(id, '--format', 'jsonl');
    t.same(rowsOf(pending), here, 'a job that runs is waited for');
    const ready = await servers(id, '--json');
    const published = await fetch(`${service.url}/api/traverse/${id}/servers`);
    t.same(JSON.parse(ready.stdout), JSON.parse(await published.text()), 'a list that is ready is read');
    t.equal(ready.status, 0);
    const text = await servers('www.shop.example', '--quick');
    t.match(text.stdout, /^Address +Names +Zones +Software +version\.bind\n192\.0\.2\.1 /);
  });

  t.test('a list with nobody in it', async (t) => {
    const list = { status: 'ready', servers: [] };
    const lonely = await startServer((_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(list)),
    );
    t.teardown(lonely.stop);
    const text = await inside(['servers', ID, '--server', lonely.url]);
    t.same(text, { status: 0, stdout: '', stderr: 'svc: the job met no name servers\n' });
    const json = await inside(['servers', ID, '--server', lonely.url, '--json']);
    t.same([json.status, JSON.parse(json.stdout), json.stderr], [0, list, '']);
  });

  t.test('failures', async (t) => {
    const unknown = await servers(ID);
    t.same([unknown.status, unknown.stdout], [3, '']);
    t.match(unknown.stderr, /has no such job/);
    const told = await servers(ID, '-4');
    t.equal(told.status, 2);
    t.match(told.stderr, /leave out TYPE and options of the traversal/);
    const proxy = await startProxy(service.url, {
      handle: (_, response) => response.socket?.destroy() !== undefined,
    });
    t.teardown(proxy.stop);
    const lost = await inside(['servers', 'www.shop.example', '--server', proxy.url]);
    t.equal(lost.status, 3);
    t.match(lost.stderr, /^svc: cannot reach [^\n]+\n$/);
  });

  t.test('why a server was not asked', async (t) => {
    const reasons = ['silent', 'limit', 'time'] as const;
    const list = {
      status: 'ready',
      servers: reasons.map((reason, index) => {
        const told = { status: 'skipped', reason };
        const address = `192.0.2.${index}`;
        const rest = { versionBind: told, hostnameBind: told, idServer: told, nsid: told };
        return { address, names: ['ns.test.'], zones: ['test.'], ...rest };
      }),
    };
    const tired = await startServer((_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(list)),
    );
    t.teardown(tired.stop);
    const { stdout, status } = await inside(['servers', ID, '--server', tired.url, '-v']);
    t.equal(status, 0);
    const [, ...rows] = stdout.split('\n').map((line) => line.split(/ {2,}/));
    t.same(
      rows.slice(0, 3).map((row) => row.slice(3).join()),
      ['not asked: silent', 'not asked: too many', 'not asked: no time left'],
      'said once in a row',
    );
    t.match(stdout, /\n3 addresses: 3 not asked\n$/);
    const json = await inside(['servers', ID, '--server', tired.url, '--json']);
    t.same(JSON.parse(json.stdout), list);
  });

  t.test('what servers say is harmless, in every format', async (t) => {
    const told = { status: 'answer', text: '\u001b[31mred\u202e\u0007 "9.18"' };
    const server = { address: '192.0.2.1', names: ['ns.test.'], zones: ['test.'], versionBind: told };
    const list = { status: 'ready', servers: [{ ...server, software: { product: 'BIND\u009b2J' } }] };
    const evil = await startServer((_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(list)),
    );
    t.teardown(evil.stop);
    for (const format of ['text', 'json', 'jsonl']) {
      const ran = await inside(['servers', ID, '--server', evil.url, '--format', format, '-v']);
      t.equal(ran.status, 0, format);
      t.notMatch(ran.stdout, /[^\n\x20-\x7e]/);
    }
    const text = await inside(['servers', ID, '--server', evil.url]);
    t.match(
      text.stdout,
      /^192\.0\.2\.1 +ns\.test\. +test\. +BIND\\u\{9b\}2J +"\\u\{1b\}\[31mred\\u\{202e\}\\u\{7\} "9\.18""$/m,
    );
  });
});

function stripped(text: string): string {
  return text.replace(COLOURS, '');
}

function byAddress(servers: readonly ListedServer[]): readonly ListedServer[] {
  return [...servers].sort((a, b) => (a.address < b.address ? -1 : 1));
}

function rowsOf({ stdout }: Ran): readonly ListedServer[] {
  return byAddress(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}
