// Runs tests, a few processes at a time, shows a line for each file and all of every failure, and closes with one line
// that a person and a script can read: `N passed, N failed`.
//
//     node test/run.js [--coverage] [--jobs=N] [--timeout=SECONDS] [-g PATTERN] [FILE|FOLDER ...]
//
// Without files it builds the program if `dist` is old, runs them all, and names those that take most processor time.
// `--coverage`, which is for all of them, costs a quarter of the time.
//
// tap's own runner is not used because it takes longer than most files: it loads a compiler into each of their processes,
// threads and children (four small files cost it 15 s of CPU, and this runner 3 s). Here everything is compiled once,
// and most files share a process.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compileChanges, isBuildOld, ROOT } from './compile.js';
import { COVERAGE, coverageTable, forgetCoverage, report, shortfalls } from './coverage.js';
import { runFiles } from './run-files.js';

/** What holds for thousands of worlds: to count what they run takes as long as to run it, and it is what others run. */
const PROPERTIES = /\bproperty\.test\.ts$/;
/** The state of a process, its memory, its threads, stores: such files have one to themselves. */
const NOT_SHARED =
  /t\.intercept|process\.(?!execPath|platform|env\.PATH)|'node:(?:v8|vm)'|\/threads\/|\/store\/|fair-clock/;
/** A process that goes on runs faster than one that begins: it has compiled what it runs. */
const MOST_SHARING = 24;
/** So few files have a process each. */
const FEW = 6;
const SLOWEST = 10;

const { values, positionals } = parseArgs({
  options: {
    coverage: { type: 'boolean', default: false },
    // One more than the cores of a small machine: many files wait for servers.
    jobs: { type: 'string', default: '3' },
    timeout: { type: 'string', default: '300' },
    grep: { type: 'string', short: 'g' },
  },
  allowPositionals: true,
});
const [jobs, timeout] = [Number(values.jobs), Number(values.timeout)];
if (!(jobs >= 1 && timeout >= 1)) throw new Error('--jobs and --timeout take a number, from 1 on');
const isWhole = positionals.length === 0 && values.grep === undefined;
if (values.coverage && !isWhole) throw new Error('--coverage is for all files');
const chosen = positionals.length === 0 ? [join(ROOT, 'test')] : positionals;
const files = [...new Set(chosen.flatMap(testsOf))];
// By itself, a signal would leave the files that run to go on.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
// Node 20 would read these at each start, which takes longer than the start. Tests talk to nobody beyond this host.
delete process.env.NODE_EXTRA_CA_CERTS;
const recorded = mkdtempSync(join(tmpdir(), 'recorded-'));
process.once('exit', () => rmSync(recorded, { recursive: true }));
compileChanges();
if (isBuildOld()) {
  // Some tests run it.
  if (isWhole) execFileSync(process.execPath, [join(ROOT, 'src/build/build.js')], { stdio: 'inherit' });
  else console.log('# dist is older than src: some tests run it, so run `npm run build` first');
}
if (values.coverage) forgetCoverage();
const waiting = files.length > FEW ? groupsOf(files) : files.map((file) => [file]);
const ended = [];
await Promise.all(Array.from({ length: jobs }, runWaiting));
if (isWhole) showSlowest();
const short = values.coverage ? await coverageFaults() : [];
const failed = sum('failed') + short.length;
const isNothing = sum('passed') + failed === 0;
if (isNothing) console.log(`no subtest matches ${values.grep}`);
console.log(`${sum('passed')} passed, ${failed} failed`);
process.exitCode = failed === 0 && !isNothing ? 0 : 1;

async function runWaiting() {
  for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
    const coverage = values.coverage && !group.some((file) => PROPERTIES.test(file)) ? COVERAGE : undefined;
    const env = { TEST_RECORDED: recorded, NODE_V8_COVERAGE: coverage };
    const { results, lines } = await runFiles(group, { timeout, env, grep: values.grep });
    for (const { file, passed, failed, skipped, tookMs } of results) {
      const counts = `${passed} passed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
      console.log(`${failed === 0 ? 'ok' : 'not ok'} - ${file} # ${seconds(tookMs)} s, ${counts}`);
    }
    if (results.some(({ failed }) => failed > 0)) console.log(lines.join('\n'));
    ended.push(...results);
  }
}

function sum(member) {
  return ended.reduce((total, result) => total + result[member], 0);
}

/** By the time of processors: the time by the clock depends on what else runs. */
function showSlowest() {
  const slowest = ended.sort((one, other) => other.busyMs - one.busyMs).slice(0, SLOWEST);
  for (const { file, busyMs } of slowest) console.log(`busy: ${seconds(busyMs).padStart(5)} s  ${file}`);
  console.log(`busy: ${seconds(sum('busyMs'))} s of processor time in all`);
}

function seconds(ms) {
  return (ms / 1000).toFixed(1);
}

async function coverageFaults() {
  await report();
  const faults = shortfalls();
  for (const line of [...coverageTable(), ...faults]) console.log(line);
  return faults;
}

/**
 * In an order in which a long one is not left for the end: those that share a process, from the last folders, whose
 * services wait, to the first; then by the size of the text.
 */
function groupsOf(files) {
  const texts = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
  const isShared = (file) => !PROPERTIES.test(file) && !NOT_SHARED.test(`${file}\n${texts.get(file)}`);
  const shared = files.filter(isShared).reverse();
  const alone = files
    .filter((file) => !isShared(file))
    .sort((one, other) => texts.get(other).length - texts.get(one).length);
  const groups = [];
  const size = Math.min(MOST_SHARING, Math.ceil(shared.length / jobs));
  while (shared.length > 0) groups.push(shared.splice(0, size));
  return [...groups, ...alone.map((file) => [file])];
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
