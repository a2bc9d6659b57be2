import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { makeFolder } from '../src/make-folder.ts';

t.test('a folder is made with all that lead to it', async (t) => {
  const dir = t.testdir({});
  const path = join(dir, 'a', 'b', 'c');
  await makeFolder(path, 0o700);
  t.equal(statSync(path).mode & 0o777, 0o700);
  t.equal(statSync(join(dir, 'a')).mode & 0o777, 0o700);
  await makeFolder(path, 0o700);
  await Promise.all([0, 1, 2].map(async () => await makeFolder(join(dir, 'at', 'once'), 0o700)));
  t.ok(statSync(join(dir, 'at', 'once')).isDirectory());
});

t.test('one that is reached by a link is there', async (t) => {
  const dir = t.testdir({});
  mkdirSync(join(dir, 'there'));
  symlinkSync('there', join(dir, 'link'));
  await makeFolder(join(dir, 'link'), 0o700);
  await makeFolder(join(dir, 'link', 'below'), 0o700);
  t.ok(statSync(join(dir, 'there', 'below')).isDirectory());
});

t.test('what cannot be one rejects with the error of the system, and ends', async (t) => {
  const dir = t.testdir({});
  writeFileSync(join(dir, 'file'), '');
  symlinkSync('nowhere', join(dir, 'dangling'));
  await t.rejects(makeFolder(join(dir, 'file'), 0o700), { code: 'EEXIST' });
  await t.rejects(makeFolder(join(dir, 'file', 'below'), 0o700), { code: 'ENOTDIR' });
  await t.rejects(makeFolder(join(dir, 'dangling', 'below'), 0o700), Error);
  // A folder that takes none, where mkdir says that there is nothing.
  await t.rejects(makeFolder('/proc/svc/jobs', 0o700), Error);
});
