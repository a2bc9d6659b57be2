/**
 * What the page takes: how much is loaded before the first mark and with the result, how soon a mark stands for the first event, and how many
 * frames are dropped while a traversal of more than 2,000 exchanges is followed and its result shown.
 */
import type { Page } from 'playwright-core';
import { openBrowser } from '../page/browser.ts';
import { tell } from './figure.ts';
import { quantile, size, spread } from './figures.ts';
import { spawnLab } from './lab/spawn-lab.ts';
import { NOW } from './program.ts';
import { spawnService } from './spawn-service.ts';
import { WORLDS } from './worlds/worlds.ts';

const RUNS = 10;
/** The exchanges of `wide-13-8`, of which the figure speaks. */
const LARGE = 'wide-13-8';
const LEAST_EXCHANGES = 2_000;
/** A display shows 60 frames a second. */
const FRAME_MS = 1_000 / 60;
const PATIENCE_MS = 120_000;
/** How long a reply takes; slow enough for the page to be there when the first one comes. */
const USUAL_MS = 20;
const SLOW_MS = 150;

/** Has the page say how long after its first exchange came the first mark was there. */
const TELL_FIRST_MARK = `{
  let began;
  const add = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (name, listener, ...rest) {
    const told = (event) => {
      if (name === 'exchange') began ??= performance.now();
      return listener.call(this, event);
    };
    return add.call(this, name, typeof listener === 'function' ? told : listener, ...rest);
  };
  window.firstMarkMs = new Promise((resolve) => {
    const look = () => {
      if (document.querySelector('.mark') === null) requestAnimationFrame(look);
      else resolve(performance.now() - began);
    };
    requestAnimationFrame(look);
  });
}`;

/** Has the page keep how long it was from each frame to the next. */
const COUNT_FRAMES = `{
  window.frameGaps = [];
  let last = performance.now();
  const frame = (now) => {
    window.frameGaps.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}`;

const closing: (() => unknown)[] = [];
try {
  const browser = await openBrowser({ teardown: (close: () => unknown) => void closing.push(close) });
  await firstMarks(await browser.newPage());
  await frames(await browser.newPage());
} finally {
  for (const close of closing) await close();
}

/** The scripts that the start page loads, which show the first marks, and those of a result. Those of workers come later. */
async function loaded(page: Page, row: 'page-size' | 'page-result-size'): Promise<void> {
  const scripts = await page.evaluate<readonly (readonly [name: string, octets: number])[]>(
    `performance.getEntriesByType("resource").map(({ name, encodedBodySize }) => [name, encodedBodySize])`,
  );
  // What is preloaded can be in the list twice.
  const own = new Map(scripts.filter(([name]) => name.endsWith('.js') && !/-worker-[^/]*$/.test(name)));
  const octets = [...own.values()];
  const sum = octets.reduce((one, other) => one + other, 0);
  tell(row, NOW, sum / 1024, `${octets.length} scripts, ${size(sum)} with Brotli`);
}

/** From the arrival of a job's first exchange to the frame that shows a mark. */
async function firstMarks(page: Page): Promise<void> {
  await page.addInitScript(TELL_FIRST_MARK);
  await withService('small', SLOW_MS, async (url, ask) => {
    const tookMs: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      await page.goto(`${url}/?name=${ask}`);
      if (run === 0) await loaded(page, 'page-size');
      await page.getByRole('button', { name: 'Traverse' }).click();
      tookMs.push(await page.evaluate<number>('window.firstMarkMs'));
      if (run > 0) continue;
      await page.locator('.headline-verdict').waitFor({ timeout: PATIENCE_MS });
      await loaded(page, 'page-result-size');
    }
    tell('page-mark', NOW, quantile(tookMs, 0.5), `${RUNS} traversals, ${spread(tookMs)}`);
  });
}

/** Frames that a traversal's events and its result kept from being shown. */
async function frames(page: Page): Promise<void> {
  await withService(LARGE, USUAL_MS, async (url, ask) => {
    await page.goto(`${url}/?name=${ask}`);
    await page.evaluate(COUNT_FRAMES);
    await page.getByRole('button', { name: 'Traverse' }).click();
    await page.locator('.headline-verdict').waitFor({ timeout: PATIENCE_MS });
    const gaps = await page.evaluate<readonly number[]>('window.frameGaps');
    const id = new URL(page.url()).pathname.replace('/t/', '');
    const job: { readonly progress: { readonly exchanges: number } } = JSON.parse(
      await (await fetch(`${url}/api/traverse/${id}`)).text(),
    );
    const { exchanges } = job.progress;
    if (exchanges < LEAST_EXCHANGES) throw new Error(`only ${exchanges} exchanges`);
    const dropped = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / FRAME_MS) - 1), 0);
    const share = (100 * dropped) / (gaps.length + dropped);
    tell('page-frames', NOW, share, `${exchanges} exchanges, ${gaps.length} frames, ${spread(gaps)}`);
  });
}

async function withService(
  world: 'small' | typeof LARGE,
  delayMs: number,
  measure: (url: string, ask: string) => Promise<void>,
): Promise<void> {
  const lab = await spawnLab(world, delayMs);
  const network = ['--root-hints', lab.hintsFile, '--port', `${lab.port}`, '-4', '--allow-special-targets'];
  const pace = ['--rate', '0', '--rate-prefix', '0', '--rate-total', '0', '--max-queries', '20000'];
  const { url, child } = await spawnService([...network, ...pace, '--max-packets', '100000']);
  try {
    await measure(url, WORLDS[world].ask);
  } finally {
    child.removeAllListeners('exit');
    child.kill('SIGTERM');
    lab.close();
  }
}
