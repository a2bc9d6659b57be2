// Runs measurements, each file in a process of its own: `node test/bench/run.js FILE...`, in this folder
// and without an ending. They are TypeScript, so they run through the same loader as the tests.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const loader = import.meta.resolve('@tapjs/typescript/import');

for (const name of process.argv.slice(2)) {
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const { status } = spawnSync(process.execPath, [`--import=${loader}`, file], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
