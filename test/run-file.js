// Runs one file of tests in a process of its own, and reads the TAP that it writes.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { compiled, ROOT } from './compile.js';

/**
 * Resolves with what came of it: how many assertions passed and failed, the milliseconds that it took, and the lines
 * that a person wants to see of a failure. The file has so many seconds; names of subtests match `grep`, if there is one.
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
  // tap ends a file that takes too long, unless it is too busy to.
  const timer = setTimeout(() => child.kill('SIGKILL'), (timeout + GRACE) * 1000);
  const lines = [];
  let [counts, last] = [undefined, 'nothing'];
  createInterface({ input: child.stdout }).on('line', (line) => {
    counts = /^# \{ total: \d+(?:, pass: (\d+))?(?:, fail: (\d+))?/.exec(line) ?? counts;
    if (line.trim() !== '') last = line.trim();
    if (!isPlainSuccess(line)) lines.push(line);
  });
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const [passed, failed] = [Number(counts?.[1] ?? 0), Number(counts?.[2] ?? 0)];
      // It can show no failure and fail nevertheless: a crash, a missed plan, nothing at all.
      const isFine = code === 0 && counts !== undefined;
      if (!isFine) lines.push(`# ended with ${signal ?? code} after: ${last}`);
      resolve({
        file,
        passed,
        failed: isFine ? failed : Math.max(1, failed),
        tookMs: performance.now() - begun,
        lines,
      });
    });
  });
}

const GRACE = 10;

function isPlainSuccess(line) {
  return /^( *(ok|# Subtest|# time|\d+\.\.\d+)\b|TAP version|\s*$)/.test(line);
}
