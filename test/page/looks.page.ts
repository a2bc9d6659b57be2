import { join } from 'node:path';
import t from 'tap';
import { startLab } from '../../src/lab/lab.ts';
import type { World } from '../../src/lab/world.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { startServe } from '../service/spawned.ts';
import { HELD_NAME, startHeldService } from '../service/test-service.ts';
import { askFor, faultsOfAccess, isTooWide, openBrowser, verdict, withPage } from './browser.ts';

const ROOT = '127.0.16.1';
const HOME = '127.0.16.2';

/** What labels can hold: markup, quotes, controls, and characters that turn the text round. */
const LABELS = [
  '<img/src=x/onerror=tellViolation(1)>',
  '<script>tellViolation(2)</script>',
  '"\' onmouseover=tellViolation(3)//',
  '\u0000\u0007\u001b[31m',
  '\u202egnp\u2066',
  '&lt;b&gt;;]]>--><!--',
].map(escaped);

/** As zone files write it (RFC 1035 5.1). */
function escaped(text: string): string {
  const octet = (one: number) => `\\${`${one}`.padStart(3, '0')}`;
  return [...Buffer.from(text)]
    .map((one) => (/[a-z]/.test(String.fromCharCode(one)) ? String.fromCharCode(one) : octet(one)))
    .join('');
}

/** A name of 255 octets on the wire. */
const LONGEST = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(48)}.hostile.test`;

/** Names that try to be more than names, and what their servers and data are called. */
const HOSTILE_NAMES: readonly string[] = [...LABELS.map((label) => `${label}.hostile.test`), LONGEST];

/** A world in which everything that has a name has one of those. */
const HOSTILE_WORLD: World = {
  servers: [
    {
      name: 'a.root.',
      addresses: [ROOT],
      zones: [
        zoneText(
          '.',
          [
            '. NS a.root.',
            `a.root. A ${ROOT}`,
            ...LABELS.flatMap((label) => [
              `hostile.test NS ${label}.hostile.test.`,
              `${label}.hostile.test A ${HOME}`,
            ]),
          ].join('\n'),
        ),
      ],
    },
    {
      name: 'home.hostile.test.',
      addresses: [HOME],
      version: '<img src=x onerror=tellViolation(4)>\u202e',
      zones: [
        zoneText(
          'hostile.test.',
          [
            ...LABELS.flatMap((label) => [
              `@ NS ${label}`,
              `${label} A ${HOME}`,
              `${label} TXT "<img src=x onerror=tellViolation(5)>" "\\226\\128\\174\\027[31m"`,
            ]),
            `${LONGEST}. TXT "${'w'.repeat(255)}" "${'i'.repeat(255)}"`,
          ].join('\n'),
        ),
      ],
    },
  ],
};

const WIDTHS = [380, 800, 1_440] as const;
const SCHEMES = ['light', 'dark'] as const;

const browser = await openBrowser(t);

t.test('nothing keeps anybody out, in either scheme, from phone to wide screen', async (t) => {
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
        await check('a job that runs');
        await page.goto(demo.url);
        await askFor(page, 'www.mixed.example');
        await verdict(page, /% of (?:users|others) get /);
        await page.getByText('Details', { exact: true }).click();
        await page
          .getByText(/BIND 9\.18\.49/)
          .first()
          .waitFor();
        await page.getByRole('region', { name: 'Do' }).locator('summary').first().click();
        await check('a result, and all its details');
        await page.getByRole('button', { name: 'ns.mixed.example (198.51.100.81)' }).click();
        await page.getByRole('switch', { name: 'ns.mixed.example.' }).click();
        await verdict(page, /^If ns\.mixed\.example/);
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
        await page.getByText('Details', { exact: true }).click();
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
