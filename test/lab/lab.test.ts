import { createSocket } from 'node:dgram';
import t from 'tap';
import { ZoneFileError } from '../../src/authority/entries.ts';
import { readZoneFile } from '../../src/authority/zone-file.ts';
import { chanceOf } from '../../src/base/chance.ts';
import { createFairClock } from '../../src/base/clock.ts';
import { decodeMessage } from '../../src/dns/decode.ts';
import { NSID } from '../../src/dns/edns.ts';
import { encodeQuery } from '../../src/dns/encode.ts';
import { parseName } from '../../src/dns/name.ts';
import { createExchange } from '../../src/exchange/exchange.ts';
import { labOnDemand, startLab } from '../../src/lab/lab.ts';
import { Counts, responder } from '../../src/lab/open.ts';
import { readWorld, type ServerSpec, WorldError } from '../../src/lab/world.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { tcp, udp } from './lab-exchange.ts';

const strings = Array.from({ length: 9 }, () => `"${'x'.repeat(100)}"`).join(' ');
const servers: ServerSpec[] = [
  {
    name: 'a.root',
    addresses: ['127.0.0.1', '2001:DB8:0::1'],
    zones: [zoneText('.', `@ NS a.root\na.root A 127.0.0.1\nbig TXT ${strings}`)],
    version: 'lab "1"',
    hostname: 'host',
    nsid: 'a1',
  },
  { name: 'a.root', addresses: ['198.51.100.1'], zones: [zoneText('.', '@ NS a.root')], id: 'id' },
  { name: 'ns.example', addresses: ['203.0.113.1'] },
];

/** The question, and the reply: rcode, flags, data of the answer. */
const rows: [name: string, type: string, qclass: string, transport: 'udp' | 'tcp', came: string][] = [
  ['a.root.', 'A', 'IN', 'udp', 'NOERROR aa 127.0.0.1'],
  ['a.root.', 'A', 'IN', 'tcp', 'NOERROR aa 127.0.0.1'],
  ['a.root.', 'A', 'HS', 'udp', 'REFUSED'],
  ['.', 'AXFR', 'IN', 'tcp', 'REFUSED'],
  ['.', 'NS', 'IN', 'udp', 'NOERROR aa a.root.'],
  ['big.', 'TXT', 'IN', 'udp', 'NOERROR aa tc'],
  ['big.', 'TXT', 'IN', 'tcp', `NOERROR aa ${strings}`],
  ['version.bind.', 'TXT', 'CH', 'udp', 'NOERROR aa "lab \\"1\\""'],
  ['version.server.', 'ANY', 'CH', 'udp', 'NOERROR aa "lab \\"1\\""'],
  ['hostname.bind.', 'TXT', 'CH', 'udp', 'NOERROR aa "host"'],
  ['id.server.', 'TXT', 'CH', 'udp', 'NOERROR aa "host"'],
  ['authors.bind.', 'TXT', 'CH', 'udp', 'REFUSED'],
  ['version.bind.', 'A', 'CH', 'udp', 'REFUSED'],
];

t.test('a lab answers, counts and closes', async (t) => {
  const lab = await startLab({ servers });
  t.teardown(lab.close);
  const endpoint = lab.route('2001:db8::1');
  if (endpoint === undefined) throw new Error('the lab does not know its own address');

  for (const [name, type, qclass, transport, expected] of rows) {
    const query = encodeQuery({ id: 1, nameAsSent: name, type, class: qclass });
    const came = await (transport === 'udp' ? udp : tcp)(endpoint, [query], 1);
    const { rcode, flags, answer } = decodeMessage(
      typeof came === 'string' ? Buffer.from(came) : (came[0] ?? Buffer.of()),
    );
    const said = [
      rcode,
      ...flags.filter((flag) => flag !== 'qr'),
      ...answer.map((record) => record.data),
    ].join(' ');
    t.equal(said, expected, `${transport} ${name} ${type} ${qclass}`);
  }

  t.equal(lab.asked({ server: 'A.root', name: 'A.ROOT', type: 'A' }), 3);
  t.equal(lab.asked({ address: '127.0.0.1' }), 0);
  t.equal(lab.asked({ class: 'CH' }), 6);
  t.equal(lab.asked(), rows.length);
  t.same(lab.counts({ type: 'TXT', name: 'big.', transport: 'tcp' }), [
    {
      server: 'a.root.',
      address: '2001:db8::1',
      transport: 'tcp',
      name: 'big.',
      type: 'TXT',
      class: 'IN',
      count: 1,
    },
  ]);
});

t.test('EDNS: size, version, NSID', async (t) => {
  const lab = await startLab({ servers });
  t.teardown(lab.close);
  const ask = async (
    nameAsSent: string,
    payloadSize: number,
    version: number,
    options: { code: number; data: string }[] = [],
  ) => {
    const query = encodeQuery({
      id: 1,
      nameAsSent,
      type: 'TXT',
      edns: { version, payloadSize, do: true, options },
    });
    const came = await udp(lab.route('127.0.0.1') ?? { address: '', port: 0 }, [query], 1);
    return decodeMessage(typeof came === 'string' ? Buffer.from(came) : (came[0] ?? Buffer.of()));
  };
  t.match(await ask('big.', 1232, 0), { flags: ['qr', 'aa'], edns: { version: 0, do: true, options: [] } });
  t.match(await ask('big.', 900, 0), { flags: ['qr', 'aa', 'tc'], answer: [] });
  t.match(await ask('big.', 0, 0), { flags: ['qr', 'aa', 'tc'], answer: [] });
  t.match(await ask('big.', 1232, 1), { rcode: 'BADVERS', edns: { version: 0 }, answer: [] });
  const nsid = await ask('big.', 1232, 0, [{ code: NSID, data: '' }]);
  t.same(nsid.edns?.options, [{ code: NSID, data: Buffer.from('a1').toString('hex') }]);
});

t.test('messages that are not queries', async (t) => {
  const lab = await startLab({ servers });
  t.teardown(lab.close);
  const endpoint = lab.route('203.0.113.1') ?? { address: '', port: 0 };
  const query = Buffer.from(encodeQuery({ id: 7, nameAsSent: 'x.', type: 'A' }));
  const reply = Buffer.from(query).fill(0x80, 2, 3);
  const notify = Buffer.from(query).fill(4 << 3, 2, 3);
  const cut = query.subarray(0, 14);
  for (const [ask, name] of [
    [udp, 'udp'],
    [tcp, 'tcp'],
  ] as const) {
    // The first three and the cut reply get no answer.
    const sent = [Buffer.of(), query.subarray(0, 11), reply, reply.subarray(0, 14), cut, notify, query];
    const came = await ask(endpoint, sent, 3);
    const rcodes = typeof came === 'string' ? came : came.map((message) => decodeMessage(message).rcode);
    t.same(rcodes, ['FORMERR', 'NOTIMP', 'REFUSED'], name);
  }
});

t.test('no datagram makes a server throw', async (t) => {
  const [server] = readWorld({ servers });
  if (server === undefined) throw new Error('the world has a server');
  const respond = responder(server, { address: '127.0.0.1', transport: 'udp' }, new Counts());
  const edns = { version: 0, payloadSize: 1232, do: false, options: [{ code: NSID, data: '' }] };
  const query = encodeQuery({ id: 1, nameAsSent: 'a.root.', type: 'A', edns });
  let answered = 0;
  for (let run = 0; run < 20_000; run += 1) {
    const octets = Uint8Array.from(query);
    for (let flips = 1 + Math.floor(3 * chanceOf(`flips ${run}`)); flips > 0; flips -= 1) {
      octets[Math.floor(octets.length * chanceOf(`at ${run} ${flips}`))] =
        256 * chanceOf(`to ${run} ${flips}`);
    }
    answered += respond(octets).sends.length;
  }
  t.ok(answered > 10_000, `${answered} of 20000 are answered`);
});

t.test('the root hints are the servers of the root zone', async (t) => {
  const lab = await startLab({ servers });
  t.teardown(lab.close);
  const addresses = ['127.0.0.1', '2001:db8::1', '198.51.100.1'];
  t.same(lab.roots, [{ name: 'a.root.', addresses }]);
  t.same(
    readZoneFile(lab.hints).map(({ name, type }) => `${name} ${type}`),
    ['. NS', 'a.root. A', 'a.root. AAAA', 'a.root. A'],
  );
});

t.test('where servers are bound', async (t) => {
  const lab = await startLab({ servers });
  t.teardown(lab.close);
  t.same(lab.route('127.0.0.1'), { address: '127.0.0.1', port: lab.port });
  const elsewhere = lab.route('203.0.113.1');
  t.equal(elsewhere?.address, '127.0.0.1');
  t.not(elsewhere?.port, lab.port);
  t.equal(lab.route('203.0.113.2'), undefined);

  await t.rejects(startLab({ servers }, { port: lab.port }), { code: 'EADDRINUSE' });
  const socket = createSocket('udp4');
  await lab.close();
  await new Promise<void>((resolve) => socket.bind({ address: '127.0.0.1', port: lab.port }, resolve));
  await new Promise<void>((resolve) => socket.close(resolve));
  const again = await startLab({ servers }, { port: lab.port });
  t.equal(again.port, lab.port);
  await again.close();
});

t.test('an impossible world is refused', async (t) => {
  const world = (...list: ServerSpec[]) => startLab({ servers: list });
  const one = { name: 'a.', addresses: ['127.0.0.1'] };
  await t.rejects(
    world(one, { ...one, name: 'b.' }),
    new WorldError('two servers have the address 127.0.0.1'),
  );
  await t.rejects(world({ ...one, addresses: ['127.0.0'] }), WorldError);
  await t.rejects(world({ ...one, name: 'a..b' }), { name: 'NameError' });
  await t.rejects(world({ ...one, zones: ['@ A'] }), ZoneFileError);
  await t.rejects(world({ ...one, faults: [{ kind: 'rcode', rcode: 'BROKEN' }] }), WorldError);
  await t.rejects(world({ ...one, faults: [{ kind: 'rcode', rcode: 'BADVERS' }] }), WorldError);
  await t.rejects(world({ ...one, faults: [{ kind: 'dead', only: { zone: 'a..b' } }] }), {
    name: 'NameError',
  });
  await t.rejects(
    world({ ...one, faults: [{ kind: 'dead', only: { address: '2001:DB8::1' } }] }),
    WorldError,
  );
  await t.rejects(world({ ...one, faults: [{ kind: 'lame', zone: '.', ns: ['a..b'] }] }), {
    name: 'NameError',
  });
});

const ROOT = {
  name: 'a.root.',
  addresses: ['192.0.2.1'],
  zones: [zoneText('.', '@ NS a.root.\na.root. A 192.0.2.1\nwww A 192.0.2.80')],
};
const WRONG = { name: 'wrong.', addresses: ['192.0.2.2'], zones: ['this is no zone file'] };

t.test('an address is started when it is opened, and once', async (t) => {
  const lab = labOnDemand({ servers: [ROOT, WRONG] }, { servers: [ROOT] });
  t.teardown(lab.close);
  t.match(lab.hints, /a\.root\. 3600000 A 192\.0\.2\.1/);
  t.equal(lab.route('192.0.2.1'), undefined);
  await Promise.all([lab.open('192.0.2.1'), lab.open('192.0.2.1')]);
  const endpoint = lab.route('192.0.2.1');
  await lab.open('192.0.2.1');
  t.equal(lab.route('192.0.2.1'), endpoint);
  const exchange = createExchange({ clock: createFairClock(), route: lab.route });
  const question = { name: parseName('www.'), type: 'A' };
  const { outcome } = await exchange({ address: '192.0.2.1', question }, new AbortController().signal);
  t.match(outcome, { kind: 'reply', rcode: 'NOERROR', flags: ['qr', 'aa'] });
});

t.test('what no server has cannot be opened, and a mistake shows when its server is', async (t) => {
  const lab = labOnDemand({ servers: [ROOT, WRONG] }, { servers: [ROOT] });
  t.teardown(lab.close);
  await lab.open('192.0.2.3');
  t.equal(lab.route('192.0.2.3'), undefined);
  await t.rejects(lab.open('192.0.2.2'), { name: 'ZoneFileError' });
});

t.test('zone files by turns: one list after the other, for each question apart', async (t) => {
  const [server] = readWorld({
    servers: [
      {
        name: 'ns.example',
        addresses: ['203.0.113.1'],
        zones: [zoneText('fixed.example.', '@ A 192.0.2.9')],
        turns: [[zoneText('example.', '@ A 192.0.2.1')], [zoneText('example.', '@ A 192.0.2.2')]],
      },
    ],
  });
  if (server === undefined) throw new Error('the world has no server');
  const respond = responder(server, { address: '203.0.113.1', transport: 'udp' }, new Counts());
  const ask = (nameAsSent: string) => {
    const [sent] = respond(encodeQuery({ id: 1, nameAsSent, type: 'A' })).sends;
    return decodeMessage(sent?.octets ?? Buffer.of()).answer.map(({ data }) => data);
  };
  const asked = ['example.', 'fixed.example.', 'example.', 'fixed.example.', 'example.'].flatMap(ask);
  t.same(asked, ['192.0.2.1', '192.0.2.9', '192.0.2.2', '192.0.2.9', '192.0.2.1']);
});
