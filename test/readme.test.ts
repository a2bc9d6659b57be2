import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import ts from 'typescript';
import { inside } from './cli/inside.ts';
import { ROOT } from './sources.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const README = read('README.md');

t.test('the picture in README is what the program draws', async (t) => {
  const [, name = '', drawn = ''] =
    /^\$ svc traverse (\S+) --demo --format mermaid\n```\n\n```mermaid\n(.*?)^```$/ms.exec(README) ?? [];
  const { stdout } = await inside(['traverse', name, '--demo', '--format', 'mermaid']);
  t.equal(drawn, stdout);
  t.ok(drawn.includes('flowchart'));
});

t.test('the example of the library', async (t) => {
  const [, example = '', output] = /```js\n(.*?)```.*?```console\n(.*?)```/s.exec(README) ?? [];

  await t.test('does what README says', async (t) => {
    // Inside the package, so that it finds it by name.
    const file = join(t.testdir(), 'example.mjs');
    writeFileSync(file, example);
    const ran = spawnSync(process.execPath, [file], { encoding: 'utf8', env: {} });
    t.equal(ran.stdout, output);
    t.match(ran.stderr, /^started\nexchange\n[\s\S]*complete\n$/);
  });

  await t.test('compiles as TypeScript, as does that of the module', async (t) => {
    const [, comment = ''] = /```ts\n(.*?) \* ```/s.exec(read('src/index.ts')) ?? [];
    t.match(comment, 'traverse(');
    t.same(complaints(t.testdir(), { readme: example, module: comment.replace(/^ \* ?/gm, '') }), []);
  });
});

/** What the compiler has against these texts, if they are modules that use the package. */
function complaints(dir: string, modules: Readonly<Record<string, string>>): readonly string[] {
  const files = Object.entries(modules).map(([name, text]) => {
    const file = join(dir, `${name}.mts`);
    writeFileSync(file, text);
    return file;
  });
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  return ts
    .getPreEmitDiagnostics(ts.createProgram(files, { ...options, noEmit: true }))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
