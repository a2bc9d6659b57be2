// Runs tap, shows a line for each file and all of every failure, and closes with one line that a person
// and a script can read: `N passed, N failed`. tap's own summary can show no failure while it exits with
// 1 (a crash, a missed plan, too little coverage), so the exit status counts as one. Coverage is measured
// when all tests run.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { coverageTable, forgetCoverage, shortfalls } from './coverage.js';

const require = createRequire(import.meta.url);
const manifest = require.resolve('tap/package.json');
const tap = join(dirname(manifest), require(manifest).bin.tap);

const chosen = process.argv.slice(2);
const coverage = chosen.length === 0 ? ['--no-disable-coverage', '--coverage-report=json-summary'] : [];
forgetCoverage();
const child = spawn(process.execPath, [tap, '--reporter=tap', ...coverage, ...chosen], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
let summary = { passed: 0, failed: 0 };
createInterface({ input: child.stdout }).on('line', (line) => {
  const counts = line.match(/^# \{ total: \d+(?:, pass: (\d+))?(?:, fail: (\d+))?/);
  if (counts) summary = { passed: Number(counts[1] ?? 0), failed: Number(counts[2] ?? 0) };
  const isPlainSuccess = /^( +(ok|# Subtest|# time|\d+\.\.\d+)\b|# Subtest|\s*$)/.test(line);
  if (!isPlainSuccess) console.log(line);
});
child.on('close', (code) => {
  const short = coverage.length > 0 ? shortfalls() : [];
  if (coverage.length > 0) for (const line of [...coverageTable(), ...short]) console.log(line);
  const failed = short.length + (code === 0 ? summary.failed : Math.max(1, summary.failed));
  console.log(`${summary.passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
});
