import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { inside } from './inside.ts';

const ONE = 'one line';
const INDENTED = 'indented';

t.test('JSON is one line, and indented on a terminal or where that is asked for', async (t) => {
  const file = join(t.testdir(), 'saved.json');
  await inside(['traverse', 'www.shop.example', '--demo', '-q', '--save', file]);
  const replay = `traverse --replay ${file} --json`;
  const rows = [
    [replay, 'pipe', ONE],
    [replay, 'terminal', INDENTED],
    [`${replay} --pretty`, 'pipe', INDENTED],
    ['servers www.shop.example --demo --json', 'pipe', ONE],
    ['servers www.shop.example --demo --json', 'terminal', INDENTED],
    ['servers www.shop.example --demo --json --pretty', 'pipe', INDENTED],
  ] as const;
  for (const [command, to, expected] of rows) {
    const { stdout } = await inside(command.split(' '), to === 'pipe' ? {} : { terminals: ['stdout'] });
    t.equal(lookOf(stdout), expected, `${command.replace(file, 'FILE')} to a ${to}`);
  }
});

t.test('a file has one line, whatever shows the result, unless it is to be pretty', async (t) => {
  const file = join(t.testdir(), 'saved.json');
  const rows = [
    ['', ONE],
    ['--json', ONE],
    ['--pretty', INDENTED],
    ['--json --pretty', INDENTED],
  ] as const;
  for (const [flags, expected] of rows) {
    const words = [
      'traverse',
      'www.shop.example',
      '--demo',
      '--save',
      file,
      ...flags.split(' ').filter(Boolean),
    ];
    await inside(words, { terminals: ['stdout'] });
    t.equal(lookOf(readFileSync(file, 'utf8')), expected, `with ${flags || 'nothing else'}`);
  }
});

function lookOf(text: string): string {
  const value: unknown = JSON.parse(text);
  if (text === `${JSON.stringify(value)}\n`) return ONE;
  return text === `${JSON.stringify(value, undefined, 2)}\n` ? INDENTED : 'neither';
}
