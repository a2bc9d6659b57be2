/* Runs the examples of svc-wait(1) as they stand, while BIND takes dynamic updates. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { startHierarchy } from './hierarchy.ts';
import { placeFor } from './setting.ts';
import { address, type Zone, zone } from './world/zone.ts';

const SVC = fileURLToPath(new URL('../../bin/svc.js', import.meta.url));
const PAGE = readFileSync(new URL('../../man/svc-wait.1', import.meta.url), 'utf8');

const KEY = 'key "acme" { algorithm hmac-sha256; secret "YSBzZWNyZXQgb2YgdGhlc2UgdGVzdHMgYWxvbmU="; };\n';
const [ROOT, OLD, NEW] = [address.rootBind, address.bind, address.exampleBind];

const root = zone(
  '.',
  `@ NS a.root.
   a.root. A ${ROOT}
   example.com. 4 NS ns1.example.com.
   ns1.example.com. A ${OLD}
   ns2.example.com. A ${NEW}`,
);

/** The zone as one of its servers has it: on its own, with the address of www. */
const exampleOn = (server: string, www: string) =>
  zone(
    'example.com.',
    `@ 3 NS ${server}
     ns1 A ${OLD}
     ns2 A ${NEW}
     www 2 A ${www}
     old A 192.0.2.7
     _acme-challenge TXT "of another hook"`,
  );

t.test('the examples of svc-wait(1)', { timeout: 300_000 }, async (t) => {
  const { directory, cleanup } = await placeFor(t);
  const key = { name: 'acme', file: join(directory, 'acme.key') };
  writeFileSync(key.file, KEY);
  const server = (address: string, served: Zone) =>
    ({ software: 'bind', address, zones: [{ ...served, updateKey: key }] }) as const;
  const nameServers = [
    server(ROOT, root),
    server(OLD, exampleOn('ns1', '192.0.2.80')),
    server(NEW, exampleOn('ns2', '192.0.2.82')),
  ];
  const hints = await startHierarchy(
    { nameServers, rootHints: `. 3600000 NS a.root.\na.root. 3600000 A ${ROOT}\n` },
    directory,
    cleanup,
  );
  const bin = join(directory, 'bin');
  await mkdir(bin);
  const program = (name: string, script: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  const here = `-4 --root-hints ${hints} --allow-special-targets --timeout 5s`;
  program('svc', `exec ${process.execPath} ${SVC} "$@" ${here}`);
  program('ssh', `echo "$@" >${join(directory, 'ssh')}`);

  /** Runs a script; `whenWaiting`: once it is waiting. */
  const run = async (script: string, whenWaiting = async () => {}) => {
    const env = {
      PATH: `${bin}:${process.env.PATH}`,
      TZ: 'UTC',
      CERTBOT_DOMAIN: 'example.com',
      CERTBOT_VALIDATION: 'a-token',
    };
    const child = spawn('/bin/sh', ['-c', script], {
      env,
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let [stderr, changed] = ['', Promise.resolve()];
    let isWaiting = false;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (isWaiting || !stderr.includes('; waiting for up to ')) return;
      isWaiting = true;
      changed = whenWaiting();
    });
    const [status] = await once(child, 'close');
    await changed;
    return { status, stderr };
  };
  const update = async (server: string, ...changes: readonly string[]) => {
    const lines = [`server ${server}`, ...changes, 'send'].join('\n');
    const ran = await run(`nsupdate -k ${key.file} <<END\n${lines}\nEND`);
    if (ran.status !== 0) throw new Error(ran.stderr);
  };

  await t.test('an ACME hook', async (t) => {
    const hook = exampleAt('#!/bin/sh');
    const ran = await run(hook.replace('/etc/acme.key', key.file).replace('ns1.example.com', OLD));
    t.equal(ran.status, 0, ran.stderr);
    t.match(ran.stderr, /_acme-challenge\.example\.com TXT: first tries end in 100 % .*a-token/);
    const never = await run('svc wait _acme-challenge.example.com TXT --expect +another-token --for 10ms');
    t.equal(never.status, 1, never.stderr);
  });

  await t.test('Terraform', async (t) => {
    const [, command = ''] = /command = "(svc wait .*)"/.exec(PAGE) ?? [];
    const ran = await run(command, () =>
      update(OLD, 'update delete www.example.com. A', 'update add www.example.com. 2 A 192.0.2.81'),
    );
    t.equal(ran.status, 0, ran.stderr);
    t.match(
      ran.stderr,
      /all users get 192\.0\.2\.80, which is not expected.*\nsvc: .* all users get the answer/,
    );
  });

  await t.test('GitHub Actions', async (t) => {
    const [, command = ''] = /^ {2}run: (svc wait .*)$/m.exec(PAGE) ?? [];
    const ran = await run(command, () => update(OLD, 'update delete old.example.com.'));
    t.equal(ran.status, 0, ran.stderr);
    const { views } = JSON.parse(readFileSync(join(directory, 'last.json'), 'utf8'));
    t.match(views['first-tries'].outcomes, [{ kind: 'nxdomain', fraction: '1' }]);
  });

  await t.test('a move to other name servers, until no resolver can hold an old copy', async (t) => {
    const [, command = ''] = /^\$ (svc wait .*--caches[\s\S]*?)(?=\n\.Ed)/m.exec(PAGE) ?? [];
    const began = new Date().toISOString();
    const ran = await run(command.replace(/\n> /g, '\n'), () =>
      update(ROOT, 'update delete example.com. NS', 'update add example.com. 4 NS ns2.example.com.'),
    );
    const endedAt = Date.now();
    t.equal(ran.status, 0, ran.stderr);
    const held = /hold old copies until (?:(\S+) )?(\S+) UTC \(TTL: (.*)\)$/m.exec(ran.stderr);
    t.equal(
      held?.[3],
      "4 seconds for the NS records of example.com at its parent, 3 seconds for example.com's own NS records and 2 seconds for www.example.com A",
      ran.stderr,
    );
    const day = held?.[1] ?? began.slice(0, 10);
    t.ok(endedAt >= Date.parse(`${day}T${held?.[2]}Z`), 'it does not end before');
    t.ok(existsSync(join(directory, 'ssh')), 'then the old server is switched off');
  });
});

/** An example of the page that begins so. */
function exampleAt(begin: string): string {
  const from = PAGE.indexOf(`\n${begin}`) + 1;
  return PAGE.slice(from, PAGE.indexOf('\n.Ed', from) + 1);
}
