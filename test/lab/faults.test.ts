import t from 'tap';
import { chanceOf } from '../../src/base/chance.ts';
import { decodeMessage } from '../../src/dns/decode.ts';
import { UNDEFINED_OPTION } from '../../src/dns/edns.ts';
import { encodeQuery } from '../../src/dns/encode.ts';
import type { Edns } from '../../src/dns/message.ts';
import type { Fault } from '../../src/lab/faults.ts';
import { startLab } from '../../src/lab/lab.ts';
import { reactionTo } from '../../src/lab/reaction.ts';
import { readWorld } from '../../src/lab/world.ts';
import { zoneText } from '../../src/lab/zone-text.ts';
import { tcp, udp } from './lab-exchange.ts';

const ZONE = zoneText('example.', '@ NS ns1\nns1 A 192.0.2.1\nWWW A 192.0.2.80\nprobe A 192.0.2.81');
const EDNS: Edns = { version: 0, payloadSize: 1232, do: false, options: [] };
const WWW_ID = 0x1234;
const PROBE_ID = 0x4321;
const only = { name: 'www.example.' } as const;

const query = (id: number, nameAsSent: string, edns: 'edns' | 'plain') =>
  encodeQuery({ id, nameAsSent, type: 'A', ...(edns === 'edns' && { edns: EDNS }) });

/** What a reply says, in one line. */
function summary(message: Uint8Array): string {
  try {
    const { id, rcode, flags, questions, answer, authority, edns } = decodeMessage(message);
    if (id === PROBE_ID) return 'probe';
    const asked = questions.map((question) => question.nameAsSent).join();
    const parts = [
      id === WWW_ID ? '' : 'ID!',
      rcode,
      ...flags.filter((flag) => flag !== 'qr'),
      asked === 'wWw.eXample.' ? '' : `asked ${asked}`,
      ...answer.map((record) => record.data),
      ...authority.map((record) => `${record.name} ${record.type} ${record.data}`),
      edns === undefined ? 'no EDNS' : '',
    ];
    return parts.filter((part) => part !== '').join(' ');
  } catch {
    return (((message[0] ?? 0) << 8) | (message[1] ?? 0)) === WWW_ID ? 'undecodable' : 'ID! undecodable';
  }
}

const FINE = 'NOERROR aa 192.0.2.80';

/**
 * For each: the faults, how it is asked, and the replies to www.example. and, after it, to a question
 * that no fault concerns. The reply to the second proves that there is none to the first.
 */
const rows: [faults: Fault[], how: string, came: string[]][] = [
  [[], 'udp edns', [FINE, 'probe']],
  [[], 'tcp edns', [FINE, 'probe']],
  [[], 'udp plain', [`${FINE} no EDNS`, 'probe']],
  [[{ kind: 'dead', only }], 'udp edns', ['probe']],
  [[{ kind: 'dead', only }], 'tcp edns', ['probe']],
  [[{ kind: 'dead', only: { ...only, transport: 'tcp' } }], 'udp edns', [FINE, 'probe']],
  [[{ kind: 'dead', only: { ...only, type: 'AAAA' } }], 'udp edns', [FINE, 'probe']],
  [[{ kind: 'dead', only: { ...only, address: '192.0.2.9' } }], 'udp edns', [FINE, 'probe']],
  [[{ kind: 'dead', only: { zone: 'www.example.' } }], 'udp edns', ['probe']],
  [[{ kind: 'dead', only: { zone: 'ww.example.' } }], 'udp edns', [FINE, 'probe']],
  [[{ kind: 'drops-first', count: 1, only }], 'udp edns twice', [FINE, 'probe']],
  [[{ kind: 'drops-first', count: 2, only }], 'udp edns twice', ['probe']],
  [[{ kind: 'loss', ratio: 1, only }], 'udp edns', ['probe']],
  [[{ kind: 'loss', ratio: 0, only }], 'udp edns', [FINE, 'probe']],
  [[{ kind: 'latency', ms: 1, only }], 'udp edns', ['probe', FINE]],
  [[{ kind: 'latency', ms: 1, only }], 'tcp edns', [FINE, 'probe']],
  [[{ kind: 'rcode', rcode: 'REFUSED', only }], 'udp edns', ['REFUSED', 'probe']],
  [[{ kind: 'rcode', rcode: 'SERVFAIL', only }], 'tcp edns', ['SERVFAIL', 'probe']],
  [[{ kind: 'rcode', rcode: 'NOTIMP', only }], 'udp plain', ['NOTIMP no EDNS', 'probe']],
  [[{ kind: 'rejects-edns', with: 'FORMERR', only }], 'udp edns', ['FORMERR no EDNS', 'probe']],
  [[{ kind: 'rejects-edns', with: 'NOTIMP', only }], 'udp edns', ['NOTIMP no EDNS', 'probe']],
  [[{ kind: 'rejects-edns', with: 'BADVERS', only }], 'udp edns', ['BADVERS', 'probe']],
  [[{ kind: 'rejects-edns', with: 'silence', only }], 'udp edns', ['probe']],
  [[{ kind: 'rejects-edns', with: 'silence', only }], 'udp plain', [`${FINE} no EDNS`, 'probe']],
  [[{ kind: 'rejects-edns', with: 'FORMERR', only }], 'udp plain', [`${FINE} no EDNS`, 'probe']],
  [
    [{ kind: 'lame', zone: '.', ns: ['a.root', 'b.root'], only }],
    'udp edns',
    ['NOERROR . NS a.root. . NS b.root.', 'probe'],
  ],
  [
    [{ kind: 'lame', zone: 'example.', ns: ['ns1.example.'], only }],
    'udp edns',
    ['NOERROR example. NS ns1.example.', 'probe'],
  ],
  [[{ kind: 'brings-own-ns', only }], 'udp edns', [`${FINE} example. NS ns1.example.`, 'probe']],
  [[{ kind: 'empty', only }], 'udp edns', ['NOERROR', 'probe']],
  [[{ kind: 'not-authoritative', only }], 'udp edns', ['NOERROR 192.0.2.80', 'probe']],
  [[{ kind: 'recursion-available', only }], 'udp edns', ['NOERROR aa ra 192.0.2.80', 'probe']],
  [[{ kind: 'recurses', only }], 'udp edns', ['NOERROR aa ra 192.0.2.80', 'probe']],
  [[{ kind: 'truncates', only }], 'udp edns', ['NOERROR aa tc', 'probe']],
  [[{ kind: 'truncates', only }], 'tcp edns', ['NOERROR aa tc', 'probe']],
  [[{ kind: 'truncates', only: { ...only, transport: 'udp' } }], 'tcp edns', [FINE, 'probe']],
  [[{ kind: 'lowers-case', only }], 'udp edns', ['NOERROR aa asked www.example. 192.0.2.80', 'probe']],
  [[{ kind: 'cuts-data', type: 'A', only }], 'udp edns', ['NOERROR aa \\# 3 c00002', 'probe']],
  [[{ kind: 'cuts-data', type: 'NS', only }], 'udp edns', [FINE, 'probe']],
  [[{ kind: 'wrong-id', only }], 'udp edns', [`ID! ${FINE}`, 'probe']],
  [
    [{ kind: 'wrong-question', only }],
    'udp edns',
    ['NOERROR aa asked not-asked.invalid. 192.0.2.80', 'probe'],
  ],
  [[{ kind: 'garbage', only }], 'udp edns', ['undecodable', 'probe']],
  [[{ kind: 'decoy', as: 'wrong-id', only }], 'udp edns', ['ID! NXDOMAIN aa', FINE, 'probe']],
  [
    [{ kind: 'decoy', as: 'wrong-id', count: 2, only }],
    'udp edns',
    ['ID! NXDOMAIN aa', 'ID! NXDOMAIN aa', FINE, 'probe'],
  ],
  [[{ kind: 'decoy', as: 'wrong-port', only }], 'udp edns', [FINE, 'probe']],
  [[{ kind: 'decoy', as: 'wrong-port', only }], 'tcp edns', [FINE, 'probe']],
  [[{ kind: 'decoy', as: 'garbage', only }], 'tcp edns', ['undecodable', FINE, 'probe']],
  [
    [
      { kind: 'decoy', as: 'wrong-question', only },
      { kind: 'not-authoritative', only },
    ],
    'udp edns',
    ['NXDOMAIN asked not-asked.invalid.', 'NOERROR 192.0.2.80', 'probe'],
  ],
  [[{ kind: 'duplicates', copies: 1, only }], 'udp edns', [FINE, FINE, 'probe']],
  [[{ kind: 'duplicates', copies: 1, only }], 'tcp edns', [FINE, 'probe']],
  [[{ kind: 'reorders', ratio: 1, ms: 1, only }], 'udp edns', ['probe', FINE]],
  [[{ kind: 'reorders', ratio: 0, ms: 1, only }], 'udp edns', [FINE, 'probe']],
  [[{ kind: 'tcp-segments', octets: 7, only }], 'tcp edns', [FINE, 'probe']],
  [[{ kind: 'tcp-closes', after: 9, only }], 'tcp edns', []],
  [[{ kind: 'tcp-closes', after: 9, only }], 'udp edns', [FINE, 'probe']],
];

t.test('every fault, over sockets', async (t) => {
  const lab = await startLab({
    servers: rows.map(([faults], index) => ({
      name: 'ns1.example.',
      addresses: [`192.0.2.${index + 10}`],
      zones: [ZONE],
      faults,
    })),
  });
  t.teardown(lab.close);
  await Promise.all(
    rows.map(async ([faults, how, expected], index) => {
      const endpoint = lab.route(`192.0.2.${index + 10}`);
      if (endpoint === undefined) throw new Error('the lab does not know its own address');
      const www = query(WWW_ID, 'wWw.eXample.', how.includes('plain') ? 'plain' : 'edns');
      const queries = how.includes('twice') ? [www, www] : [www];
      const ask = how.startsWith('tcp') ? tcp : udp;
      const came = await ask(
        endpoint,
        [...queries, query(PROBE_ID, 'probe.example.', 'edns')],
        expected.length,
      );
      t.same(
        typeof came === 'string' ? came : came.map(summary),
        expected,
        `${how} ${JSON.stringify(faults)}`,
      );
    }),
  );
});

t.test('nothing listens on a closed port', async (t) => {
  const closed: [address: string, fault: Fault, udp: string | number, tcp: string | number][] = [
    ['192.0.2.1', { kind: 'closed-port' }, 'ECONNREFUSED', 'ECONNREFUSED'],
    ['192.0.2.2', { kind: 'closed-port', only: { transport: 'udp' } }, 'ECONNREFUSED', 1],
    ['192.0.2.3', { kind: 'closed-port', only: { transport: 'tcp' } }, 1, 'ECONNREFUSED'],
    ['192.0.2.4', { kind: 'closed-port', only: { address: '192.0.2.5' } }, 1, 1],
    ['127.0.0.1', { kind: 'closed-port' }, 'ECONNREFUSED', 'ECONNREFUSED'],
  ];
  const lab = await startLab({
    servers: closed.map(([address, fault]) => ({
      name: 'ns1.example.',
      addresses: [address],
      zones: [ZONE],
      faults: [fault],
    })),
  });
  t.teardown(lab.close);
  const probe = [query(PROBE_ID, 'probe.example.', 'plain')];
  for (const [address, fault, ...expected] of closed) {
    const endpoint = lab.route(address);
    if (endpoint === undefined) throw new Error('the lab does not know its own address');
    const came = [await udp(endpoint, probe, 1), await tcp(endpoint, probe, 1)];
    t.same(
      came.map((ending) => (typeof ending === 'string' ? ending : ending.length)),
      expected,
      JSON.stringify(fault),
    );
  }
});

t.test('unusual queries, to servers as they should be and with a fault', async (t) => {
  const option = { ...EDNS, options: [{ code: UNDEFINED_OPTION, data: 'ab' }] };
  const version = { ...EDNS, version: 1 };
  const unusual: [fault: Fault, query: Parameters<typeof encodeQuery>[0], usual: string, faulty: string][] = [
    [
      { kind: 'recurses' },
      { id: 1, nameAsSent: '.', type: 'SOA', flags: ['rd'] },
      'REFUSED rd',
      'NOERROR rd ra . SOA',
    ],
    [{ kind: 'recurses' }, { id: 1, nameAsSent: '.', type: 'SOA' }, 'REFUSED', 'REFUSED ra'],
    [
      { kind: 'denies-nodata' },
      { id: 1, nameAsSent: 'www.example.', type: 'MX' },
      'NOERROR aa (SOA)',
      'NXDOMAIN aa (SOA)',
    ],
    [
      { kind: 'without-authority' },
      { id: 1, nameAsSent: 'www.example.', type: 'MX' },
      'NOERROR aa (SOA)',
      'NOERROR aa',
    ],
    [
      { kind: 'answers-other-name' },
      { id: 1, nameAsSent: 'www.example.', type: 'MX' },
      'NOERROR aa (SOA)',
      'NOERROR aa not-asked.invalid. A',
    ],
    [
      { kind: 'denies-nodata' },
      { id: 1, nameAsSent: 'deep.example.', type: 'A' },
      'NOERROR aa (SOA)',
      'NXDOMAIN aa (SOA)',
    ],
    [
      { kind: 'ignores-edns-version' },
      { id: 1, nameAsSent: 'www.example.', type: 'A', edns: version },
      'BADVERS',
      'NOERROR aa www.example. A',
    ],
    [
      { kind: 'echoes-options' },
      { id: 1, nameAsSent: 'www.example.', type: 'A', edns: option },
      'NOERROR aa www.example. A',
      'NOERROR aa www.example. A 65432=ab',
    ],
  ];
  const zone = zoneText('example.', '@ NS ns1\nns1 A 192.0.2.1\nwww A 192.0.2.80\nvery.deep A 192.0.2.81');
  for (const [fault, query, ...expected] of unusual) {
    const said = [[], [fault]].map((faults) => {
      const [server] = readWorld({ servers: [{ name: 'a.', addresses: ['::1'], zones: [zone], faults }] });
      if (server === undefined) throw new Error('the world has a server');
      const received = {
        query: decodeMessage(encodeQuery(query)),
        transport: 'udp',
        address: '::1',
        count: 1,
      } as const;
      const [sent] = reactionTo(received, server).sends;
      return sent === undefined ? 'nothing' : unusualSummary(sent.octets);
    });
    t.same(said, expected, `${fault.kind} ${query.nameAsSent} ${query.type}`);
  }
});

function unusualSummary(octets: Uint8Array): string {
  const { rcode, flags, answer, authority, edns } = decodeMessage(octets);
  return [
    rcode,
    ...flags.filter((flag) => flag !== 'qr'),
    ...answer.map(({ name, type }) => `${name} ${type}`),
    ...authority.map(({ type }) => `(${type})`),
    ...(edns?.options ?? []).map(({ code, data }) => `${code}=${data}`),
  ].join(' ');
}

t.test('how a stream is cut into segments', async (t) => {
  const [server] = readWorld({ servers: [{ name: 'a.', addresses: ['::1'], zones: [ZONE] }] });
  if (server === undefined) throw new Error('the world has a server');
  const received = {
    query: decodeMessage(query(WWW_ID, 'www.example.', 'plain')),
    transport: 'tcp',
    address: '::1',
    count: 1,
  } as const;
  const plan = (...faults: Fault[]) => reactionTo(received, { ...server, faults });
  const whole = plan().sends[0]?.octets.length ?? 0;
  t.same(
    plan().sends.map(({ octets, afterMs }) => [octets.length, afterMs]),
    [[whole, 0]],
  );
  const slow = plan(
    { kind: 'latency', ms: 5 },
    { kind: 'latency', ms: 6 },
    { kind: 'tcp-segments', octets: 30 },
  );
  t.same(
    slow.sends.map(({ octets, afterMs }) => [octets.length, afterMs]),
    [
      [30, 11],
      [whole - 30, 12],
    ],
  );
  t.equal(slow.afterwards, 'stay');
  const cut = plan({ kind: 'tcp-segments', octets: 2 }, { kind: 'tcp-closes', after: 3 });
  t.same(
    cut.sends.map(({ octets }) => octets.length),
    [2, 1],
  );
  t.equal(cut.afterwards, 'close');
  t.same(plan({ kind: 'tcp-closes', after: 0 }), { sends: [], afterwards: 'close' });
});

t.test('jitter and reordering are the same in every run, for each message', async (t) => {
  const [server] = readWorld({ servers: [{ name: 'a.', addresses: ['::1'], zones: [ZONE] }] });
  if (server === undefined) throw new Error('the world has a server');
  const asked = decodeMessage(query(WWW_ID, 'www.example.', 'plain'));
  const delays = (...faults: Fault[]) => {
    const received = { query: asked, transport: 'udp', address: '::1', count: 1 } as const;
    const behaviour = { ...server, faults: [{ kind: 'duplicates', copies: 999 } as const, ...faults] };
    return reactionTo(received, behaviour).sends.map(({ afterMs }) => afterMs);
  };
  const jitter = delays({ kind: 'latency', ms: 100 }, { kind: 'jitter', ms: 10 });
  t.ok(jitter.every((ms) => ms >= 100 && ms < 110));
  t.ok(Math.min(...jitter) < 101 && Math.max(...jitter) > 109);
  t.same(delays({ kind: 'jitter', ms: 10, seed: 1 }), delays({ kind: 'jitter', ms: 10, seed: 1 }));
  t.notSame(delays({ kind: 'jitter', ms: 10, seed: 1 }), delays({ kind: 'jitter', ms: 10, seed: 2 }));
  const held = delays({ kind: 'reorders', ratio: 0.25, ms: 7 }).filter((ms) => ms === 7).length;
  t.ok(held > 200 && held < 300, `${held} of 1000`);
});

t.test('loss is the same in every run and keeps its ratio', async (t) => {
  t.equal(chanceOf('0 www.example. A udp 192.0.2.1 1'), chanceOf('0 www.example. A udp 192.0.2.1 1'));
  const chances = Array.from({ length: 10_000 }, (_, index) =>
    chanceOf(`7 www.example. A udp 192.0.2.1 ${index}`),
  );
  t.ok(chances.every((chance) => chance >= 0 && chance < 1));
  const lost = chances.filter((chance) => chance < 0.3).length;
  t.ok(lost > 2800 && lost < 3200, `${lost} of 10000`);
});
