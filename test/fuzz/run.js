// Runs the fuzzer through the same loader as the tests, without the types' being checked again.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const loader = import.meta.resolve('@tapjs/typescript/import');
const file = fileURLToPath(new URL('fuzz.ts', import.meta.url));
const { status } = spawnSync(process.execPath, [`--import=${loader}`, file, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, TS_NODE_TRANSPILE_ONLY: 'true' },
});
process.exitCode = status ?? 1;
