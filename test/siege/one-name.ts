/**
 * Hole: a name whose zones mean harm, asked on the command line. Whatever they send, it takes so much processor time and
 * memory at most.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shown, size } from '../bench/figures.ts';
import { NOW } from '../bench/program.ts';
import { NOW as SIGNED_AT } from '../dns/dnssec/signing.ts';
import { ALL_WORLDS } from './heavy-worlds.ts';
import { startHostileThread } from './hostile-thread.ts';
import { judge } from './measured.ts';

const MOST_CPU_MS = 3_000;
/** The processor time that the reference computation takes where `MOST_CPU_MS` holds. */
const REFERENCE_MS = 800;
const MOST_OCTETS = 200 * 1_024 ** 2;
const USAGE = new URL('../bench/tell-usage.js', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'siege-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

const chosen = process.argv.slice(2).map(Number);
for (const [at, world] of ALL_WORLDS.entries()) {
  if (chosen.length > 0 && !chosen.includes(at)) continue;
  const { what, name, anchor } = world;
  // On a slower or a busier machine everything takes longer.
  const mostMs = MOST_CPU_MS * Math.max(1, referenceMs() / REFERENCE_MS);
  const servers = await startHostileThread(at);
  const { port, hints } = servers.news();
  const [hintsFile, anchorFile] = [join(folder, `hints-${at}`), join(folder, `anchor-${at}`)];
  writeFileSync(hintsFile, hints);
  writeFileSync(anchorFile, anchor ?? '');
  const year = SIGNED_AT.slice(0, 4);
  const proof = anchor === undefined ? [] : ['--trust-anchor', anchorFile, '--at', `${year}-06-01T00:00:00Z`];
  const where = [
    '--root-hints',
    hintsFile,
    '--port',
    `${port}`,
    '--allow-special-targets',
    '-4',
    '--rate',
    '0',
    '--rate-prefix',
    '0',
    '--timeout',
    '20s',
  ];
  const ran = spawnSync(
    process.execPath,
    ['--import', USAGE, NOW.svc, 'traverse', name, ...where, ...proof],
    { stdio: ['ignore', 'pipe', 'pipe', 'pipe'], maxBuffer: 1 << 28 },
  );
  const { cpuMs, peak } = JSON.parse(String(ran.output[3]));
  judge(
    `${at} ${what}`,
    `status ${ran.status}, ${shown(cpuMs)} of processor time (at most ${shown(mostMs)}), ${size(peak)}`,
    cpuMs <= mostMs && peak <= MOST_OCTETS,
  );
  await servers.close();
}
process.exit();

/** The processor time of a computation that is the same each time: maps, texts and sorting, as in a traversal. */
function referenceMs(): number {
  const before = process.cpuUsage();
  for (let round = 0; round < 12; round += 1) {
    const known = new Map(
      Array.from({ length: 40_000 }, (_, at) => [`${(at * 7_919) % 100_003}.example.`, { at }]),
    );
    [...known.keys()].sort().join('');
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
