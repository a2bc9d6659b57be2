// Takes README's pictures anew, as the page of this build is:
//
//     node test/program.js page/renew-pictures
import { join } from 'node:path';
import { startServe } from '../service/spawned.ts';
import { ROOT } from '../sources.ts';
import { askFor, openBrowser, verdict } from './browser.ts';

const PICTURES = join(ROOT, 'man/pictures');

const stops: (() => unknown)[] = [];
const run = { teardown: (stop: () => unknown) => void stops.push(stop) };
try {
  const { url } = await startServe(run);
  const browser = await openBrowser(run);
  const page = await browser.newPage({ viewport: { width: 1_000, height: 640 } });
  await page.goto(url);
  await page.screenshot({ path: join(PICTURES, 'start.png') });
  await askFor(page, 'www.stale.example');
  await verdict(page, /./);
  await page.getByRole('region', { name: 'If you change this' }).waitFor();
  await page.screenshot({ path: join(PICTURES, 'result.png') });
} finally {
  for (const stop of stops.reverse()) await stop();
}
