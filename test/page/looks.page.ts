import { join } from 'node:path';
import t from 'tap';
import { startLab } from '../../src/lab/lab.ts';
import { startServe } from '../service/spawned.ts';
import { HELD_NAME, startHeldService } from '../service/test-service.ts';
import { askFor, faultsOfAccess, isTooWide, openBrowser, verdict, withPage } from './browser.ts';
import { HOSTILE_NAMES, HOSTILE_WORLD } from './hostile-world.ts';

const WIDTHS = [380, 800, 1_440] as const;
const SCHEMES = ['light', 'dark'] as const;

t.test('nothing keeps anybody out, in either scheme, from phone to wide screen', async (t) => {
  const browser = await openBrowser(t);
  const { service, held } = await startHeldService(t);
  const demo = await startServe(t);
  for (const colorScheme of SCHEMES) {
    await withPage(
      t,
      browser,
      async (page) => {
        const check = async (what: string) => {
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 900 });
            t.same(await faultsOfAccess(page), [], `${what}, ${colorScheme}, ${width}`);
            t.equal(await isTooWide(page), false, `${what} fits into ${width}`);
          }
        };
        await page.goto(demo.url);
        await page.getByText('Options', { exact: true }).click();
        await askFor(page, 'a..b');
        await check('the form, with what is wrong');
        await page.goto(`${service.url}/?name=${HELD_NAME}`);
        await page.getByRole('button', { name: 'Traverse' }).click();
        await held.asked;
        await page
          .getByRole('button', { name: /^ns2\.held\.test .*: awaited$/ })
          .first()
          .focus();
        await page.getByText('pending').waitFor();
        await check('a job that runs');
        await page.goto(demo.url);
        await askFor(page, 'www.mixed.example');
        await verdict(page, /^25 % of users get /);
        await page.locator('.picture-svg').waitFor();
        await page
          .getByText(/BIND 9\.18\.49/)
          .first()
          .waitFor();
        await check('a result');
        await page.getByRole('switch', { name: 'ns.mixed.example.' }).click();
        await page.getByText(/^If ns\.mixed\.example/).waitFor();
        await page.locator('.picture-svg').waitFor();
        await page.getByRole('button', { name: 'Evidence' }).first().click();
        await page.getByRole('dialog').waitFor();
        await check('what is imagined, and the records');
        await page.goto(`${demo.url}/t/00000000-0000-4000-8000-000000000000?name=www.shop.example&type=A`);
        await page.getByRole('button', { name: 'Run it again' }).waitFor();
        await check('a job that is not kept');
      },
      { colorScheme, reducedMotion: 'reduce' },
    );
  }
});

t.test('hostile names are shown and do nothing', async (t) => {
  const browser = await openBrowser(t);
  const lab = await startLab(HOSTILE_WORLD);
  t.teardown(lab.close);
  const hints = join(t.testdir({ hints: lab.hints }), 'hints');
  const network = ['--root-hints', hints, '--port', `${lab.port}`, '--allow-special-targets', '-4'];
  const service = await startServe(t, [...network, '--rate', '0', '--check']);
  for (const name of HOSTILE_NAMES) {
    await withPage(
      t,
      browser,
      async (page) => {
        await page.goto(`${service.url}/?${new URLSearchParams({ name, type: 'TXT' })}`);
        await page.getByRole('button', { name: 'Traverse' }).click();
        await verdict(page, /./);
        await page.locator('.picture-svg').waitFor();
        await page.getByText('What the servers run').waitFor();
        await page.evaluate('for (const fold of document.querySelectorAll("details")) fold.open = true');
        const text = await page.evaluate<string>('document.body.textContent');
        t.ok(text.includes('<img/src=x/onerror=tellviolation\\(1\\)>'), `${name}: markup is text`);
        t.notMatch(text, TURNING, 'nothing turns the text round, or is no character at all');
        t.equal(await page.locator('img, iframe, object, main script, [onerror], [onmouseover]').count(), 0);
        t.notMatch(await page.title(), TURNING);
        t.equal(await isTooWide(page), false, 'long names wrap');
      },
      { viewport: { width: 380, height: 800 } },
    );
  }
});

/** Controls other than line ends, and what changes the direction of a text (Unicode's Bidi_Control). */
const TURNING = /(?![\n\t])\p{Cc}|\p{Bidi_Control}/u;
