/**
 * Other tools on the same name, whole process against whole process, where they are installed. It needs root:
 * they ask at port 53 and take addresses from resolv.conf, so all of it runs in a network namespace of its own.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quantile, say, shown } from './figures.ts';
import { type LeanLab, spawnLab } from './lab/spawn-lab.ts';
import { labFlags, NOW } from './program.ts';
import { RESOLVER } from './worlds/world.ts';
import { WORLDS } from './worlds/worlds.ts';

const WORLD = 'classic';
const DELAY_MS = 20;
const DNS_PORT = 53;
const RUNS = 5;
const TIMEOUT_MS = 60_000;
const INSIDE = 'inside';

if (process.argv.includes(INSIDE)) await measure();
else enter();

/** Runs this file again where every address and port is free. */
function enter(): void {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const resolvers = join(folder, 'resolv.conf');
  writeFileSync(resolvers, `nameserver ${RESOLVER}\n`);
  const script = `ip link set lo up && mount --bind '${resolvers}' /etc/resolv.conf && exec "$0" "$@"`;
  const self = [process.execPath, ...process.execArgv, fileURLToPath(import.meta.url), INSIDE];
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const { status } = spawnSync('unshare', [...namespaces, 'sh', '-c', script, ...self], { stdio: 'inherit' });
  rmSync(folder, { recursive: true });
  process.exitCode = status ?? 1;
}

async function measure(): Promise<void> {
  const lab = await spawnLab(WORLD, DELAY_MS, { port: DNS_PORT });
  try {
    const own = [process.execPath, NOW.svc, 'traverse', WORLDS[WORLD].ask, ...labFlags(NOW, lab)];
    for (const [name, ...args] of tools(lab)) await compare([name, ...args], own, lab);
  } finally {
    lab.close();
  }
}

type Command = readonly [name: string, ...args: string[]];

/** What traces a name from the root down, as it is to be called here. */
function tools({ root, hintsFile }: LeanLab): readonly Command[] {
  const { ask } = WORLDS[WORLD];
  return [
    ['dig', `@${root}`, '-4', '+trace', '+nodnssec', ask, 'A'],
    ['drill', '-4', '-T', '-r', hintsFile, ask, 'A'],
    ['dnstracer', '-4', '-o', '-s', root, '-q', 'a', ask],
    ['dnsviz', 'probe', '-4', '-A', '-x', `.:a1.root.=${root}`, '-a', '.', ask],
    ['zonemaster-cli', '--no-ipv6', '--hints', hintsFile, '--test', 'Delegation', parent(ask)],
  ];
}

function parent(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

/** Runs of both in turn. */
async function compare(other: Command, own: readonly string[], lab: LeanLab): Promise<void> {
  const [name] = other;
  const times: [number, number][] = [];
  let asked: [number, number] = [0, 0];
  for (let count = 0; count <= RUNS; count += 1) {
    const theirs = timed(other);
    if (theirs === undefined) return say(name, 'not installed, or it fails');
    const seen = await lab.seen();
    const ours = timed(own) ?? Number.NaN;
    asked = [seen.asked, (await lab.seen()).asked];
    if (count > 0) times.push([ours, theirs]);
  }
  const ratio = quantile(
    times.map(([ours, theirs]) => ours / theirs),
    0.5,
  );
  const median = (at: 0 | 1) =>
    shown(
      quantile(
        times.map((pair) => pair[at]),
        0.5,
      ),
    );
  say(
    `svc over ${name}`,
    `${ratio.toPrecision(2)} times (${median(0)}, ${asked[1]} queries; ${median(1)}, ${asked[0]} queries)`,
  );
}

function timed([command = '', ...args]: readonly string[]): number | undefined {
  const begin = performance.now();
  const { status } = spawnSync(command, args, { stdio: 'ignore', timeout: TIMEOUT_MS });
  return status === 0 || status === 1 ? performance.now() - begin : undefined;
}
