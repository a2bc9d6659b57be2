import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { SUBCOMMANDS } from '../../src/cli/program.ts';
import { parseType, USUAL_TYPES } from '../../src/dns/codes.ts';
import { showcases } from '../../src/lab/showcases.ts';
import { formatsIn } from '../../src/report/formats.ts';
import { inside } from './inside.ts';

const run = promisify(execFile);
const PROGRAM = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));

/** What is typed, the last word being the one to complete, and what is offered. */
const ROWS: readonly (readonly [typed: readonly string[], offered: readonly string[]])[] = [
  [[''], [...SUBCOMMANDS.map(({ name }) => name), 'help']],
  [['tr'], ['traverse']],
  [['traverse', '--format', ''], formatsIn('traverse')],
  [['watch', '--format', ''], formatsIn('watch')],
  [['traverse', '--repl'], ['--replay']],
  [['watch', '--ev'], ['--every']],
  [
    ['wait', '--ev'],
    ['--every-server', '--every'],
  ],
  [['wait', '--format', ''], formatsIn('wait')],
  [['when', '--expl'], ['--explain']],
  [['when', '--format', ''], formatsIn('when')],
  [['traverse', ''], []],
  [['traverse', '--timeout', '2s', 'www.example.com', 'ND'], []],
  [
    ['traverse', '--timeout', '2s', 'www.example.com', 'S'],
    ['SOA', 'SRV', 'SSHFP', 'SVCB'],
  ],
  [['traverse', '-4', 'www.example.com', ''], USUAL_TYPES],
  [['traverse', '-t', ''], USUAL_TYPES],
  [
    ['watch', '--type', 'S'],
    ['SOA', 'SRV', 'SSHFP', 'SVCB'],
  ],
  [['servers', '--demo', ''], showcases.map(({ name }) => name)],
  [['watch', '--demo', 'www.left'], ['www.left.example']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [
    ['help', 'serv'],
    ['servers', 'serve'],
  ],
  [
    ['serve', '--max-q'],
    ['--max-queue', '--max-queue-per-client', '--max-queries'],
  ],
];

/** What is typed before the name of a file. */
const FILES: readonly (readonly string[])[] = [
  ['traverse', '-f'],
  ['watch', '--keep'],
  ['when', '--since'],
  ['serve', '--state'],
  ['diff'],
  ['diff', 'a.json'],
];

/** Rows that each shell is tried with: one of each kind of candidate. */
const IN_SHELLS = ROWS.filter(
  ([typed]) =>
    typed.length === 1 ||
    ['traverse --format ', 'serve --max-q', 'servers --demo ', 'traverse '].includes(typed.join(' ')),
);

/** bash splits words at "="; to zsh and fish they are whole. */
const EQUALS: typeof ROWS = [
  [
    ['traverse', '--fail-on', '=', ''],
    ['critical', 'error', 'warning', 'notice'],
  ],
  [
    ['traverse', '--format', '=', 'js'],
    ['json', 'jsonl'],
  ],
  [
    ['traverse', '--format=js'],
    ['--format=json', '--format=jsonl'],
  ],
  [['traverse', '--format=json', 'www.example.com', 'ND'], []],
  [['traverse', '--format', '=', 'json', 'www.example.com', 'SO'], ['SOA']],
];

t.test('svc completion', async (t) => {
  for (const type of USUAL_TYPES) t.equal(parseType(type), type);
  const wrong = await inside(['completion', 'csh']);
  t.equal(wrong.status, 2);
  t.match(wrong.stderr, /^svc: SHELL csh: must be one of bash, zsh, fish\n$/);
  t.equal((await inside(['completion'])).status, 2);
});

t.test('what svc __complete offers', async (t) => {
  for (const [typed, offered] of [...ROWS, ...EQUALS]) {
    const { status, stdout } = await inside(['__complete', ...typed]);
    t.equal(status, 0);
    const words = stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);
    t.same([...words].sort(), [...new Set(offered)].sort(), typed.join(' '));
  }
  for (const words of FILES) {
    const { stdout } = await inside(['__complete', ...words, 'a-fi']);
    t.equal(stdout, ':file\n', `${words.join(' ')}: files`);
  }
  const { stdout } = await inside(['__complete', 'watch', '--ev']);
  t.match(stdout, /^--every\ttraverse again and again/);
});

t.test('in zsh it needs no compinit', { skip: isMissing('zsh') && 'no zsh here' }, async (t) => {
  const HOME = t.testdir({});
  const script = join(HOME, 'svc-completion');
  const { stdout: written } = await inside(['completion', 'zsh']);
  writeFileSync(script, written);
  const { stdout, stderr } = await run('zsh', ['-f', '-c', `source ${script} && print $_comps[svc]`], {
    env: { HOME },
  });
  t.same([stdout, stderr], ['_svc\n', '']);
});

for (const [shell, complete] of Object.entries({ bash: inBash, zsh: inZsh, fish: inFish })) {
  t.test(shell, { skip: isMissing(shell) && `no ${shell} here` }, async (t) => {
    const { status, stdout } = await inside(['completion', shell]);
    t.equal(status, 0);
    const folder = t.testdir({
      'a-file.txt': '',
      svc: `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`,
    });
    chmodSync(join(folder, 'svc'), 0o755);
    const script = join(folder, 'svc-completion');
    writeFileSync(script, stdout);
    const answers = await complete(script, [
      ...IN_SHELLS.map(([typed]) => typed),
      ['traverse', '-f', join(folder, 'a-fi')],
    ]);
    IN_SHELLS.forEach(([typed, offered], at) => {
      t.same([...(answers[at] ?? [])].sort(), [...new Set(offered)].sort(), typed.join(' '));
    });
    t.match(answers[IN_SHELLS.length], [/a-file\.txt$/], 'files');
  });
}

/** Where the shells find svc. */
function pathTo(script: string): string {
  return `${dirname(script)}:${process.env.PATH ?? ''}`;
}

function isMissing(shell: string): boolean {
  return spawnSync(shell, ['-c', 'true']).error !== undefined;
}

type Complete = (
  script: string,
  typed: readonly (readonly string[])[],
) => Promise<readonly (readonly string[])[]>;

async function inBash(script: string, typed: Parameters<Complete>[1]): ReturnType<Complete> {
  // compopt works only within a completion of readline's.
  const lines = typed.map((words) => `try svc ${words.map(quoted).join(' ')}`);
  const program = `
    source ${quoted(script)}
    compopt() { :; }
    try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _svc; echo "\${COMPREPLY[*]}"; }
    ${lines.join('\n')}`;
  const { stdout } = await run('bash', ['--norc', '-c', program], { env: { PATH: pathTo(script) } });
  return stdout.split('\n').slice(0, -1).map(wordsOf);
}

/** In a pseudo-terminal, with what the completion adds written down in place of being shown. */
async function inZsh(script: string, typed: Parameters<Complete>[1]): ReturnType<Complete> {
  const log = `${script}.log`;
  const lines = typed.map((words) => `try ${quoted(['svc', ...words].join(' '))}`);
  const program = `
    zmodload zsh/zpty
    zpty shell zsh -f -i
    await() { local out buffer; until [[ $out == *"$1"* ]]; do zpty -r shell buffer || return; out+=$buffer; done }
    zpty -w shell 'PS1=; stty -echo; autoload -Uz compinit; compinit -u -D; source ${script}'
    zpty -w shell 'compadd() {
      builtin compadd "$@"; local result=$?
      if (( ! \${@[(I)-[OAD]]} )); then local -a found; builtin compadd -O found "$@"; print -rl -- $found >> ${log}; fi
      return $result
    }'
    zpty -w shell 'written() { print "== end" >> ${log}; zle kill-whole-line; print DO""NE }'
    zpty -w shell 'zle -N written; bindkey "^T" written; setopt no_beep no_list_beep; LISTMAX=0; print REA""DY'
    await READY
    try() { zpty -w -n shell "$1"$'\\t\\x14'; await DONE }
    ${lines.join('\n')}`;
  await run('zsh', ['-f', '-c', program], { timeout: 60_000, env: { PATH: pathTo(script) } });
  const { stdout } = await run('cat', [log]);
  return stdout
    .split('== end\n')
    .slice(0, -1)
    .map((part) => [...new Set(wordsOf(part))]);
}

async function inFish(script: string, typed: Parameters<Complete>[1]): ReturnType<Complete> {
  const lines = typed.map((words) => `complete -C ${quoted(['svc', ...words].join(' '))}; echo '== end'`);
  const home = { HOME: dirname(script), PATH: pathTo(script) };
  const program = `source ${quoted(script)}\n${lines.join('\n')}`;
  const { stdout } = await run('fish', ['--no-config', '-c', program], { env: home });
  const parts = stdout.split('== end\n').slice(0, -1);
  return parts.map((part) => part.split('\n').flatMap((line) => line.split('\t')[0] || []));
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter(Boolean);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
