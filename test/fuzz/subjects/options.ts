import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import fc from 'fast-check';
import { processIo } from '../../../src/cli/process/io.ts';
import { wholeProgram } from '../../../src/cli/program.ts';
import { inside } from '../../cli/inside.ts';
import { must, mustBePrintable, subject } from '../subject.ts';

const { commands } = await wholeProgram(processIo);

const home = process.cwd();
let scratch: string | undefined;

const ODD = [
  ...[
    '',
    ' ',
    '-',
    '--',
    '-1',
    '0',
    '1',
    '99999999999999999999',
    '1e3',
    '0x10',
    'NaN',
    '١',
    '1s',
    '10ms',
    '-1s',
    '1h1h',
  ],
  ...[
    '.',
    '..',
    'a..b',
    'www.shop.example',
    'www.mixed.example.',
    'x'.repeat(64),
    'a.'.repeat(200),
    '\\',
    '\\256',
    '\\000',
  ],
  ...[
    'é',
    'xn--a',
    '\u202e',
    '\u001b[31m',
    '\n',
    '\ud800',
    '192.0.2.1',
    '::1',
    '::1%lo',
    '1.2.3',
    '192.0.2.0/24',
    'none',
  ],
  ...[
    'A',
    'a',
    'TYPE65535',
    'TYPE65536',
    'AXFR',
    'IN',
    '+short',
    '+trace',
    '+constructor',
    '+bufsize=',
    '@127.0.0.1#1',
    'http://[',
    'ftp://x',
    'http://127.0.0.1:1',
  ],
  ...['127.0.0.1:0', '127.0.0.1', ':0', '[::1]:99999', 'json', 'nothing', '__proto__', 'constructor'],
];

/** Nothing that could be written over. */
const FILES = ['/dev/null', '/', '/nonexistent/x', '/nonexistent/\u001b[31m', '-'];

/** A command line is refused with a reason, or does what it says; what it says is safe to print. */
export const options = subject(
  'options',
  200,
  commandLines(commands),
  async (args) => {
    scratch ??= mkdtempSync(join(tmpdir(), 'fuzz-'));
    // Some write a file, or take an option for its name.
    process.chdir(scratch);
    const isLong = args[0] === 'serve' || args[0] === 'wait';
    const onStderr = (_: string, interrupt: () => void) => isLong && interrupt();
    const { status, stdout, stderr } = await inside(args, { onStderr });
    process.chdir(home);
    must(!stderr.includes('bug in svc'), `ended with ${status} and ${stderr}`);
    must(STATUSES.includes(status ?? -1), `ended with ${status} and ${stderr}`);
    const isRefused = status === 2;
    must(!isRefused || (/^svc: .+\n/.test(stderr) && stdout === ''), `refused with ${stderr}`);
    for (const text of [stdout, stderr]) mustBePrintable(text);
  },
  async () => {
    if (scratch !== undefined) rmSync(scratch, { recursive: true });
  },
);

const STATUSES: readonly number[] = [0, 1, 2, 3, 130];

/** Command lines of these commands; those that would ask servers ask those of the demo. */
function commandLines(commands: readonly Command[]): fc.Arbitrary<readonly string[]> {
  return fc.constantFrom(...commands).chain((command) => {
    const option = fc
      .constantFrom(...command.createHelp().visibleOptions(command))
      .chain((option) => fc.tuple(fc.constantFrom(...spellingsOf(option)), valueFor(option)))
      .chain(([spelling, value]) => {
        if (value === undefined) return fc.constantFrom([spelling], [`${spelling}=x`]);
        return fc.constantFrom([spelling, value], [spelling, value], [`${spelling}=${value}`], [spelling]);
      });
    const word = fc.constantFrom(...ODD).map((text) => [text]);
    const name = fc.constantFrom('www.shop.example', 'www.mixed.example').map((text) => [text]);
    return fc
      .array(fc.oneof({ weight: 6, arbitrary: option }, { weight: 2, arbitrary: name }, word), {
        maxLength: 5,
      })
      .map((parts) => [command.name(), ...own(command.name()), ...parts.flat()]);
  });
}

/** What keeps a command from waiting for long, and from asking anybody. */
function own(command: string): readonly string[] {
  if (command === 'serve') return ['--demo', '--grace', '0s', '--listen', '127.0.0.1:0'];
  return ['traverse', 'servers', 'watch', 'wait'].includes(command) ? ['--demo', '--max-time', '300ms'] : [];
}

function spellingsOf({ short, long }: Option): readonly string[] {
  return [short, long].filter((spelling) => spelling !== undefined);
}

/** Mostly one that fits; undefined where there is none. */
function valueFor({ flags, argChoices, required }: Option): fc.Arbitrary<string | undefined> {
  if (argChoices !== undefined) return fc.constantFrom(...argChoices, ...ODD);
  if (!required) return fc.constant(undefined);
  return /<(file|folder)>$/.test(flags) ? fc.constantFrom(...FILES) : fc.constantFrom(...ODD);
}
