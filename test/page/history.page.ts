import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { startLab } from '../../src/lab/lab.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { type Spawned, startServe } from '../service/spawned.ts';
import { faultsOfAccess, isTooWide, openBrowser, verdict, withPage } from './browser.ts';

const NAME = 'www.past.test';
const [ROOT, FIRST, SECOND] = ['127.0.18.1', '127.0.18.2', '127.0.18.3'];

/** A service in whose internet the name has this address. What it keeps in the folder outlives it. */
async function serviceWhere(t: Test, folder: string, address: string): Promise<Spawned> {
  const delegation = `. NS a.root.\na.root. A ${ROOT}\npast.test NS ns1.past.test.\npast.test NS ns2.past.test.`;
  const servers = `ns1.past.test A ${FIRST}\nns2.past.test A ${SECOND}`;
  const zone = zoneText(
    'past.test.',
    `@ NS ns1\n@ NS ns2\nns1 A ${FIRST}\nns2 A ${SECOND}\nwww A ${address}`,
  );
  const lab = await startLab({
    servers: [
      { name: 'a.root.', addresses: [ROOT], zones: [zoneText('.', `${delegation}\n${servers}`)] },
      { name: 'ns1.past.test.', addresses: [FIRST], zones: [zone] },
      { name: 'ns2.past.test.', addresses: [SECOND], zones: [zone] },
    ],
  });
  t.teardown(lab.close);
  const hints = join(folder, 'hints');
  writeFileSync(hints, lab.hints);
  const network = ['--root-hints', hints, '--port', `${lab.port}`, '--allow-special-targets', '-4'];
  // A reply that came too late would be a change.
  const patience = ['--rate', '0', '--timeout', '60s'];
  const kept = ['--state', join(folder, 'state'), '--public-history'];
  return await startServe(t, [...network, ...patience, ...kept]);
}

/** Runs a traversal of the name to its end, and gives the path of its page. */
async function traversed({ url }: Spawned): Promise<string> {
  const posted = await fetch(`${url}/api/traverse`, { method: 'POST', body: JSON.stringify({ name: NAME }) });
  const { id, links } = JSON.parse(await posted.text());
  await (await fetch(`${url}${links.events}`)).text();
  return `/t/${id}`;
}

/** When the job of a page ended. */
async function finishedAt({ url }: Spawned, path: string): Promise<string> {
  const job = await fetch(`${url}/api/traverse/${path.slice('/t/'.length)}`);
  return JSON.parse(await job.text()).result.finishedAt;
}

/** The reader's time, with UTC beside. */
const MOMENT = /^(?:\S+ )?\d\d:\d\d:\d\d \((?:\S+ )?\d\d:\d\d:\d\d UTC\)$/;

const browser = await openBrowser(t);

t.test('what a name gave before, and what changed since', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'history-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const before = await serviceWhere(t, folder, '203.0.113.80');
  const first = await traversed(before);
  before.kill('SIGTERM');
  await before.exit;
  const service = await serviceWhere(t, folder, '203.0.113.81');
  const changed = await traversed(service);
  const last = await traversed(service);

  const look = async (page: Page) => {
    await page.goto(`${service.url}${last}`);
    await verdict(page, /all users get the answer/i);
    const history = page.getByRole('region', { name: 'What changed before' });
    const rows = history.getByRole('listitem');
    await rows.nth(2).waitFor();
    const brief = (text: string) =>
      /\(shown\)|203\.0\.113\.\d+|Changed|As before/g[Symbol.match](text)?.join(' ');
    t.same((await rows.allInnerTexts()).map(brief), [
      '(shown) 203.0.113.81 As before',
      '203.0.113.81 Changed',
      '203.0.113.80',
    ]);
    await rows
      .nth(2)
      .getByRole('button', { name: /^Compare with the result of / })
      .click();
    const comparison = rows.nth(2).getByRole('status');
    await comparison.getByText(/203\.0\.113\.81, was .*203\.0\.113\.80/).waitFor();
    t.match(await comparison.getByRole('table').first().innerText(), /was\s+now/);
    const replaced = '203.0.113.80, replaced by 203.0.113.81';
    const curve = rows.nth(2).getByRole('table', { name: replaced });
    t.match(
      (await curve.innerText()).split(/\s*[\n\t]\s*/),
      [
        ...['users of', 'still get it now', 'half of them until', 'a tenth until', 'the last until'],
        ...['all products', /^\d+ %$/, MOMENT, MOMENT, MOMENT],
      ],
      'four points of the curve',
    );
    t.equal(await rows.nth(2).locator('polyline').count(), 1, 'and the curve');
    const seen = await finishedAt(service, changed);
    const [, time] = /T(\S+)\.\d+Z/.exec(seen) ?? [];
    await rows
      .nth(2)
      .getByText(new RegExp(`^Changed .*\\(.*${time} UTC\\), .* ago, or earlier`))
      .waitFor();
    for (const width of [320, 390, 1_440]) {
      await page.setViewportSize({ width, height: 900 });
      t.equal(await isTooWide(page), false, `no need to scroll sideways at ${width}`);
      t.same(await faultsOfAccess(page), [], `nothing keeps anybody out at ${width}`);
    }
    await rows
      .nth(1)
      .getByRole('button', { name: /^Compare/ })
      .click();
    await rows
      .nth(1)
      .getByText(/: nothing changed$/)
      .waitFor();
    await rows.nth(2).getByRole('link').click();
    await page.getByRole('region', { name: 'Users get' }).filter({ hasText: '203.0.113.80' }).waitFor();
    t.equal(new URL(page.url()).pathname, first);
    const gone = '00000000-0000-4000-8000-000000000000';
    await page.goto(`${service.url}/t/${gone}?name=${NAME}&type=A`);
    await page.getByRole('strong').filter({ hasText: 'no longer kept' }).waitFor();
    await rows.nth(1).waitFor();
    await page.goto(`${service.url}/?name=${NAME}&type=A`);
    await rows.nth(1).waitFor();
    await page.goto(`${service.url}/?name=${NAME}&type=MX`);
    await history.getByText('This service keeps no result of this name and type.').waitFor();
  };
  await withPage(t, browser, look, { timezoneId: 'Asia/Kolkata' });
});

t.test('a service that does not tell its history shows none', async (t) => {
  const service = await startServe(t);
  await withPage(t, browser, async (page) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${service.url}/?name=www.shop.example&type=A`);
    await page.getByRole('button', { name: 'Traverse' }).click();
    await verdict(page, /all users get the answer/i);
    await page.getByRole('region', { name: 'Save or share' }).waitFor();
    t.equal(await page.getByRole('heading', { name: 'What changed before' }).count(), 0);
    t.notOk(asked.includes('/api/traversals'));
  });
});
