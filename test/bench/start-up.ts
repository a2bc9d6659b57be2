/** What starting `svc` costs over starting Node: runs of both in turn. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { quantile, say, shown } from './figures.ts';

const SVC = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));
const RUNS = 25;

const rows = Array.from({ length: RUNS }, () => ({
  node: run(['-e', '0']),
  version: run([SVC, '--version']),
  help: run([SVC, 'help']),
}));
const [node, version, help] = [median('node'), median('version'), median('help')];
const over = (ms: number) => `${shown(ms)} (${(ms / node).toFixed(2)} times, ${shown(ms - node)} more)`;
say('start-up', `node -e 0 ${shown(node)}; svc --version ${over(version)}; svc help ${over(help)}`);

function run(args: readonly string[]): number {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return performance.now() - start;
}

function median(of: 'node' | 'version' | 'help'): number {
  return quantile(
    rows.map((row) => row[of]),
    0.5,
  );
}
