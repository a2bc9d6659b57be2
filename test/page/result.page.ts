import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import t, { type Test } from 'tap';
import { summaryOf } from '../../src/document/ends.ts';
import type { TraversalResult } from '../../src/document/result.ts';
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

/** The shares of a view: fractions with what they are shares of, in order. */
async function sharesOf(page: Page, view: string): Promise<readonly string[]> {
  const items = page.getByRole('article').filter({ hasText: view }).locator('li.outcome');
  const texts = await items.evaluateAll((rows) =>
    rows.map((row) => [
      row.querySelector('.outcome-percent')?.textContent ?? '',
      row.querySelector('.outcome-fraction')?.textContent ?? '',
      row.querySelector('.outcome-words')?.textContent ?? '',
    ]),
  );
  // What is imagined away stays as nothing; the whole needs no fraction.
  return texts
    .filter(([percent]) => percent !== '0 %')
    .map(([percent, fraction, words]) => `${percent === '100 %' ? '1' : fraction} ${words}`);
}

/** The fractions of a summary. Those of ends of one kind are one there, and may be several on the page. */
const fractions = (view: TraversalResult['views']['resolver']) =>
  summaryOf(view).map(({ fraction }) => fraction);

async function replayed(file: string, ...flags: readonly string[]) {
  const { stdout } = await inside(['traverse', '--replay', file, ...flags, '--json', '--full']);
  const result: TraversalResult = JSON.parse(stdout);
  return result;
}

const browser = await openBrowser(t);
const service = await startServe(t);

t.test('from typing to the picture', async (t) => {
  await withPage(t, browser, async (page) => {
    await traverse(page, service);

    await t.test('the shares are exact', async (t) => {
      t.same(await sharesOf(page, 'First tries'), [
        '3/4 ≠198.51.100.110',
        '1/8 ≠192.0.2.110',
        '1/8 ✗timeout: no reply',
      ]);
      t.same(await sharesOf(page, 'Users get'), ['3/4 ≠198.51.100.110', '1/4 ≠192.0.2.110']);
    });

    await t.test('the picture is drawn, can be looked around in and saved', async (t) => {
      const picture = page.locator('.picture-svg');
      await picture.waitFor();
      const viewBox = () => picture.getAttribute('viewBox');
      const whole = await viewBox();
      await page.getByRole('button', { name: 'Zoom in' }).click();
      t.not(await viewBox(), whole, 'it comes closer');
      await page.getByRole('button', { name: 'Fit' }).click();
      t.equal(await viewBox(), whole);
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save SVG' }).click();
      const saved = await saving;
      t.match(saved.suggestedFilename(), /^www\.mixed\.example.*\.svg$/);
      const file = await savedResult(t, page, service);
      const { stdout } = await inside(['traverse', '--replay', file, '--format', 'svg']);
      t.equal(readFileSync(await saved.path(), 'utf8'), stdout, 'the same as from the command line');
    });

    await t.test('a finding points its servers out in the picture', async (t) => {
      const pointed = page.locator('.picture-svg .pointed');
      t.equal(await pointed.count(), 0);
      const finding = page.getByRole('article').filter({ hasText: 'NS_NO_RESPONSE_UDP' }).first();
      await finding.getByRole('button', { name: 'Evidence' }).focus();
      await pointed.first().waitFor();
      t.match(await pointed.first().textContent(), 'ns.mixed.example');
    });

    await t.test('an exchange shows its records, and gives the focus back', async (t) => {
      const what = page.getByRole('button', { name: /^192\.0\.2\.110\b/ }).first();
      await what.click();
      const drawer = page.getByRole('dialog');
      await drawer.getByRole('cell', { name: '192.0.2.110' }).waitFor();
      t.equal(await drawer.getByText('imagined').count(), 0);
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'hidden' });
      t.ok(await what.evaluate((button) => button.ownerDocument.activeElement === button));
    });

    await t.test('what servers run comes when it is known', async () => {
      await page
        .getByText(/BIND 9\.18\.49/)
        .first()
        .waitFor();
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

    await t.test('the page can be saved as one file that needs no service', async (t) => {
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: 'This page' }).click();
      const verdict = await page.locator('.headline-verdict').innerText();
      const alone = await (await browser.newContext({ javaScriptEnabled: false, offline: true })).newPage();
      const troubles: string[] = [];
      alone.on('console', (message) => troubles.push(message.text()));
      const requests: string[] = [];
      alone.on('request', (request) => requests.push(request.url()));
      const file = join(t.testdir({}), (await saving).suggestedFilename());
      await (await saving).saveAs(file);
      await alone.goto(`file://${file}`);
      t.match(file, /www\.mixed\.example-A\.html$/);
      t.equal(await alone.locator('.headline-verdict').innerText(), verdict);
      t.ok(await alone.locator('.picture-svg').isVisible());
      t.equal(await alone.locator('button, a').count(), 0, 'nothing is there that would do nothing');
      t.same([requests.length, troubles], [1, []], 'it loads nothing');
      await alone.context().close();
    });
  });
});

t.test('what if a server were off is what the command line says', async (t) => {
  await withPage(t, browser, async (page) => {
    await traverse(page, service);
    // Until then it is asked for.
    await page
      .getByText(/BIND 9\.18\.49/)
      .first()
      .waitFor();
    const file = await savedResult(t, page, service);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const off = page.getByRole('switch', { name: TROUBLED });
    await off.click();
    t.equal(await off.getAttribute('aria-checked'), 'false');
    await verdict(page, /^If ns\.mixed\.example/);
    const both = async (flag: string) => {
      const expected = await replayed(file, flag, TROUBLED);
      const told = async (view: string) => (await sharesOf(page, view)).map((one) => one.split(' ')[0]);
      t.same(await told('First tries'), fractions(expected.views['first-tries']), `paths, ${flag}`);
      t.same(await told('Users get'), fractions(expected.views.resolver), `resolvers, ${flag}`);
    };
    await both('--down');
    t.match(await commandOf(page).innerText(), / --down ns\.mixed\.example/);
    await page
      .getByRole('button', { name: /^198\.51\.100\.110\b/ })
      .first()
      .click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('replies are as they were recorded').waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    await page.getByRole('combobox', { name: 'What happens to them' }).selectOption('without');
    await verdict(page, /^If ns\.mixed\.example.*(?:without|out of|gone|taken)/);
    await both('--without');
    t.equal(new URL(page.url()).searchParams.get('without'), 'ns.mixed.example');
    const link = page.url();
    const reader = await page.context().newPage();
    await reader.goto(link);
    await verdict(reader, /^If ns\.mixed\.example.*(?:without|out of|gone|taken)/);
    t.same(
      await sharesOf(reader, 'First tries'),
      await sharesOf(page, 'First tries'),
      'the link shows the same',
    );
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

t.test('on a phone letters can be read at first, and fingers come closer and go away', async (t) => {
  const phone = { viewport: { width: 380, height: 800 }, hasTouch: true, isMobile: true };
  await withPage(
    t,
    browser,
    async (page) => {
      await traverse(page, service);
      const picture = page.locator('.picture-svg');
      const widthShown = async () => Number((await picture.getAttribute('viewBox'))?.split(' ')[2]);
      await picture.scrollIntoViewIfNeeded();
      const first = await widthShown();
      await page.getByRole('button', { name: 'Fit' }).tap();
      const whole = await widthShown();
      t.ok(first < whole / 1.5, 'only a part is shown');
      const frame = await page.locator('.picture-view').boundingBox();
      if (frame === null) throw new Error('the picture is not there');
      const middle = { x: frame.x + frame.width / 2, y: frame.y + frame.height / 3 };
      await pinch(page, middle, { from: 40, to: 120 });
      t.ok(Math.abs((await widthShown()) / whole - 1 / 3) < 0.1, 'three times as close');
      await pinch(page, middle, { from: 120, to: 40 });
      t.ok(Math.abs((await widthShown()) / whole - 1) < 0.1, 'and back');
      t.equal(await page.evaluate('visualViewport.scale'), 1, 'the page itself stays as it is');
    },
    phone,
  );
});

/** Two fingers, so many pixels to the left and right of a point, which move apart or together. */
async function pinch(
  page: Page,
  { x, y }: { readonly x: number; readonly y: number },
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const input = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove', apart: number) =>
    input.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: [
        { x: x - apart, y, id: 0 },
        { x: x + apart, y, id: 1 },
      ],
    });
  await touch('touchStart', from);
  for (let part = 1; part <= PINCH_STEPS; part += 1)
    await touch('touchMove', from + ((to - from) * part) / PINCH_STEPS);
  await input.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await input.detach();
}

const PINCH_STEPS = 10;

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

t.test('the first thing to do stands on the first screen', async (t) => {
  for (const [name, width, height, words] of [
    [NAME, 1_440, 900, ['198.51.100.110', '192.0.2.110']],
    ['www.stale.example', 390, 844, ['serial']],
    ['www.lame.example', 390, 844, ['ns2.harbour.example']],
    ['www.paris.offices.example', 390, 844, ['does not answer queries for paris.offices.example NS']],
  ] as const) {
    await withPage(
      t,
      browser,
      async (page) => {
        await page.goto(service.url);
        await askFor(page, name);
        const first = page.locator('.finding').first();
        await first.waitFor();
        const box = await first.locator('.finding-head').boundingBox();
        t.ok(
          box !== null && box.y + box.height <= height,
          `${name} at ${width} × ${height}: ${JSON.stringify(box)}`,
        );
        for (const word of words) await first.getByText(word).first().waitFor();
      },
      { viewport: { width, height } },
    );
  }
});

t.test('users of a product stand in a line that opens', async (t) => {
  await withPage(t, browser, async (page) => {
    await page.goto(service.url);
    await askFor(page, 'www.paris.offices.example');
    const line = page.getByText('Users of BIND and Knot Resolver get', { exact: true });
    await line.waitFor();
    t.match(
      await page.locator('.product > summary').innerText(),
      /get 100 % ✗\s*SERVFAIL: no usable server for offices\.example\.?$/,
    );
    await line.click();
    await page.getByText('As BIND and Knot Resolver resolve at their defaults.').waitFor();
    t.same(await faultsOfAccess(page), []);
  });
});

const TELLS_NOTHING = 'document.querySelector(".picture-near").innerText === ""';

t.test('a server in the picture says what users near it get, to the mouse and to the keyboard', async (t) => {
  await withPage(t, browser, async (page) => {
    await page.goto(service.url);
    await askFor(page, 'www.stale.example');
    const told = page.locator('.picture-near');
    const server = (name: string) =>
      page.locator('.picture-svg .node.servers').filter({ hasText: name }).first();
    await server('ns2.harbour.example').hover();
    await told.filter({ hasText: /near ns2\.harbour\.example.* give 192\.0\.2\.104\./ }).waitFor();
    t.match(await told.innerText(), /Unbound asks any server at most \d+ ms slower than the fastest\./);
    t.same(await faultsOfAccess(page), []);
    await page.keyboard.press('Escape');
    await server('ns1.harbour.example').focus();
    await told.filter({ hasText: /near ns1\.harbour\.example.* give / }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForFunction(TELLS_NOTHING);
    await server('ns1.harbour.example').hover();
    await told.filter({ hasText: 'near ns1' }).waitFor();
    await page.getByRole('heading', { name: 'Save or share' }).hover();
    // Once the mouse has left the picture.
    await page.waitForFunction(TELLS_NOTHING);
  });
});

t.test('the DNSSEC chain is open where it breaks', async (t) => {
  for (const [name, words, chain, link] of [
    [
      'www.lost-key.example',
      /SERVFAIL/,
      'bogus at DNSKEY of lost-key.example: no key fits the DS records of the parent',
      'bogus',
    ],
    ['www.shop.example', /^All users get the answer/, 'secure from the root on', 'secure'],
  ] as const) {
    await withPage(t, browser, async (page) => {
      await page.goto(service.url);
      await askFor(page, name);
      await verdict(page, words);
      const section = page.getByRole('region', { name: 'DNSSEC chain' });
      const summary = section.locator('summary').filter({ hasText: chain });
      await summary.waitFor();
      const table = section.getByRole('table', { name: 'DNSSEC chain' });
      const isBroken = link === 'bogus';
      t.equal(await table.isVisible(), isBroken, name);
      if (!isBroken) await summary.click();
      const keys = table.getByRole('row').filter({ hasText: /^DNSKEY/ });
      t.match(await keys.last().textContent(), link, name);
      t.match(await table.getByRole('columnheader').allTextContents(), ['Zone or name', 'Record', 'Content']);
      t.same(await faultsOfAccess(page), [], name);
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
    await page.locator('.picture-svg').waitFor();
    await tabTo(page, ({ name }) => name.startsWith('Evidence'));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await tabTo(page, ({ name }) => name === 'Zoom in');
    await page.keyboard.press('Enter');
    await tabTo(page, ({ name }) => name.startsWith('Paths from the root'));
    const picture = page.locator('.picture-svg');
    const before = await picture.getAttribute('viewBox');
    await page.keyboard.press('ArrowRight');
    t.not(await picture.getAttribute('viewBox'), before, 'arrows move the picture');
    await tabTo(page, ({ role, name }) => role === 'switch' && name.includes(TROUBLED));
    await page.keyboard.press('Space');
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
