import type { Page } from 'playwright-core';
import t from 'tap';
import { ask } from '../service/http-client.ts';
import { startServe } from '../service/spawned.ts';
import { startJob } from '../service/test-service.ts';
import { openBrowser, openPage } from './browser.ts';
import { startHeldService } from './services.ts';

const HELD = 'www.held.test';

/** Types a name and asks for it. */
async function askFor(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Traverse' }).click();
}

/** The marks of a zone's servers, as screen readers hear them. */
async function marksOf(page: Page, zone: string): Promise<readonly string[]> {
  const row = page.getByRole('toolbar', { name: `Servers of ${zone}` });
  const buttons = await row.getByRole('button').all();
  return await Promise.all(buttons.map(async (one) => (await one.getAttribute('aria-label')) ?? ''));
}

const mark = (page: Page, label: RegExp) => page.getByRole('button', { name: label });

t.test('a traversal that runs', async (t) => {
  const browser = await openBrowser(t);

  t.test('is followed, survives a reload, and ends for all who watch', async (t) => {
    const { service, held } = await startHeldService(t);
    const { page } = await openPage(t, browser);
    await page.goto(service.url);
    await askFor(page, HELD);
    await page.waitForURL(/\/t\/[\w-]+\?name=www\.held\.test&type=A$/);
    await held.asked;
    await mark(page, /^ns1\.held\.test .*: replies$/).waitFor();
    await mark(page, /^ns2\.held\.test .*: awaited$/).waitFor();
    t.match(await page.getByRole('main').innerText(), /Awaited\n1\n/);

    t.test('a mark tells on focus and tap what its server did', async (t) => {
      await mark(page, /^ns1\.held\.test/).focus();
      t.match(await page.getByRole('tooltip').innerText(), /ns1\.held\.test .*replies.*203\.0\.113\.80/s);
      await page.keyboard.press('ArrowRight');
      t.match(await page.getByRole('tooltip').innerText(), /ns2\.held\.test .*awaited.*no reply yet/s);
      await page.keyboard.press('Escape');
      await page.getByRole('tooltip').waitFor({ state: 'detached' });
    });

    await page.reload();
    await mark(page, /^ns1\.held\.test .*: replies$/).waitFor();
    await mark(page, /^ns2\.held\.test .*: awaited$/).waitFor();
    t.equal((await marksOf(page, 'held.test')).length, 2, 'nothing twice');

    const other = await openPage(t, browser);
    await other.page.goto(page.url());
    await mark(other.page, /^ns2\.held\.test .*: awaited$/).waitFor();

    held.release();
    for (const watching of [page, other.page]) await watching.getByText('every path').first().waitFor();
    t.match(await other.page.title(), /^www\.held\.test A/);
  });

  t.test('can be cancelled', async (t) => {
    const { service, held } = await startHeldService(t);
    const { page } = await openPage(t, browser);
    await page.goto(`${service.url}/?name=${HELD}`);
    t.equal(await page.getByLabel('Name', { exact: true }).inputValue(), HELD, 'a link fills in the form');
    await page.getByRole('button', { name: 'Traverse' }).click();
    await held.asked;
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled.').waitFor();
    t.match(await page.getByRole('main').innerText(), /what was known by then/);
  });

  t.test('survives that the connection is lost', async (t) => {
    const { service, held } = await startHeldService(t);
    const { page } = await openPage(t, browser);
    await page.goto(service.url);
    await askFor(page, HELD);
    await mark(page, /^ns2\.held\.test .*: awaited$/).waitFor();
    const asked: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/events')) asked.push(request.headers()['last-event-id']);
    });
    const { context } = { context: page.context() };
    await context.setOffline(true);
    await page.evaluate('dispatchEvent(new Event("offline"))');
    await context.setOffline(false);
    held.release();
    await page.getByText('every path').first().waitFor();
    t.ok(asked.length >= 0);
  });

  t.test('that the service forgets as it restarts can be run again', async (t) => {
    const { service, held, restart } = await startHeldService(t);
    const { page } = await openPage(t, browser);
    await page.goto(service.url);
    await askFor(page, HELD);
    await mark(page, /^ns2\.held\.test .*: awaited$/).waitFor();
    service.kill('SIGKILL');
    await service.exit;
    await page.getByText('Trying again').first().waitFor();
    await restart();
    await page.getByText('This traversal is no longer kept.').waitFor();
    held.release();
    const before = page.url();
    await page.getByRole('button', { name: 'Run it again' }).click();
    await page.waitForURL((url) => url.href !== before);
    await page.getByText('every path').first().waitFor();
  });
});

t.test('what cannot be', async (t) => {
  const browser = await openBrowser(t);

  t.test('a wrong name is told where it was typed, with the reason', async (t) => {
    const service = await startServe(t);
    const { page } = await openPage(t, browser);
    await page.goto(service.url);
    const name = page.getByLabel('Name', { exact: true });
    for (const [wrong, why] of [
      ['', /Type a name/],
      ['a..b', /a label is empty/],
      [`${'a'.repeat(64)}.example`, /63/],
      ['<script>alert(1)</script>', /This is not a domain name/],
    ] as const) {
      await askFor(page, wrong);
      t.equal(await name.getAttribute('aria-invalid'), 'true');
      const note = (await name.getAttribute('aria-describedby')) ?? '';
      t.match(await page.locator(`[id="${note}"]`).innerText(), why, wrong);
      t.equal(await name.evaluate('document.activeElement.name'), 'name', 'the field has the focus');
    }
    t.equal(new URL(page.url()).pathname, '/');
  });

  t.test('a client over its limit sees how long it has to wait', async (t) => {
    const service = await startServe(t, ['--demo'], { SERVICE_RATE_LIMIT: '1/10m' });
    // Through a proxy, or there would be no limit for this host.
    const headers = { 'X-Forwarded-For': '203.0.113.7' };
    const { page } = await openPage(t, browser, { extraHTTPHeaders: headers });
    await page.goto(service.url);
    await askFor(page, 'www.shop.example');
    await page.getByText('every path').first().waitFor();
    const job = page.url();
    await askFor(page, 'www.mixed.example');
    const told = page.getByRole('status').filter({ hasText: 'as many traversals as you may' });
    await told.waitFor();
    t.match(await told.innerText(), /allows you 1 traversal per 10m0s\. Try again in (?:10|9) min \d+ s\./);
    t.equal(page.url(), job, 'what was there stays');
  });

  t.test('a job that is not kept, and a name in its address that is none', async (t) => {
    const service = await startServe(t);
    const gone = '00000000-0000-4000-8000-000000000000';
    const { page } = await openPage(t, browser);
    const reply = await page.goto(`${service.url}/t/${gone}?name=%3Cb%3Ea..b&type=A`);
    t.equal(reply?.status(), 404);
    await page.getByText('This traversal is no longer kept.').waitFor();
    t.equal(await page.getByRole('button', { name: 'Run it again' }).count(), 0);
    await page.goto(`${service.url}/t/${gone}?name=www.shop.example&type=A`);
    await page.getByRole('button', { name: 'Run it again' }).click();
    await page.getByText('every path').first().waitFor();
  });
});

t.test('the link of a job that somebody else started shows what came of it', async (t) => {
  const browser = await openBrowser(t);
  const service = await startServe(t);
  const id = await startJob(service, { name: 'www.mixed.example' });
  await ask(service, 'GET', `/api/traverse/${id}/events`);
  const { page } = await openPage(t, browser);
  const reply = await page.goto(`${service.url}/t/${id}`);
  t.equal(reply?.status(), 200);
  await page.getByText('2 different answers').first().waitFor();
  t.match(await page.title(), /^www\.mixed\.example A/);
});
