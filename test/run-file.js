// Runs one file of tests in a process of its own, and reads the TAP that it writes.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { compiled, ROOT } from './compile.js';

/**
 * Resolves with what came of it: how many assertions passed, failed and were skipped, the milliseconds that it took, and
 * the lines that a person wants to see of a failure. The file has so many seconds; names of subtests match `grep`, if
 * there is one.
 */
export function runFile(file, { timeout, grep, coverage }) {
  const begun = performance.now();
  const env = {
    ...process.env,
    TAP_TIMEOUT: `${timeout}`,
    ...(grep === undefined ? {} : { TAP_GREP: grep }),
    ...(coverage === undefined ? {} : { NODE_V8_COVERAGE: coverage }),
  };
  const child = spawn(process.execPath, ['--enable-source-maps', compiled(file)], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  // tap ends a file that takes too long, unless it is too busy to.
  const timer = setTimeout(() => child.kill('SIGKILL'), (timeout + GRACE) * 1000);
  const lines = [];
  let [counts, last] = [undefined, 'nothing'];
  createInterface({ input: child.stdout }).on('line', (line) => {
    counts = countsIn(line) ?? counts;
    if (line.trim() !== '') last = line.trim();
    if (!isPlainSuccess(line)) lines.push(line);
  });
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      running.delete(child);
      const { pass: passed = 0, fail: failed = 0, skip: skipped = 0 } = counts ?? {};
      // It can show no failure and fail nevertheless: a crash, a missed plan, nothing at all.
      const isFailed = code !== 0 || counts === undefined;
      if (isFailed && (failed === 0 || code === null))
        lines.push(`# ended with ${signal ?? code} after: ${last}`);
      resolve({
        passed,
        failed: isFailed ? Math.max(1, failed) : failed,
        skipped,
        tookMs: performance.now() - begun,
        lines,
      });
    });
  });
}

/** Ends with this process. */
const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill();
});

const GRACE = 10;

/** From the line `# { total: 3, pass: 2, skip: 1 }`. */
function countsIn(line) {
  if (!line.startsWith('# { total: ')) return undefined;
  return Object.fromEntries(
    [...line.matchAll(/(\w+): (\d+)/g)].map(([, what, count]) => [what, Number(count)]),
  );
}

function isPlainSuccess(line) {
  return /^( *(ok|# Subtest|# time|\d+\.\.\d+)\b|TAP version|\s*$)/.test(line);
}
