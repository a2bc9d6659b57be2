// Runs tests, a few files at a time, shows a line for each file and all of every failure, and closes with one line that
// a person and a script can read: `N passed, N failed`.
//
//     node test/run.js [--jobs=N] [--timeout=SECONDS] [-g PATTERN] [FILE|FOLDER ...]
//
// Without files it runs them all, and measures coverage.
import { readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compileChanges, ROOT } from './compile.js';
import { COVERAGE, coverageTable, forgetCoverage, report, shortfalls } from './coverage.js';
import { runFile } from './run-file.js';

/** What holds for thousands of worlds: to count what they run takes as long as to run it, and it is what others run. */
const PROPERTIES = /\bproperty\.test\.ts$/;

const { values, positionals } = parseArgs({
  options: {
    jobs: { type: 'string', default: '2' },
    timeout: { type: 'string', default: '900' },
    grep: { type: 'string', short: 'g' },
  },
  allowPositionals: true,
});
const [jobs, timeout] = [Number(values.jobs), Number(values.timeout)];
if (!(jobs >= 1 && timeout >= 1)) throw new Error('--jobs and --timeout take a number, from 1 on');
const isWhole = positionals.length === 0 && values.grep === undefined;
const chosen = positionals.length === 0 ? [join(ROOT, 'test')] : positionals;
const waiting = [...new Set(chosen.flatMap(testsOf))];
// By itself, a signal would leave the files that run to go on.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
compileChanges();
if (isWhole) forgetCoverage();
const sum = { passed: 0, failed: 0 };
await Promise.all(Array.from({ length: jobs }, runWaiting));
const short = isWhole ? await coverageFaults() : [];
const failed = sum.failed + short.length;
console.log(`${sum.passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function runWaiting() {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const coverage = isWhole && !PROPERTIES.test(file) ? COVERAGE : undefined;
    const { passed, failed, skipped, tookMs, lines } = await runFile(file, {
      timeout,
      grep: values.grep,
      coverage,
    });
    sum.passed += passed;
    sum.failed += failed;
    const counts = `${passed} passed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
    console.log(`${failed === 0 ? 'ok' : 'not ok'} - ${file} # ${(tookMs / 1000).toFixed(1)} s, ${counts}`);
    if (failed > 0) console.log(lines.join('\n'));
  }
}

async function coverageFaults() {
  await report();
  const faults = shortfalls();
  for (const line of [...coverageTable(), ...faults]) console.log(line);
  return faults;
}

/** A file of tests, or those in a folder, relative to the project. */
function testsOf(path) {
  const place = relative(ROOT, resolve(path));
  const found = statSync(path, { throwIfNoEntry: false });
  const files = found?.isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.test.ts'))
        .sort()
        .map((name) => join(place, name))
    : [place].filter((name) => found !== undefined && name.endsWith('.ts'));
  if (files.length === 0 || place.startsWith('..')) throw new Error(`no tests of this project: ${path}`);
  return files;
}
