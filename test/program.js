// Runs programs of `test` that are no tests, one after the other: `node test/program.js FILE... [-- ARGUMENT...]`, files of
// `test` without their endings. They get the arguments, as in `npm run soak -- 400`.
import { spawnSync } from 'node:child_process';
import { compileChanges, compiled } from './compile.js';

const args = process.argv.slice(2);
const end = args.indexOf('--');
const files = end === -1 ? args : args.slice(0, end);
const rest = end === -1 ? [] : args.slice(end + 1);

compileChanges();
for (const file of files) {
  const program = ['--enable-source-maps', compiled(`test/${file}.ts`), ...rest];
  const { status } = spawnSync(process.execPath, program, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
