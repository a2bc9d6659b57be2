import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { decodeMessage } from '../../src/dns/decode.ts';
import { encodeQuery } from '../../src/dns/encode.ts';
import { parseName } from '../../src/dns/name.ts';
import { DEFAULT_OPTIONS } from '../../src/document/options.ts';
import type { Exchange, Exchanged } from '../../src/exchange/exchanged.ts';
import { Explorer } from '../../src/explore/explore.ts';
import { scopeOf } from '../../src/explore/recording.ts';
import { parseRootHints } from '../../src/explore/root-hints.ts';
import { leanReplies } from './lab/replies.ts';
import type { BenchWorld } from './worlds/world.ts';
import { WORLDS, type WorldName } from './worlds/worlds.ts';

/** Exchanges that are needed, and the rounds of them when everything known is asked at once. */
const NEEDED: readonly (readonly [WorldName, exchanges: number])[] = [
  ['small', 6],
  // 13 roots, 13 servers of the TLD, 4 of the zone; for the name of each of these 13 roots, 13 servers of the other TLD, 2.
  ['classic', 142],
  // 3 roots, 13 servers of the TLD; at each level 3, and for the name of each 3 roots, 13 servers of the other TLD, 3.
  ['wide-3-6', 376],
  // 2 roots, 2 servers of the TLD, 3 of the zone.
  ['many', 7],
  // 3 roots, 3 servers of the TLD, 3 of the zone; for the name of each of these 3 roots, 3 servers of the other TLD, 3.
  ['portfolio', 36],
];

/** Turns of the event loop in which nothing is asked if everything known has been. */
const SETTLED = 5;

for (const [name, needed] of NEEDED) {
  t.test(`${name}: its chain is as long as it says`, async (t) => {
    const { rounds, asked } = await explored(WORLDS[name]);
    t.equal(asked, needed);
    t.equal(rounds, WORLDS[name].chain);
  });
}

t.test('where zones are signed, replies fit a datagram, and come with signatures', (t) => {
  const reply = leanReplies(WORLDS['classic-signed']);
  const edns = { version: 0, payloadSize: 1232, do: true, options: [] };
  const ask = (address: string, nameAsSent: string, type: string) =>
    decodeMessage(reply(address, Buffer.from(encodeQuery({ id: 7, nameAsSent, type, edns }))));
  const rows: [address: string, name: string, type: string, signed: string][] = [
    ['127.1.0.1', 'www.classic.test.', 'A', 'DS'],
    ['127.1.0.13', '.', 'DNSKEY', 'DNSKEY'],
    ['127.1.1.13', 'www.classic.test.', 'A', 'DS'],
    ['127.1.3.1', 'ns1.p0.host.', 'A', 'A'],
    ['127.1.5.1', 'www.classic.test.', 'A', 'A'],
    ['127.1.5.1', 'classic.test.', 'DNSKEY', 'DNSKEY'],
  ];
  for (const [address, name, type, covered] of rows) {
    const { flags, answer, authority } = ask(address, name, type);
    const signatures = [...answer, ...authority].filter((record) => record.type === 'RRSIG');
    t.notOk(flags.includes('tc'), `${name} ${type}`);
    t.same(
      signatures.map(({ data }) => data.split(' ')[0]),
      [covered],
    );
  }
  t.end();
});

t.test('many names are told apart by their digits only', (t) => {
  const reply = leanReplies(WORLDS.many);
  const query = encodeQuery({ id: 7, nameAsSent: 'D1234567.tEst.', type: 'A' });
  const message = decodeMessage(reply('127.1.2.1', Buffer.from(query)));
  t.equal(message.id, 7);
  t.equal(message.questions[0]?.nameAsSent, 'D1234567.tEst.');
  t.same(
    [...message.answer].map(({ name, data }) => [name, data]),
    [['d1234567.test.', '192.0.2.80']],
  );
  t.end();
});

/** Explores a world in which all exchanges of a round end together. */
async function explored(world: BenchWorld): Promise<{ readonly rounds: number; readonly asked: number }> {
  const question = { name: parseName(world.ask), type: 'A' };
  const [root] = world.zones;
  const hints = root?.servers.map(({ name, address }) => `. 3600 NS ${name}\n${name} 3600 A ${address}\n`);
  const options = { ...DEFAULT_OPTIONS, families: [4] as const, specialTargets: 'allowed' as const };
  const scope = scopeOf(question, parseRootHints(hints?.join('') ?? ''), options);
  const explorer = new Explorer(scope, { maxQueries: 20_000, maxTimeMs: 10_000 });
  const reply = leanReplies(world);
  const waiting: (() => void)[] = [];
  let asked = 0;
  const exchange: Exchange = (query) => {
    asked += 1;
    return new Promise((resolve) => waiting.push(() => resolve(exchanged(query, reply))));
  };
  let rounds = 0;
  let isOver = false;
  const over = explorer.run(exchange, new AbortController().signal).then(() => {
    isOver = true;
  });
  while (!isOver) {
    for (let before = -1; before !== asked; ) {
      before = asked;
      for (let turns = 0; turns < SETTLED; turns += 1) await turn();
    }
    if (waiting.length > 0) rounds += 1;
    for (const end of waiting.splice(0)) end();
  }
  await over;
  return { rounds, asked };
}

function exchanged(
  { address, question }: Parameters<Exchange>[0],
  reply: ReturnType<typeof leanReplies>,
): Exchanged {
  const query = encodeQuery({ id: 1, nameAsSent: question.name, type: question.type });
  const octets = reply(address, Buffer.from(query));
  const { rcode, flags, answer, authority, additional } = decodeMessage(octets);
  const sections = { answer, authority, additional };
  const outcome = { kind: 'reply', rcode, flags, rttMs: 1, bytes: octets.length, ...sections } as const;
  const traffic = {
    packetsSent: 1,
    packetsReceived: 1,
    bytesSent: query.length,
    bytesReceived: octets.length,
  };
  return { address, question, outcome, transport: 'udp', tries: [], elapsedMs: 1, traffic };
}
