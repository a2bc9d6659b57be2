// Runs measurements, each file in a process of its own: `node test/bench/run.js FILE... [-- ARGUMENT...]`, the files in
// this folder and without an ending. They get the arguments, as in `npm run soak -- 400`. They are TypeScript, so they
// run through the same loader as the tests.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const loader = import.meta.resolve('@tapjs/typescript/import');

const args = process.argv.slice(2);
const end = args.indexOf('--');
const names = end === -1 ? args : args.slice(0, end);
const rest = end === -1 ? [] : args.slice(end + 1);

for (const name of names) {
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const { status } = spawnSync(process.execPath, [`--import=${loader}`, file, ...rest], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
