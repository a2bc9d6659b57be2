import type { Page } from 'playwright-core';
import t from 'tap';
import { showcases } from '../../src/lab/showcases.ts';
import { ask } from '../service/http-client.ts';
import { openLink } from '../service/link.ts';
import { startServe } from '../service/spawned.ts';
import { HELD_NAME, startHeldService, startJob } from '../service/test-service.ts';
import { askFor, openBrowser, verdict, withPage } from './browser.ts';

const mark = (page: Page, label: RegExp) =>
  page.getByRole('region', { name: 'From the root to the answer' }).getByRole('button', { name: label });
const replied = (page: Page) => mark(page, /^ns1\.held\.test .*: replies$/).waitFor();
const awaited = (page: Page) => mark(page, /^ns2\.held\.test .*: awaited$/).waitFor();

const browser = await openBrowser(t);
const service = await startServe(t);

t.test('a traversal that runs', async (t) => {
  t.test('is followed, survives a reload, and ends for all who watch', async (t) => {
    const { service, held } = await startHeldService(t);
    await withPage(t, browser, async (page) => {
      await page.goto(service.url);
      await askFor(page, HELD_NAME);
      await page.waitForURL(/\/t\/[\w-]+\?name=www\.held\.test&type=A$/);
      await held.asked;
      await replied(page);
      await awaited(page);
      t.match(await page.getByRole('main').innerText(), /Awaited\n[12]\n/);
      await page.reload();
      await replied(page);
      await awaited(page);
      const walk = page.getByRole('region', { name: 'From the root to the answer' });
      const marks = walk.getByRole('toolbar', { name: 'Servers of held.test' }).getByRole('button');
      t.equal(await marks.count(), 2, 'nothing twice');
      await withPage(t, browser, async (other) => {
        await other.goto(page.url());
        await awaited(other);
        held.release();
        for (const watching of [page, other]) await verdict(watching, /^All users get the answer/);
        t.match(await other.title(), /^www\.held\.test A: all users get the answer/);
      });
    });
  });

  t.test('has marks that tell on focus, hover and tap what their servers did', async (t) => {
    const { service } = await startHeldService(t);
    await withPage(
      t,
      browser,
      async (page) => {
        await page.goto(service.url);
        await askFor(page, HELD_NAME);
        await replied(page);
        await awaited(page);
        const tip = page.getByRole('tooltip');
        const tells = (words: RegExp) => tip.filter({ hasText: words }).waitFor();
        await mark(page, /^ns1\.held\.test/).focus();
        await tells(/ns1\.held\.test .*replies.*203\.0\.113\.80/s);
        await page.keyboard.press('ArrowRight');
        await tells(/ns2\.held\.test .*awaited.*no reply yet/s);
        await page.keyboard.press('Escape');
        await tip.waitFor({ state: 'detached' });
        await mark(page, /^ns1\.held\.test/).tap();
        await tells(/ns1\.held\.test/);
        await mark(page, /^ns2\.held\.test/).hover();
        await tells(/ns2\.held\.test/);
      },
      { hasTouch: true },
    );
  });

  t.test('can be cancelled', async (t) => {
    const { service, held } = await startHeldService(t);
    await withPage(t, browser, async (page) => {
      await page.goto(`${service.url}/?name=${HELD_NAME}`);
      t.equal(await page.getByLabel('Name', { exact: true }).inputValue(), HELD_NAME, 'a link fills it in');
      await page.getByRole('button', { name: 'Traverse' }).click();
      await held.asked;
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('This is what was known by then.').waitFor();
      await verdict(page, /half|50 %|unknown/i);
    });
  });

  t.test('survives that the connection is lost', async (t) => {
    const { service, held } = await startHeldService(t);
    const link = await openLink(t, service);
    await withPage(t, browser, async (page) => {
      await page.goto(link.url);
      await askFor(page, HELD_NAME);
      await awaited(page);
      const again = page.waitForRequest(async (request) => 'last-event-id' in (await request.allHeaders()));
      link.cut();
      const headers = await (await again).allHeaders();
      t.ok(Number(headers['last-event-id']) >= 3, 'it goes on after the last event');
      await awaited(page);
      held.release();
      await verdict(page, /^All users get the answer/);
    });
  });

  t.test('that the service forgets as it restarts can be run again', async (t) => {
    const { service, held, restart } = await startHeldService(t);
    const link = await openLink(t, service);
    await withPage(t, browser, async (page) => {
      await page.goto(link.url);
      await askFor(page, HELD_NAME);
      await awaited(page);
      service.kill('SIGKILL');
      await service.exit;
      await page.getByText('Trying again').first().waitFor();
      link.lead(await restart());
      await page.getByText('This traversal is no longer kept.').first().waitFor();
      held.release();
      const before = page.url();
      await page.getByRole('button', { name: 'Run it again' }).click();
      await page.waitForURL((url) => url.href !== before);
      await verdict(page, /^All users get the answer/);
    });
  });
});

t.test('what cannot be', async (t) => {
  t.test('a wrong name is told where it was typed, with the reason', async (t) => {
    await withPage(t, browser, async (page) => {
      await page.goto(service.url);
      const name = page.getByLabel('Name', { exact: true });
      for (const [wrong, why] of [
        ['', /Type a name/],
        ['a..b', /a label is empty/],
        [`${'a'.repeat(64)}.example`, /63/],
        ['www example', /"example" is not a record type/],
      ] as const) {
        await askFor(page, wrong);
        t.equal(await name.getAttribute('aria-invalid'), 'true');
        const note = (await name.getAttribute('aria-describedby')) ?? '';
        t.match(await page.locator(`[id="${note}"]`).innerText(), why, wrong);
        t.equal(await name.evaluate((field) => field.ownerDocument.activeElement === field), true);
      }
      t.equal(new URL(page.url()).pathname, '/');
    });
  });

  t.test('a client over its limit sees how long it has to wait', async (t) => {
    const service = await startServe(t, ['--demo'], { SERVICE_RATE_LIMIT: '1/50m' });
    // Through a proxy, or there would be no limit for this host.
    const looks = { extraHTTPHeaders: { 'X-Forwarded-For': '203.0.113.7' } };
    await withPage(
      t,
      browser,
      async (page) => {
        await page.goto(service.url);
        await askFor(page, 'www.shop.example');
        await verdict(page, /^All users get the answer/);
        const job = page.url();
        await askFor(page, 'www.mixed.example');
        const told = page.getByRole('status').filter({ hasText: 'as many traversals as you may' });
        await told.waitFor();
        t.match(
          await told.innerText(),
          /allows you 1 traversal per 50m\. Try again in (?:50|4\d) min \d+ s\./,
        );
        t.equal(page.url(), job, 'what was there stays');
      },
      looks,
    );
  });

  t.test('a job that is not kept, and a name in its address that is none', async (t) => {
    const gone = `${service.url}/t/00000000-0000-4000-8000-000000000000`;
    await withPage(t, browser, async (page) => {
      const reply = await page.goto(`${gone}?name=%3Cb%3Ea..b&type=A`);
      t.equal(reply?.status(), 404);
      await page.getByText('This traversal is no longer kept.').first().waitFor();
      t.equal(await page.getByRole('button', { name: 'Run it again' }).count(), 0);
      await page.goto(`${gone}?name=www.shop.example&type=A`);
      await page.getByRole('button', { name: 'Run it again' }).click();
      await verdict(page, /^All users get the answer/);
    });
  });
});

t.test('an address at which there is nothing says so, and how to go on', async (t) => {
  await withPage(t, browser, async (page) => {
    for (const [path, words] of [
      ['/t/not-an-id', 'not-an-id is not the identifier of a traversal.'],
      ['/t/', 'This link does not say which traversal it is to.'],
      ['/xyz', 'This service has nothing at /xyz.'],
    ] as const) {
      const reply = await page.goto(service.url + path);
      t.equal(reply?.status(), 404, path);
      await page.getByText(words).waitFor();
    }
    await page.goto(`${service.url}/t/cut-off?name=www.shop.example&type=A`);
    await page.getByRole('button', { name: 'Run it again' }).click();
    await verdict(page, /^All users get the answer/);
    await page.goto(`${service.url}/www.shop.example`);
    await page.getByRole('button', { name: 'Traverse' }).click();
    await verdict(page, /^All users get the answer/);
  });
});

t.test('the demo says that it is one, and which names it has', async (t) => {
  const service = await startServe(t, ['--demo']);
  await withPage(t, browser, async (page) => {
    await page.goto(service.url);
    const demo = page.getByRole('region', { name: 'This is the demo' });
    t.equal(await demo.getByRole('link').count(), 8, 'eight at first');
    await demo.getByText(/^\d+ more$/).click();
    t.equal(await demo.getByRole('link').count(), showcases.length);
    t.equal(await page.getByLabel('Name', { exact: true }).getAttribute('placeholder'), showcases[0]?.name);
    await demo.getByRole('link', { name: 'www.expired.example' }).click();
    await verdict(page, /./);
    await page.getByText('Demo: simulated internet').waitFor();
  });
});

t.test('the link of a job that somebody else started shows what came of it', async (t) => {
  const id = await startJob(service, { name: 'www.mixed.example' });
  await ask(service, 'GET', `/api/traverse/${id}/events`);
  await withPage(t, browser, async (page) => {
    const reply = await page.goto(`${service.url}/t/${id}`);
    t.equal(reply?.status(), 200);
    await verdict(page, /% of (?:users|others) get /);
    t.match(await page.title(), /^www\.mixed\.example A: .*% of (?:users|others) get /);
  });
});
