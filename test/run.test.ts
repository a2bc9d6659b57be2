import { spawnSync } from 'node:child_process';
import t from 'tap';

const FILE = 'test/base/base.test.ts';

t.test('the runner runs the subtests whose names match a pattern', async (t) => {
  const rows: readonly (readonly [pattern: string, status: number, says: RegExp])[] = [
    ['a folder is made', 0, /^[1-9]\d* passed, 0 failed$/m],
    ['/A FOLDER is made/i', 0, /^[1-9]\d* passed, 0 failed$/m],
    ['two words', 1, /^no subtest matches two words$/m],
  ];
  for (const [pattern, status, says] of rows) {
    const ran = spawnSync(process.execPath, ['test/run.js', '-g', pattern, FILE], { encoding: 'utf8' });
    t.equal(ran.status, status, pattern);
    t.match(ran.stdout, says);
  }
});
