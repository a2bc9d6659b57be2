/**
 * Hole: 16 MiB of records that are as small as can be, or that unfold to long names, each an object once
 * it is read. They are beside the answer, or the answer, the same of all servers or other addresses of each, or
 * addresses of name servers that had to be looked up.
 * Memory must stay within four times what was heard and 100 MB, beyond what the idle program takes, results
 * included: in the service with one such job and with four, and on the command line.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say, shown, size } from '../bench/figures.ts';
import { besiege } from './besieged.ts';
import {
  type HostileServers,
  hostileAddress,
  record,
  type Said,
  type Says,
  startHostileServers,
  tinyRecords,
} from './hostile-servers.ts';
import { judge, memoryOf, runMeasured } from './measured.ts';

const SERVERS = 250;
/** The hostile servers share the machine, and are slower than what they besiege. */
const FLAGS = ['--rate-prefix', '0', '--timeout', '20s'];
const QUIET = { stdout: 'ignore' } as const;
/** Octets beyond four times what was heard. */
const ALLOWED = 100_000_000;
const BLOCKS = { tiny: 80, answers: 82, names: 84, different: 86, lookedUp: 88 };

const WORLDS: readonly (readonly [what: string, block: number, says: Says])[] = [
  ['tiny records', BLOCKS.tiny, tinyRecords(BLOCKS.tiny, SERVERS)],
  ['tiny answers', BLOCKS.answers, answers(BLOCKS.answers, tinyAnswer())],
  ['different answers', BLOCKS.different, answers(BLOCKS.different, differentAnswer)],
  ['long names', BLOCKS.names, answers(BLOCKS.names, longNames())],
  ['servers looked up', BLOCKS.lookedUp, withoutGlue(answers(BLOCKS.lookedUp, addressesOnLoopback))],
];

const only = process.argv[2];
for (const [what, block, says] of WORLDS.filter(([what]) => only === undefined || what === only)) {
  const servers = await startHostileServers(block, SERVERS, says);
  await onTheCommandLine(what, servers);
  await inTheService(what, servers, 1);
  await inTheService(what, servers, 4);
  await servers.close();
}
process.exit();

/** The first server refers to all the others, which say the same to everything. */
function answers(block: number, said: (name: string, address: string) => Said): Says {
  const servers = Array.from({ length: SERVERS - 1 }, (_, at) => [`n${at}.big.`, at + 2] as const);
  return ({ name, type }, address) => {
    if (address !== hostileAddress(block, 1)) return type === 'A' ? said(name, address) : {};
    if (!name.endsWith('big.')) return { rcode: 'REFUSED' };
    return {
      authority: servers.map(([server]) => record('big.', 'NS', server)),
      additional: servers.map(([server, number]) => record(server, 'A', hostileAddress(block, number))),
    };
  };
}

function tinyAnswer(): (name: string) => Said {
  const data = Array.from({ length: 4_090 }, (_, at) => `203.0.${at >> 8}.${at & 255}`);
  return (name) => ({ answer: data.map((address) => record(name, 'A', address)) });
}

/** No two servers answer with the same address. */
function differentAnswer(name: string, address: string): Said {
  const own = `198.${address.split('.').at(-1)}`;
  const data = Array.from({ length: 4_090 }, (_, at) => `${own}.${at >> 8}.${at & 255}`);
  return { answer: data.map((address) => record(name, 'A', address)) };
}

/** The name servers of a further zone have to be looked up: they have the addresses that all others answer with. */
function withoutGlue(says: Says): Says {
  const servers = Array.from({ length: 8 }, (_, at) => record('glueless.', 'NS', `s${at}.big.`));
  return (question, address) =>
    question.name.endsWith('glueless.') ? { authority: servers } : says(question, address);
}

/** As above, of addresses that are no further away than the servers. Nothing is there. */
function addressesOnLoopback(name: string, address: string): Said {
  const own = `127.${address.split('.').at(-1)}`;
  const data = Array.from({ length: 4_090 }, (_, at) => `${own}.${at >> 8}.${at & 255}`);
  return { answer: data.map((one) => record(name, 'A', one)) };
}

/** Owners of a message may unfold to 65,536 octets and sixteen times its length; each of these octets is five in JSON. */
function longNames(): (name: string) => Said {
  const label = `${'\\001'.repeat(60)}.`;
  const owner = label.repeat(4);
  const filler = Array.from({ length: 4_000 }, () => record(owner, 'A', '192.0.2.1'));
  return () => ({ additional: filler });
}

async function onTheCommandLine(what: string, servers: HostileServers): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'siege-'));
  writeFileSync(join(folder, 'hints'), servers.hints);
  const saved = join(folder, 'saved.json');
  const flags = [
    ...['--root-hints', join(folder, 'hints'), '--port', `${servers.port}`, '-4'],
    ...['--allow-special-targets', '--rate', '0', ...FLAGS],
  ];
  const { peak: idle } = await runMeasured(
    ['traverse', 'www.x', '--max-queries', '1', ...flags, '-q'],
    QUIET,
  );
  const { peak, tookMs } = await runMeasured(
    ['traverse', nameFor(what), ...flags, '-q', '--save', saved],
    QUIET,
  );
  judgeMemory(`${what}, command line`, { heard: heardIn(readFileSync(saved)), peak, idle });
  say(`${what}, command line`, `${size(statSync(saved).size)} saved after ${shown(tookMs)}`);
  rmSync(folder, { recursive: true });
}

async function inTheService(what: string, servers: HostileServers, jobs: number): Promise<void> {
  const { pid, request, follow, stop } = await besiege(servers, [...FLAGS, '--rate-total', '0']);
  const ended = async (name: string) => {
    const started = await Promise.all(
      Array.from({ length: jobs }, (_, at) => request(`${'x.'.repeat(at)}${name}`, `192.0.2.${at}`)),
    );
    const links = started.map((one) => {
      if (one.kind === 'refused') throw new Error(`refused with ${one.status}`);
      return one;
    });
    await Promise.all(links.map(({ events }) => follow(events)));
    return links;
  };
  // Threads begin with the first jobs, as on the command line.
  await ended('www.x');
  const idle = memoryOf(pid).rss;
  const begin = performance.now();
  const links = await ended(nameFor(what));
  const elapsed = performance.now() - begin;
  const results = [];
  for (const { self } of links) results.push(await resultAt(self));
  const label = `${what}, service, ${jobs} at once`;
  judgeMemory(label, {
    heard: results.reduce((sum, { heard }) => sum + heard, 0),
    peak: memoryOf(pid).peak,
    idle,
  });
  say(label, `${results.map(({ text }) => text).join(', ')} after ${shown(elapsed)}`);
  stop();
}

async function resultAt(self: string): Promise<{ readonly heard: number; readonly text: string }> {
  const octets = Buffer.from(await (await fetch(self)).arrayBuffer());
  const status = /"status":"(\w+)"/.exec(octets.toString('latin1', 0, 200))?.[1];
  const all = status === 'complete' ? '' : `: ${octets.toString('utf8', 0, 1_000)}`;
  return { heard: heardIn(octets), text: `${status} with ${size(octets.length)}${all}` };
}

/** Octets that a traversal received, by what its result says near its end. */
function heardIn(result: Buffer): number {
  return Number(/"bytesReceived":\s*(\d+)/.exec(result.toString('latin1', result.length - 1_000))?.[1]);
}

function nameFor(what: string): string {
  switch (what) {
    case 'tiny records':
      return 'www.tiny';
    case 'servers looked up':
      return 'www.glueless';
    default:
      return 'www.big';
  }
}

interface Taken {
  readonly heard: number;
  readonly peak: number;
  readonly idle: number;
}

function judgeMemory(what: string, { heard, peak, idle }: Taken): void {
  const taken = peak - idle;
  const factor = (taken / heard).toFixed(1);
  judge(
    what,
    `${size(heard)} heard, ${size(taken)} beyond the idle ${size(idle)}: ${factor} times`,
    taken <= 4 * heard + ALLOWED,
  );
}
