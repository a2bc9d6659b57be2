import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import t, { type Test } from 'tap';
import { FORMATS, formatsIn } from '../../src/report/formats.ts';
import { inside } from '../cli/inside.ts';
import { ask } from '../service/http-client.ts';
import { type Spawned, startServe } from '../service/spawned.ts';
import { askFor, faultsOfAccess, openBrowser, verdict, withPage } from './browser.ts';

const NAME = 'www.mixed.example';
const TROUBLED = 'ns.mixed.example.';

/** The command line that gives the same. */
const commandOf = (page: Page) =>
  page.getByRole('region', { name: 'Save or share' }).locator('code').filter({ hasText: /^svc / });

/** Types the name and waits for the verdict. */
async function traverse(page: Page, service: Spawned): Promise<void> {
  await page.goto(service.url);
  await askFor(page, NAME);
  await verdict(page, /of others get 192\.0\.2\.110, an older version, from ns\.mixed\.example/);
}

/** The result of the job on the page, as the service keeps it, in a file. */
async function savedResult(t: Test, page: Page, service: Spawned): Promise<string> {
  const id = new URL(page.url()).pathname.replace('/t/', '');
  const { text } = await ask(service, 'GET', `/api/traverse/${id}?full`);
  return join(t.testdir({ 'result.json': JSON.stringify(JSON.parse(text).result) }), 'result.json');
}

/** The legend of the bar of users: what they get, with its shares. */
async function legendOf(page: Page): Promise<readonly string[]> {
  const rows = await page.getByRole('region', { name: 'Users get' }).getByRole('listitem').allInnerTexts();
  return rows.map((row) => row.replace(/\s+/g, ' ').trim());
}

/** The server in the picture, by its name and address. */
const server = (page: Page, name: string) =>
  page.getByRole('region', { name: 'From the root' }).getByRole('button', { name }).first();

/** Opens the drawer of a server in the picture. */
async function choose(page: Page, name: string) {
  await server(page, name).click();
  const drawer = page.getByRole('dialog');
  await drawer.waitFor();
  return drawer;
}

async function closeDrawer(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

const browser = await openBrowser(t);
const service = await startServe(t);

t.test('from typing to the picture', async (t) => {
  await withPage(t, browser, async (page) => {
    await traverse(page, service);

    await t.test('who gets what: bars, and one legend', async (t) => {
      t.match(await legendOf(page), [
        /^≠\s?192\.0\.2\.110 BIND 100 %, .*others 25 % from ns\.mixed\.example$/,
        /^≠\s?198\.51\.100\.110 Unbound .*others 75 % from ns1\.harbour\.example/,
      ]);
    });

    await t.test('a repair opens to its advice, and to its evidence', async (t) => {
      const repairs = page.getByRole('region', { name: 'Do' });
      const first = repairs.locator('summary').first();
      t.match(
        await first.innerText(),
        /serves mixed\.example with serial 19.*The operator of ns\.mixed\.example: find out why zone transfers/s,
      );
      await first.click();
      await repairs.getByRole('link', { name: 'SOA_SERIAL_DIFFERS' }).waitFor();
      await repairs.getByRole('button', { name: 'Evidence' }).first().click();
      await page.getByRole('dialog').getByText('198.51.100.81').first().waitFor();
      await closeDrawer(page);
    });

    await t.test('a server shows what sets it apart and its records, and gives the focus back', async (t) => {
      const what = server(page, 'ns.mixed.example (198.51.100.81)');
      const drawer = await choose(page, 'ns.mixed.example (198.51.100.81)');
      const apart = drawer.getByRole('table', { name: 'What sets it apart' });
      t.match(await apart.innerText(), /192\.0\.2\.110 here\s+198\.51\.100\.110/);
      t.match(await apart.innerText(), /serial 19 here\s+serial 23/);
      await drawer.getByText('www.mixed.example. A').first().click();
      await drawer.getByRole('cell', { name: '192.0.2.110', exact: true }).waitFor();
      t.equal(await drawer.getByText('imagined').count(), 0);
      await closeDrawer(page);
      t.ok(await what.evaluate((button) => button.ownerDocument.activeElement === button));
    });

    await t.test('all else is in one closed section', async (t) => {
      t.equal(await page.getByRole('heading', { name: 'First tries' }).count(), 0);
      await page.getByText('Details', { exact: true }).click();
      for (const title of ['First tries', 'Users of each product', 'DNSSEC chain', 'In figures', 'Exchanges'])
        await page.getByRole('heading', { name: title }).waitFor();
      await page
        .getByText(/BIND 9\.18\.49/)
        .first()
        .waitFor();
      t.same(await faultsOfAccess(page), []);
    });

    await t.test('the drawing is that of the command line', async (t) => {
      const saving = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Drawing' }).click();
      const saved = await saving;
      t.match(saved.suggestedFilename(), /^www\.mixed\.example.*\.svg$/);
      const file = await savedResult(t, page, service);
      const { stdout } = await inside(['traverse', '--replay', file, '--format', 'svg']);
      t.equal(readFileSync(await saved.path(), 'utf8'), stdout);
    });

    await t.test('it can be taken away as the command line writes it', async (t) => {
      const file = await savedResult(t, page, service);
      for (const format of formatsIn('page')) {
        const saving = page.waitForEvent('download');
        await page.getByRole('button', { name: FORMATS[format].label, exact: true }).click();
        const saved = readFileSync(await (await saving).path(), 'utf8');
        const full = format === 'json' ? ['--full'] : [];
        const { stdout } = await inside(['traverse', '--replay', file, '--format', format, ...full]);
        if (format === 'json') t.same(JSON.parse(saved), JSON.parse(stdout));
        else t.equal(saved.trimEnd(), stdout.trimEnd(), format);
      }
      t.equal(await commandOf(page).innerText(), `svc traverse ${NAME} --server ${service.url}`);
    });
  });
});

t.test('what if a server were off is what the command line says', async (t) => {
  await withPage(t, browser, async (page) => {
    await traverse(page, service);
    // Until then it is asked for.
    await page.getByText('Details', { exact: true }).click();
    await page
      .getByText(/BIND 9\.18\.49/)
      .first()
      .waitFor();
    const file = await savedResult(t, page, service);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const drawer = await choose(page, 'ns.mixed.example (198.51.100.81)');
    const off = drawer.getByRole('switch', { name: TROUBLED });
    await off.click();
    t.equal(await off.getAttribute('aria-checked'), 'false');
    await drawer.getByText('replies are as they were recorded').waitFor();
    await closeDrawer(page);
    await verdict(page, /^If ns\.mixed\.example/);
    /** What the text of the command line has on the right of "then". */
    const told = async (flag: string) => {
      const { stdout } = await inside(['traverse', '--replay', file, flag, TROUBLED]);
      const shares = (await legendOf(page)).map((row) => /then ([\d.]+ %)/.exec(row)?.[1] ?? '?');
      for (const share of shares) t.match(stdout, share, `${flag}: ${share}`);
    };
    await told('--down');
    t.match(await commandOf(page).innerText(), / --down ns\.mixed\.example/);
    await page.getByRole('combobox', { name: 'What happens to them' }).selectOption('without');
    await verdict(page, /^If ns\.mixed\.example.*(?:without|out of|gone|taken)/);
    await told('--without');
    t.equal(await server(page, 'ns.mixed.example (').count(), 0, 'it is not in the picture');
    t.equal(new URL(page.url()).searchParams.get('without'), 'ns.mixed.example');
    const link = page.url();
    const reader = await page.context().newPage();
    await reader.goto(link);
    await verdict(reader, /^If ns\.mixed\.example.*(?:without|out of|gone|taken)/);
    t.same(await legendOf(reader), await legendOf(page), 'the link shows the same');
    await reader.close();
    await page.getByRole('button', { name: 'Exit what-if' }).click();
    await verdict(page, /of others get 192\.0\.2\.110, an older version, from ns\.mixed\.example/);
    t.notMatch(page.url(), 'without');
    t.same(
      requests.filter((path) => path.startsWith('/api/')),
      [],
      'nobody was asked for that',
    );
  });
});

t.test(
  'two screens are enough, three on a phone; what to do begins on the first, in letters that can be read',
  async (t) => {
    for (const [width, height, most] of [
      [1_280, 800, 2],
      [390, 844, 3],
    ] as const) {
      for (const name of [NAME, 'www.expired.example', 'www.magazine.example', 'www.shop.example']) {
        await withPage(
          t,
          browser,
          async (page) => {
            await page.goto(service.url);
            await askFor(page, name);
            await verdict(page, /./);
            await page.getByRole('region', { name: 'If you change this' }).waitFor();
            const title = `${name} at ${width}`;
            const tall = await page.evaluate<number>('document.documentElement.scrollHeight');
            t.ok(tall <= most * height, `${title}: ${tall} px`);
            const repairs = await page.getByRole('region', { name: 'Do' }).boundingBox();
            t.ok((repairs?.y ?? height) < 400, `${title}: ${repairs?.y}`);
            t.ok((await page.evaluate<number>(SMALLEST)) >= 12, `${title}: no letters below 12 px`);
          },
          { viewport: { width, height } },
        );
      }
    }
  },
);

/** The smallest letters of the picture, in pixels. */
const SMALLEST = `Math.min(...[...document.querySelectorAll('.picture *')].map((one) => parseFloat(getComputedStyle(one).fontSize)))`;

t.test('a large result is read in a worker', async (t) => {
  await withPage(t, browser, async (page) => {
    await page.route(/\/api\/traverse\/[^/]+$/, enlarge);
    const reader = page.waitForEvent('worker', (worker) => READER.test(worker.url()));
    await traverse(page, service);
    await reader;
  });

  await t.test('and by the page itself if that has no program', async (t) => {
    await withPage(t, browser, async (page) => {
      await page.route(/\/api\/traverse\/[^/]+$/, enlarge);
      const refused = page.waitForEvent('requestfailed', (request) => READER.test(request.url()));
      await page.route(READER, (route) => route.abort());
      await traverse(page, service);
      await refused;
    });
  });
});

const READER = /\/assets\/result-worker-/;

/** Ends a job with blanks, which JSON may have anywhere. */
async function enlarge(route: Route): Promise<void> {
  const response = await route.fetch();
  await route.fulfill({ response, body: `${await response.text()}${' '.repeat(600_000)}` });
}

t.test('the command line says what is not as the service has it', async (t) => {
  const service = await startServe(t, ['--demo', '--check']);
  await withPage(t, browser, async (page) => {
    await page.goto(service.url);
    await page.getByText('Options', { exact: true }).click();
    await page.getByLabel('Audit').selectOption('off');
    await page.getByLabel('EDNS', { exact: true }).selectOption('off');
    await askFor(page, 'www.shop.example');
    await verdict(page, /^All users get the answer/);
    t.equal(
      await commandOf(page).innerText(),
      `svc traverse www.shop.example --no-edns --server ${service.url}`,
    );
  });
});

t.test('a server in the picture says what users near it get, to the mouse and to the keyboard', async (t) => {
  await withPage(t, browser, async (page) => {
    await page.goto(service.url);
    await askFor(page, 'www.stale.example');
    await verdict(page, /./);
    const told = page.getByRole('tooltip');
    await server(page, 'ns2.harbour.example').hover();
    await told.filter({ hasText: /near ns2\.harbour\.example.* give 192\.0\.2\.104\./ }).waitFor();
    t.match(await told.innerText(), /Unbound asks any server at most \d+ ms slower than the fastest\./);
    t.same(await faultsOfAccess(page), []);
    await page.mouse.move(0, 0);
    await told.waitFor({ state: 'detached' });
    await server(page, 'ns1.harbour.example').focus();
    await told.filter({ hasText: /near ns1\.harbour\.example.* give / }).waitFor();
    await page.keyboard.press('Escape');
    await told.waitFor({ state: 'detached' });
  });
});

t.test('the DNSSEC chain says where it breaks', async (t) => {
  for (const [name, chain, link] of [
    [
      'www.lost-key.example',
      'bogus at DNSKEY of lost-key.example: no key fits the DS records of the parent',
      'bogus',
    ],
    ['www.shop.example', 'secure from the root on', 'secure'],
  ] as const) {
    await withPage(t, browser, async (page) => {
      await page.goto(service.url);
      await askFor(page, name);
      await verdict(page, /./);
      await page.getByText('Details', { exact: true }).click();
      await page.getByText(chain).first().waitFor();
      const table = page.getByRole('table', { name: 'DNSSEC chain' });
      const keys = table.getByRole('row').filter({ hasText: /^DNSKEY/ });
      t.match(await keys.last().textContent(), link, name);
      t.match(await table.getByRole('columnheader').allTextContents(), ['Zone or name', 'Record', 'Content']);
    });
  }
});

t.test('the keyboard is enough', async (t) => {
  await withPage(t, browser, async (page) => {
    await page.goto(service.url);
    await tabTo(page, (focused) => focused.name === 'Skip to the content');
    await tabTo(page, (focused) => focused.name === 'Name');
    await page.keyboard.type(NAME);
    await page.keyboard.press('Enter');
    await verdict(page, /% of (?:users|others) get /);
    await tabTo(page, ({ name }) => name.includes('serial 19'));
    await page.keyboard.press('Enter');
    await tabTo(page, ({ name }) => name.startsWith('Evidence'));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await closeDrawer(page);
    await tabTo(page, ({ name }) => name.startsWith('ns.mixed.example (198.51.100.82)'));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, ({ role, name }) => role === 'switch' && name.includes(TROUBLED));
    await page.keyboard.press('Space');
    await closeDrawer(page);
    await verdict(page, /^If ns\.mixed\.example/);
  });
});

interface Focused {
  readonly name: string;
  readonly role: string;
}

/** More places than this between two things are no way. */
const MOST_TABS = 80;

/** Presses Tab until that has the focus, which must be seen. */
async function tabTo(page: Page, isThere: (focused: Focused) => boolean): Promise<void> {
  const passed: string[] = [];
  while (passed.length < MOST_TABS) {
    await page.keyboard.press('Tab');
    const { name, role, isSeen } = await page.evaluate<Focused & { readonly isSeen: boolean }>(FOCUSED);
    if (!isSeen) throw new Error(`the focus on ${role} "${name}" is not to be seen`);
    if (isThere({ name, role })) return;
    passed.push(name);
  }
  throw new Error(`no way there by Tab: ${passed.join(', ')}`);
}

/** Names as far as these tests need them; the checker of accessibility knows all the rules. */
const FOCUSED = `(() => {
  const one = document.activeElement;
  const name = one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent ?? '';
  const isUnderlined = (text) => getComputedStyle(text).textDecorationLine === 'underline';
  const isMarked = getComputedStyle(one).outlineStyle !== 'none' || [...one.querySelectorAll('text')].some(isUnderlined);
  return { name: name.trim(), role: one.getAttribute('role') ?? one.tagName, isSeen: isMarked || one === document.body };
})()`;
