// Runs files of tests in a process of their own, one after the other, and reads the TAP that they write. In that process
// this file is the program.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compiled, ROOT } from './compile.js';

const HERE = fileURLToPath(import.meta.url);
const GRACE = 10;
/** Begins the line that tells of a file which has ended. */
const ENDED = '# ended: ';
/** Begins the name of the subtest that waits for the others of a file. */
const END = 'end of ';

/** Ends with this process. */
const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill();
});

/**
 * Resolves with a result for each file: how many assertions passed, failed and were skipped, and the milliseconds that it
 * took, by the clock and of processors; and with the lines that a person wants to see of a failure. Each file has
 * `timeout` seconds. `grep`: only the subtests whose names match.
 */
export async function runFiles(files, { timeout, env, grep }) {
  const filter = grep === undefined ? {} : { TAP_GREP: filterOf(grep) };
  const all = { ...process.env, ...env, ...filter };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  // tap names folders of tests by the arguments.
  const child = spawn(process.execPath, ['--enable-source-maps', HERE, files[0]], {
    cwd: ROOT,
    env: {
      ...Object.fromEntries(given),
      TEST_FILES: files.join(' '),
      TAP_TIMEOUT: `${timeout * files.length}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  // One that hangs, or waits for what never comes, would hold up all others.
  const timer = setTimeout(() => child.kill('SIGKILL'), (timeout + GRACE) * 1000);
  const [results, lines] = [[], []];
  let last = 'nothing';
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith(ENDED)) {
      results.push(JSON.parse(line.slice(ENDED.length)));
      timer.refresh();
    } else if (line.trim() !== '') last = line.trim();
    if (!isPlainSuccess(line)) lines.push(line);
  });
  const [code, signal] = await new Promise((resolve) => child.on('close', (...how) => resolve(how)));
  clearTimeout(timer);
  running.delete(child);
  for (const result of results.filter(({ passed, failed, skipped }) => passed + failed + skipped === 0)) {
    lines.push(`# ${result.file} tested nothing`);
    result.failed = 1;
  }
  // It can show no failure and fail nevertheless: a crash, a missed plan, nothing at all.
  const file = files[results.length];
  if (file !== undefined || (code !== 0 && results.every(({ failed }) => failed === 0))) {
    lines.push(`# ${file ?? files.join(' ')} ended with ${signal ?? code} after: ${last}`);
    results.push({ file: file ?? files.at(-1), passed: 0, failed: 1, skipped: 0, tookMs: 0, busyMs: 0 });
  }
  return { results, lines };
}

/** A pattern of names, with or without slashes and flags, that also lets the ends of files through. */
function filterOf(pattern) {
  const [, body = pattern, flags = ''] = /^\/(.*)\/([a-z]*)$/.exec(pattern) ?? [];
  return `/(?:${body})|^${END}/${flags}`;
}

function isPlainSuccess(line) {
  return /^( *(ok|# Subtest|# time|# ended|\d+\.\.\d+)\b|TAP version|\s*}?$)/.test(line);
}

/** Runs files in this process. The subtests of a file have ended when the one that is added after them begins. */
async function runHere(files) {
  const { default: t } = await import('tap');
  let before = countsOf(t);
  for (const file of files) {
    const [begun, busyBefore] = [performance.now(), busyMs()];
    await import(pathToFileURL(compiled(file)).href);
    // Unbuffered, it waits even for subtests that run at once.
    await t.test(`${END}${file}`, { buffered: false }, async () => undefined);
    const now = countsOf(t);
    const counts = Object.entries(now).map(([what, count]) => [what, count - before[what]]);
    const took = { tookMs: performance.now() - begun, busyMs: busyMs() - busyBefore };
    process.stdout.write(`${ENDED}${JSON.stringify({ file, ...Object.fromEntries(counts), ...took })}\n`);
    // The subtest that is the end of this file passes, but is counted later.
    before = { ...now, passed: now.passed + 1 };
    t.jobs = 1;
  }
  t.end();
}

/** Of this process and of its children that have ended, which Linux alone tells: proc_pid_stat(5), utime to cstime. */
function busyMs() {
  if (process.platform !== 'linux') return process.cpuUsage().user / 1_000;
  const [, fields = ''] = readFileSync('/proc/self/stat', 'latin1').split(') ');
  const ticks = fields.split(' ').slice(11, 15).map(Number);
  return 10 * ticks.reduce((sum, one) => sum + one, 0);
}

function countsOf({ counts: { pass: passed, fail: failed, skip: skipped } }) {
  return { passed, failed, skipped };
}

if (process.argv[1] === HERE) await runHere(process.env.TEST_FILES.split(' '));
