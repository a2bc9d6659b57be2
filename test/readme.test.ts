import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import t from 'tap';
import ts from 'typescript';
import { inside } from './cli/inside.ts';
import { ended } from './cli/svc.ts';
import { ROOT } from './sources.ts';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** A command that README shows with what it prints. */
interface Shown {
  readonly command: string;
  readonly output: string;
}

/** The commands in a block, lines that continue one included; a block may begin with output alone. */
function shownIn(block: string): Shown[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [, command = '', output = ''] = /^(.*(?:\n> .*)*)\n([\s\S]*)$/.exec(text) ?? [];
      return { command: command.replaceAll('\n> ', '\n'), output };
    });
}

const SHOWN = [...README.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, block = '']) => shownIn(block));

/** Times differ from run to run, and with them the widths of columns and the order of events. */
const comparable = (text: string) =>
  text
    .replace(/\b[\d.]+(?:-[\d.]+)? (?:ms|s)\b/g, 'TIME')
    .replace(/ +/g, ' ')
    .trim();

const without = (lines: readonly string[], others: readonly string[]) =>
  lines.filter((line) => !others.includes(line));

const hasTools = ['jq', 'sed'].every((tool) => spawnSync(tool, ['--version']).error === undefined);

t.test('commands print what README shows', { skip: !hasTools && 'no jq or sed here' }, async (t) => {
  const dir = t.testdir();
  mkdirSync(join(dir, 'bin'));
  symlinkSync(join(ROOT, 'bin', 'svc.js'), join(dir, 'bin', 'svc'));
  const names = SHOWN.find(({ command }) => command === 'cat names.txt')?.output ?? '';
  writeFileSync(join(dir, 'names.txt'), names);
  const env = { PATH: [join(dir, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter) };
  const shown = SHOWN.filter(
    ({ command, output }) => /^svc (?:traverse|servers).* --demo/s.test(command) && output !== '',
  );
  for (const { command, output } of shown) {
    const { stdout } = await ended(spawn('sh', ['-c', command], { cwd: dir, env }));
    const [printed, expected] = [comparable(stdout).split('\n'), comparable(output).split('\n')];
    // Dots stand for lines left out.
    if (expected.includes('...')) t.same(without(expected, [...printed, '...']), [], command);
    else if (command.includes('jsonl')) t.same(printed.sort(), expected.sort(), command);
    else t.same(printed, expected, command);
  }
  t.ok(shown.length > 4, 'commands were found');
});

t.test('the first example prints what README shows', async (t) => {
  const [, command = '', output = ''] =
    /^\$ npm ci && npm run build && npx svc ([^\n]*)\n```\n\n```console\n(.*?)^```$/ms.exec(README) ?? [];
  const { stdout } = await inside(command.split(' '));
  t.equal(comparable(stdout), comparable(output));
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
