import t from 'tap';
import { renderText } from '../../src/report/result-text.ts';
import {
  answer,
  denial,
  type FindingsWorld,
  failure,
  host,
  referral,
  traverseWorld,
  tried,
} from './world.ts';
import { serving, zone } from './zone-worlds.ts';

/** All views but those of DNSSEC. */
const WORLD = { roots: 'r1.=192.0.2.1', options: { views: ['profiles'] }, probes: {} } as const;

async function firstLine(world: FindingsWorld): Promise<string> {
  return (await traverseWorld({ ...WORLD, ...world })).verdict.text;
}

t.test('addresses of one server that give different answers are named', async (t) => {
  const says = {
    '192.0.2.1 *': referral('a. ns1.a.=192.0.2.11,192.0.2.13 ns2.a.=192.0.2.12'),
    '192.0.2.13 *': answer('192.0.2.99'),
  };
  t.match(await firstLine({ says }), / 192\.0\.2\.99 from ns1\.a \(192\.0\.2\.13\)$/);
});

t.test('the fault that costs users their answer comes before others as severe', async (t) => {
  const parent = zone('a.', ['a. NS ns1.a.', 'ns1.a. A 192.0.2.11', 'x.a. NS ns.x.a.', 'x.a. NS ns2.x.a.']);
  const says = { '192.0.2.1 *': referral('a. ns1.a.=192.0.2.11'), '192.0.2.11 *': serving(parent) };
  t.match(
    await firstLine({ ask: 'www.x.a. A', options: { ...WORLD.options, families: [4] }, says }),
    'all users get SERVFAIL: the delegation of x.a has no glue for ns.x.a',
  );
});

t.test('a name without IPv6 is no failure where its IPv4 address is found', async (t) => {
  const gone = tried('ECONNREFUSED', failure('unreachable'));
  const result = await traverseWorld({
    ...WORLD,
    says: {
      '192.0.2.1 *': referral('a. ns.b.'),
      '192.0.2.1 ns.b. A': referral('b. ns1.b.=192.0.2.21 ns2.b.=192.0.2.22'),
      '192.0.2.1 ns.b. AAAA': referral('b. ns1.b.=192.0.2.21 ns2.b.=192.0.2.22'),
      '192.0.2.21 *': host('b.', 'A 192.0.2.12'),
      '192.0.2.22 *': gone,
      '192.0.2.12 *': answer('192.0.2.80'),
      '192.0.2.12 www.a. AAAA': denial('nodata'),
    },
  });
  const text = renderText(result, { colour: 'off', detail: 'full', width: 100 });
  t.match(text, /NODATA: the name has no AAAA record/);
  t.notMatch(text, /✗ NODATA/);
});
