import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startServe } from '../service/spawned.ts';
import { ROOT } from '../sources.ts';
import { askFor, isTooWide, openBrowser, verdict, withPage } from './browser.ts';

const browser = await openBrowser(t);
const { url } = await startServe(t);

t.test('a pasted command line is understood, and a link to its question leads to its result', async (t) => {
  await withPage(t, browser, async (page) => {
    await page.goto(url);
    await page.getByLabel('Name', { exact: true }).fill('dig @192.0.2.53 +tcp www.shop.example AAAA');
    await page
      .getByText('Looks up www.shop.example AAAA, Transport: TCP only. Ignored: @192.0.2.53.')
      .waitFor();
    await page.getByRole('button', { name: 'Traverse' }).click();
    await verdict(page, /./);
    const { pathname, search } = new URL(page.url());
    t.equal(search, '?name=www.shop.example&type=AAAA&transport=tcp');
    const posts: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
    await page.goto(`${url}/${search}`);
    t.equal(await page.getByLabel('Type', { exact: true }).inputValue(), 'AAAA');
    await page
      .getByRole('link', { name: /^Show the earlier result of www\.shop\.example AAAA, from / })
      .click();
    await verdict(page, /./);
    t.equal(new URL(page.url()).pathname, pathname);
    t.same(posts, [], 'no link starts a traversal');
  });
});

t.test("README's pictures are of a page with the same headings", async (t) => {
  const alts = [...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/^!\[(.*?[?:]) .*\]\(/gm)];
  const [start, result] = alts.map(([, heading = '']) => heading.replace(/:$/, ''));
  await withPage(t, browser, async (page) => {
    await page.goto(url);
    t.equal(await page.getByRole('heading', { level: 1 }).innerText(), start);
    await askFor(page, 'www.stale.example');
    await verdict(page, /./);
    await page.getByRole('heading', { level: 2, name: result ?? '?', exact: true }).waitFor();
  });
});

t.test('terms and codes are explained', async (t) => {
  await withPage(t, browser, async (page) => {
    await page.goto(url);
    const term = page.getByRole('button', { name: 'resolver' }).first();
    const tip = page.getByRole('tooltip').filter({ hasText: /^The server that looks names up for users/ });
    await term.hover();
    await tip.waitFor();
    await page.mouse.move(0, 0);
    await tip.waitFor({ state: 'hidden' });
    await term.focus();
    await tip.waitFor();
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'hidden' });
    await page.goto(`${url}/help#NS_REFUSED`);
    const heading = page.getByRole('heading', { name: 'NS_REFUSED' });
    await heading.waitFor();
    await page.waitForFunction('document.activeElement.id === "NS_REFUSED"');
    t.ok(((await heading.boundingBox())?.y ?? -1) >= 0, 'it is in sight');
  });
});

t.test('nothing is cut off or too wide, from small phones to wide screens', async (t) => {
  await withPage(t, browser, async (page) => {
    const check = async (what: string) => {
      for (const width of [320, 390, 600, 800, 1_024, 1_440, 2_560]) {
        await page.setViewportSize({ width, height: 900 });
        t.same(await page.evaluate(CUT), [], `${what}: no text of a select box is cut at ${width}`);
        t.equal(await isTooWide(page), false, `${what}: no need to scroll sideways at ${width}`);
      }
    };
    await page.goto(url);
    await page.getByText('Options', { exact: true }).click();
    await check('the form');
    await askFor(page, 'www.mixed.example');
    await verdict(page, /./);
    await page.getByRole('button', { name: 'ns.mixed.example (198.51.100.81)' }).click();
    await page.getByRole('switch').first().click();
    await page.getByRole('combobox', { name: 'What happens to them' }).waitFor();
    await check('a result');
    await page.goto(`${url}/help`);
    await page.getByText('NS_REFUSED').waitFor();
    await check('help');
  });
});

/** The select boxes that are narrower than their longest text wants, by what is chosen in them. */
const CUT = `[...document.querySelectorAll('select')].filter((box) => box.offsetWidth > 0 && box.offsetWidth < widest(box))
  .map((box) => box.selectedOptions[0].text);
function widest(box) {
  const copy = box.cloneNode(true);
  copy.style.cssText = 'position: absolute; width: auto; min-width: 0';
  box.parentElement.append(copy);
  const width = copy.offsetWidth;
  copy.remove();
  return width;
}`;
