// Runs measurements, each file in a process of its own: `node test/bench/run.js FILE...`, in this folder
// and without an ending. Numbers are passed on to them, as in `npm run soak -- 400`. They are TypeScript, so
// they run through the same loader as the tests.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const loader = import.meta.resolve('@tapjs/typescript/import');

const args = process.argv.slice(2);
const numbers = args.filter((arg) => /^\d+$/.test(arg));

for (const name of args.filter((arg) => !numbers.includes(arg))) {
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const { status } = spawnSync(process.execPath, [`--import=${loader}`, file, ...numbers], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
