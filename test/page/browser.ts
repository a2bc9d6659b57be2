import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Test } from 'tap';

/** Where Chromium may be; the environment knows best. */
const PLACES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Starts Chromium, gone when the test ends. Rejects with what to install if there is none. */
export async function openBrowser(t: Pick<Test, 'teardown'>): Promise<Browser> {
  const executablePath = PLACES.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined)
    throw new Error(
      'there is no Chromium: install it (apt-get install chromium), or say where with CHROMIUM=',
    );
  // Root, who runs tests on build machines, cannot have Chromium's sandbox.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: WAIT_MS });
  t.teardown(() => browser.close());
  return browser;
}

/**
 * Opens an empty page in a browser session of its own and gives it to `use`. Afterwards the browser must have had
 * nothing to complain of: no error of a script, nothing that the page's policy forbade.
 */
export async function withPage(
  t: Test,
  browser: Browser,
  use: (page: Page) => Promise<unknown>,
  looks: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1_200, height: 900 }, ...looks });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    const complaints = await complaintsOf(page);
    await use(page);
    t.same(complaints, [], 'the browser had nothing to complain of');
  } finally {
    await context.close();
  }
}

async function complaintsOf(page: Page): Promise<readonly string[]> {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`${error}`));
  page.on('console', (message) => {
    // That a request got an error for its reply is for the page to tell, which the tests read.
    const isReply = message.text().startsWith('Failed to load resource:');
    if (message.type() === 'error' && !isReply) complaints.push(message.text());
  });
  await page.exposeFunction('tellViolation', (violation: string) => complaints.push(violation));
  await page.addInitScript(TELL_VIOLATIONS);
  return complaints;
}

/** How long anything may take on a machine that has much else to do. Tests wait for what is to happen, never this long. */
const WAIT_MS = 90_000;

const TELL_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  window.tellViolation(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));`;

/** Rules of WCAG 2.2 AA that a page breaks, with where, as axe-core sees it. */
export async function faultsOfAccess(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const violations = await page.evaluate<readonly Violation[]>(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Whether one has to scroll sideways, which nobody should. */
export const isTooWide = (page: Page) =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Types a name, and asks for it. */
export async function askFor(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Traverse' }).click();
}

/** Waits for the verdict on a traversal. */
export async function verdict(page: Page, words: RegExp): Promise<void> {
  await page
    .locator('.headline-verdict')
    .filter({ hasText: unanchored(words) })
    .waitFor();
}

/** A mark stands before the words. */
function unanchored({ source, flags }: RegExp): RegExp {
  return new RegExp(source.replace(/^\^/, '\\b'), flags);
}
