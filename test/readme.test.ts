import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import ts from 'typescript';
import { inside } from './cli/inside.ts';
import { ROOT } from './sources.ts';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

t.test('the picture in README is what the program draws', async (t) => {
  const [, name = '', drawn = ''] =
    /^\$ svc traverse (\S+) --demo --format mermaid\n```\n\n```mermaid\n(.*?)^```$/ms.exec(README) ?? [];
  const { stdout } = await inside(['traverse', name, '--demo', '--format', 'mermaid']);
  t.equal(drawn, stdout);
  t.ok(drawn.includes('flowchart'));
});

t.test('the example of the library', async (t) => {
  const [, example = '', output] = /```js\n(.*?)```.*?```console\n(.*?)```/s.exec(README) ?? [];
  // Inside the package, so that it finds it by name.
  const dir = t.testdir();

  await t.test('does what README says', async (t) => {
    const file = join(dir, 'example.mjs');
    writeFileSync(file, example);
    const ran = spawnSync(process.execPath, [file], { encoding: 'utf8', env: {} });
    t.equal(ran.stdout, output);
    t.match(ran.stderr, /^started\nexchange\n[\s\S]*complete\n$/);
  });

  await t.test('compiles as TypeScript', async (t) => {
    const file = join(dir, 'example.mts');
    writeFileSync(file, example);
    const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
    const found = ts.getPreEmitDiagnostics(ts.createProgram([file], { ...options, noEmit: true }));
    t.same(
      found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
      [],
    );
  });
});
