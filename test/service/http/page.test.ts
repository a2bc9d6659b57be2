import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { readShape } from '../../../src/base/shape.ts';
import { DEFAULT_OPTIONS } from '../../../src/document/options.ts';
import { WHEN } from '../../../src/document/when.ts';
import { listed } from '../../../src/document/words/lists.ts';
import { FORMATS, formatsIn } from '../../../src/report/formats.ts';
import { type Page, type PageFile, preferredType, readPage } from '../../../src/service/page-files.ts';
import { settled } from '../../base/fake-clock.ts';
import { inside } from '../../cli/inside.ts';
import { ask, askOctets } from '../http-client.ts';
import { startServe } from '../spawned.ts';
import { eventsIn, startJob, startTestService } from '../test-service.ts';

const file = (type: string, text: string): PageFile => {
  const octets = (coding: string) => Buffer.from(`${text} ${coding}`);
  return { type, hash: text, forms: { br: octets('br'), gzip: octets('gzip'), identity: octets('plain') } };
};

const PAGE: Page = {
  html: file('text/html; charset=utf-8', 'html'),
  template: 'html <!-- preview --> plain',
  assets: new Map([
    ['main-1.js', file('text/javascript; charset=utf-8', 'script')],
    ['icon-1.svg', file('image/svg+xml', 'icon')],
  ]),
};

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

t.test('the type that clients ask for by name', async (t) => {
  const ROWS: readonly (readonly [accept: string | undefined, type: ReturnType<typeof preferredType>])[] = [
    [BROWSER.accept, 'html'],
    ['text/html', 'html'],
    ['TEXT/HTML;charset=utf-8', 'html'],
    ['text/*;q=0.1', 'html'],
    ['application/json, text/html', 'html'],
    ['application/json, text/html;q=0.9', 'json'],
    ['text/html;q=0, */*', 'neither'],
    ['text/html;q=2', 'neither'],
    ['application/json', 'json'],
    ['application/json, text/plain, */*', 'json'],
    ['*/*', 'neither'],
    ['text/event-stream', 'neither'],
    ['', 'neither'],
    [undefined, 'neither'],
  ];
  for (const [accept, type] of ROWS) t.equal(preferredType(accept), type, `${accept}`);
});

t.test('the page', async (t) => {
  const { service } = await startTestService(t, {}, 'manual', { page: PAGE });
  const id = await startJob(service);
  await settled();

  t.test('browsers get it at / and for a job, with a status that fits', async (t) => {
    for (const [path, status] of [
      ['/', 200],
      ['/?name=www.example', 200],
      ['/help', 200],
      [`/t/${id}`, 200],
      [`/t/${id}/`, 200],
      ['/t/00000000-0000-4000-8000-000000000000', 404],
      ['/t/%3Cscript%3E', 404],
      ['/t', 404],
      ['/t/', 404],
      ['/t/a/b', 404],
      ['/elsewhere', 404],
      ['/assets/none.js', 404],
      ['/t/%zz', 400],
    ] as const) {
      const { headers, ...answer } = await ask(service, 'GET', path, { headers: BROWSER });
      t.match(answer, { status, text: /^html .*plain$/s }, path);
      t.match(headers, {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        vary: 'Accept, Accept-Encoding',
      });
      const policy = headers['content-security-policy']?.toString() ?? '';
      t.match(policy, /^default-src 'none'; /);
      t.match(policy, /; frame-ancestors 'none'$/);
      t.notMatch(policy, /unsafe-inline|'unsafe-eval'|https?:/);
      const head = await ask(service, 'HEAD', path, { headers: BROWSER });
      t.same([head.status, head.text], [status, '']);
      t.equal(head.headers['content-length'], headers['content-length']);
    }
  });

  t.test('so do programs that do not ask for JSON, such as curl, monitors and chats', async (t) => {
    for (const path of ['/', `/t/${id}`, '/help']) {
      for (const headers of [{ accept: '*/*' }, { accept: 'text/plain' }, {}])
        t.match(await ask(service, 'GET', path, { headers }), { status: 200, text: /^html / }, path);
    }
  });

  t.test(
    'programs that ask for JSON are told what there is instead, and the others where there is no page',
    async (t) => {
      const rows = [
        [
          'application/json',
          ['/', `/t/${id}`, '/help', '/t/x', '/assets/none.js', '/assets', '/t', '/t/a/b'],
        ],
        ['*/*', ['/assets/none.js', '/assets', '/t', '/t/a/b', '/api/none']],
      ] as const;
      for (const [accept, paths] of rows) {
        for (const path of paths) {
          const { status, headers, text } = await ask(service, 'GET', path, { headers: { accept } });
          t.equal(status, 404);
          t.equal(headers['content-type'], 'application/problem+json');
          t.match(
            JSON.parse(text).detail,
            /^Nothing exists at this path\. The service has \/api\/traverse, /,
          );
        }
      }
    },
  );

  t.test('links to a job tell its question, and search engines to stay away', async (t) => {
    const answer = await ask(service, 'GET', `/t/${id}`, { headers: BROWSER });
    t.match(answer.text, '<meta property="og:title" content="www.example A · DNS traversal">');
    t.equal(answer.headers['x-robots-tag'], 'noindex');
    const hostile = await startJob(service, { name: '"><script>.example' });
    const { text } = await ask(service, 'GET', `/t/${hostile}`);
    t.match(text, /content="[^"<>]*script[^"<>]*example A · DNS traversal">/);
    const robots = await ask(service, 'GET', '/robots.txt');
    t.match(robots, { status: 200, text: /^User-agent: \*\nDisallow: \/api\/\nDisallow: \/t\/\n$/ });
    const icon = await ask(service, 'GET', '/favicon.ico');
    t.match(icon, { status: 200, text: 'icon plain', headers: { 'content-type': 'image/svg+xml' } });
  });

  t.test('a path that names nothing is no page for what is not read', async (t) => {
    const { status, headers } = await ask(service, 'POST', '/elsewhere', { headers: BROWSER });
    t.same([status, headers['content-type']], [404, 'application/problem+json']);
  });

  t.test('what it loads may be kept for ever', async (t) => {
    const { status, headers, text } = await ask(service, 'GET', '/assets/main-1.js');
    t.same([status, text], [200, 'script plain']);
    t.match(headers, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': /^default-src 'none'/,
      vary: 'Accept-Encoding',
    });
  });

  t.test('it comes in the shortest form that the client takes', async (t) => {
    for (const [accepted, coding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['*', 'br'],
      ['*;q=0', 'plain'],
      ['zstd', 'plain'],
      ['', 'plain'],
    ] as const) {
      for (const path of ['/', '/assets/main-1.js']) {
        const { headers, text } = await ask(service, 'GET', path, {
          headers: { ...BROWSER, 'accept-encoding': accepted },
        });
        t.match(text, new RegExp(` ${coding}$`), accepted);
        t.equal(headers['content-encoding'], coding === 'plain' ? undefined : coding);
      }
    }
  });

  t.test('what the client has already is not sent again', async (t) => {
    for (const path of ['/', '/assets/main-1.js']) {
      const first = await ask(service, 'GET', path, { headers: BROWSER });
      const tag = first.headers.etag ?? '';
      for (const known of [tag, `"other", W/${tag}`, '*']) {
        const again = await ask(service, 'GET', path, { headers: { ...BROWSER, 'if-none-match': known } });
        t.match(again, { status: 304, text: '', headers: { etag: tag } }, known);
        t.notHas(again.headers, 'content-length');
        t.equal(again.headers['cache-control'], first.headers['cache-control']);
      }
      const packed = { ...BROWSER, 'accept-encoding': 'br', 'if-none-match': tag };
      t.match(
        await ask(service, 'GET', path, { headers: packed }),
        { status: 200 },
        'another form is another',
      );
    }
    const gone = await ask(service, 'GET', '/t/gone', { headers: { ...BROWSER, 'if-none-match': '*' } });
    t.equal(gone.status, 404, 'a job that has gone is still reported');
  });

  t.test('it is only read', async (t) => {
    for (const path of ['/', `/t/${id}`, '/assets/main-1.js']) {
      const answer = await ask(service, 'POST', path, { headers: BROWSER });
      t.match(answer, { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
    }
  });
});

t.test('without a page there is nothing at its paths', async (t) => {
  const { service } = await startTestService(t);
  const id = await startJob(service);
  for (const path of ['/', '/help', `/t/${id}`, '/assets/main-1.js', '/robots.txt', '/favicon.ico']) {
    for (const method of ['GET', 'POST']) {
      const { status } = await ask(service, method, path, { headers: BROWSER });
      t.equal(status, 404, `${method} ${path}`);
    }
  }
});

t.test('the page that was built is served octet for octet', async (t) => {
  const demo = [{ name: 'www.shop.example', type: 'A', line: '"quoted" & <b>bold</b>' }];
  const page = await readPage({ usual: DEFAULT_OPTIONS, history: false, draws: true, demo });
  t.match(
    page.html.forms.identity.toString(),
    /<meta name="service" content="\{[^"<>]*&#34;quoted[^"<>]*\}">/,
  );
  const { service } = await startTestService(t, {}, 'manual', { page });
  t.ok(page.assets.size >= 3, 'a script, a style sheet and an icon');
  const asked = { headers: { ...BROWSER, 'accept-encoding': 'br' } };
  const { octets } = await askOctets(service, '/', asked);
  const html = brotliDecompressSync(octets);
  t.same(html, page.html.forms.identity);
  for (const [, path = ''] of html.toString().matchAll(/"(\/assets\/[^"]+)"/g)) {
    const { status, headers, octets } = await askOctets(service, path, {
      headers: { 'accept-encoding': 'gzip' },
    });
    const name = path.slice('/assets/'.length);
    t.match(headers['content-type'], /^(?:text\/(?:javascript|css); charset=utf-8|image\/svg\+xml)$/);
    t.same([status, gunzipSync(octets)], [200, page.assets.get(name)?.forms.identity], path);
  }
});

const FORMS = formatsIn('api').map((form) => {
  const { mediaType } = FORMATS[form];
  return [form, mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType] as const;
});

t.test('a result is the same in every form as on the command line', async (t) => {
  const service = await startServe(t);
  const id = await startJob(service, { name: 'www.mixed.example', options: { views: ['resolver'] } });
  const { text } = await ask(service, 'GET', `/api/traverse/${id}/events`);
  t.match(eventsIn(text).at(-1)?.[1], 'servers');
  const job = await ask(service, 'GET', `/api/traverse/${id}?full`);
  const saved = t.testdir({ 'result.json': JSON.stringify(JSON.parse(job.text).result) });
  for (const [form, type] of FORMS) {
    const { status, headers, text } = await ask(service, 'GET', `/api/traverse/${id}?format=${form}`);
    t.same([status, headers['content-type']], [200, type], form);
    const { stdout } = await inside(['traverse', '--replay', `${saved}/result.json`, '--format', form]);
    // Members are in an order of their own after a replay.
    if (form === 'json') t.same(JSON.parse(text), JSON.parse(stdout));
    else t.equal(text, stdout, form);
    const head = await ask(service, 'HEAD', `/api/traverse/${id}?format=${form}`);
    t.same([head.status, head.text], [200, '']);
  }
  const when = await ask(service, 'GET', `/api/traverse/${id}/when`);
  t.same([when.status, when.headers['content-type']], [200, 'application/json']);
  const { lead } = readShape(WHEN, JSON.parse(when.text));
  t.same(lead[0]?.rrset, { name: 'www.mixed.example.', type: 'A' });
  const { exchanges, findings } = JSON.parse(job.text).result;
  const [xid] = findings[0].evidence;
  const proof = await ask(service, 'GET', `/api/traverse/${id}/exchanges/${xid}`);
  t.same([proof.status, proof.headers['content-type']], [200, 'application/json']);
  t.same(
    JSON.parse(proof.text),
    exchanges.find((one: { id: string }) => one.id === xid),
  );
  for (const other of ['x99999', 'p1', 'y1', 'x01'])
    await refused(t, service, `/api/traverse/${id}/exchanges/${other}`, 404, /^The result has no exchange/);
  const { text: preview } = await ask(service, 'GET', `/t/${id}`);
  t.match(preview, /<meta property="og:description" content="75 % of users get .*">/);
  const svg = await ask(service, 'GET', `/api/traverse/${id}?format=svg`);
  t.equal(svg.headers['content-security-policy'], "default-src 'none'; sandbox");
});

async function refused(
  t: Test,
  place: Parameters<typeof ask>[0],
  path: string,
  status: number,
  says: RegExp,
) {
  const answer = await ask(place, 'GET', path);
  t.equal(answer.status, status, path);
  t.match(JSON.parse(answer.text).detail, says);
}

t.test('a form needs a result, and a name that is known', async (t) => {
  const names = formatsIn('api');
  const { service, engine } = await startTestService(t);
  const id = await startJob(service);
  await settled();
  const self = `/api/traverse/${id}`;
  for (const form of ['pdf', 'TEXT', '', 'text&format=svg', 'constructor', '%3Cscript%3E'])
    await refused(
      t,
      service,
      `${self}?format=${form}`,
      400,
      new RegExp(`^The values of format are ${listed(names, names.length)};`),
    );
  await refused(t, service, `${self}?format=svg`, 409, /has not ended/);
  await refused(t, service, `${self}/when`, 409, /has not ended/);
  await refused(t, service, `${self}/exchanges/x1`, 409, /has not ended/);
  await refused(t, service, '/api/traverse/none?format=svg', 404, /^No such job/);
  t.equal((await ask(service, 'GET', `${self}?other=svg#?format=svg`)).status, 200);
  engine.runs[0]?.fail(new Error('a bug'));
  await settled();
  await refused(t, service, `${self}?format=text`, 409, /without a result/);
  await refused(t, service, `${self}/when`, 409, /without a result/);
});
