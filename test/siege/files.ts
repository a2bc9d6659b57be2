/**
 * Holes: files that are not what they should be, and two runs that add to the same one. Each bad file leads
 * to one line and status 3, in bounded time and memory; of two runs the second says that the first is at
 * work, and no line is there twice.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { shown, size } from '../bench/figures.ts';
import { ended, start } from '../cli/svc.ts';
import { judge, runMeasured } from './measured.ts';

const MIB = 1_024 * 1_024;
/** Up to 256 MiB are read; the program itself takes some 60. */
const MOST_PEAK = 400 * MIB;
const MOST_MS = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'siege-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const file = (name: string) => join(folder, name);
writeFileSync(file('huge'), '');
truncateSync(file('huge'), 600 * MIB);
writeFileSync(file('truncated'), '{"schema": 2, "query": {"na');
writeFileSync(file('deep'), `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`);
writeFileSync(file('wrong'), '{"schema": [], "query": 7, "exchanges": {}}');
mkdirSync(file('folder'));

await replay('600 MiB', file('huge'));
await replay('endless', '/dev/zero');
await replay('a million deep', file('deep'));
await replay('truncated', file('truncated'));
await replay('wrong members', file('wrong'));
await replay('a directory', file('folder'));
await resumeTwice(file('results.jsonl'));
process.exit();

async function replay(what: string, path: string): Promise<void> {
  const { status, stdout, stderr, tookMs, peak } = await runMeasured(['traverse', '--replay', path]);
  const line = /^svc: [^\n]{1,400}\n$/.test(stderr) ? 'one line' : `${size(stderr.length)} on stderr`;
  judge(
    `--replay, ${what}`,
    `status ${status}, ${line}, after ${shown(tookMs)}, ${size(peak)} at most`,
    status === 3 && line === 'one line' && stdout === '' && tookMs < MOST_MS && peak < MOST_PEAK,
  );
}

async function resumeTwice(results: string): Promise<void> {
  const command = ['traverse', '--demo', '-f', '-', '--resume', results];
  const first = start(command);
  const firstEnded = ended(first);
  first.stdin.write('www.shop.example\n');
  while (!existsSync(results) || readFileSync(results).length === 0) await pause(10);
  const second = start(command);
  second.stdin.on('error', () => {}).end('www.shop.example\nwww.blog.test\n');
  const { status, stderr } = await ended(second);
  first.stdin.end('www.blog.test\n');
  await firstEnded;
  const lines = readFileSync(results, 'utf8').trimEnd().split('\n');
  judge(
    'two --resume on one file',
    `the second: status ${status}, ${stderr.trim().slice(-60)}; ${lines.length} lines for two names`,
    status === 3 && /another run is at work/.test(stderr) && lines.length === 2,
  );
}
