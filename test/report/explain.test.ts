import { readFileSync } from 'node:fs';
import t from 'tap';
import type { End, EndKind } from '../../src/evaluate/end.ts';
import { fraction, ONE, ZERO } from '../../src/evaluate/fraction.ts';
import { explainEnd } from '../../src/report/explain/explain-end.ts';
import { explanationRows } from '../../src/report/explain/explanation-rows.ts';
import { explanations } from '../../src/report/explain/explanations.ts';
import type { Scene } from '../../src/report/explain/scene.ts';
import { readFraction } from '../../src/report/text/percent.ts';
import { renderText } from '../../src/report/text/render.ts';
import { table } from '../../src/report/text/table.ts';
import { parseName } from '../../src/wire/name.ts';
import { randomWorld } from '../evaluate/random-world.ts';
import { hostile, resultIn, savedNames, savedResult } from './graph-results.ts';

const ZONE = parseName('shop.example');
const QUESTION = { name: parseName('www.shop.example'), type: 'A' };
const SERVER = { name: parseName('ns1.host.test'), address: '192.0.2.1' };
const AT = { question: QUESTION, zone: ZONE, server: SERVER };
const NOBODY = { question: QUESTION, zone: ZONE, server: null };
const NS = parseName('ns2.host.test');
const LOOKUP = { question: { name: NS, type: 'A' }, zone: parseName('host.test'), server: null };

const SCENE: Scene = {
  query: QUESTION,
  parentsOf: () => [parseName('example')],
  lostAt: () => ZERO,
  differs: () => false,
  usual: ['198.51.100.1'],
  rivalAbove: () => undefined,
  tooLargeForUdp: () => false,
  agreed: false,
};

function answer(data: string, authoritative = true): End {
  const records = [{ name: QUESTION.name, type: 'A', ttl: 300, data }];
  return { kind: 'answer', records, aliases: [], authoritative, ...AT };
}

interface Row {
  readonly end: End;
  readonly scene?: Partial<Scene>;
  readonly means: RegExp;
  /** Who is to do something, in order; none where nothing is wrong. */
  readonly who: readonly string[];
  readonly what?: RegExp;
}

const OPERATOR = 'the operator of ns1.host.test';
const OWNER = 'the owner of shop.example';

/** Each kind has at least one row: a new kind does not compile here. */
const ROWS: Readonly<Record<EndKind, readonly Row[]>> = {
  answer: [
    { end: answer('198.51.100.1'), means: /^Users get 198\.51\.100\.1\. There is nothing to do\.$/, who: [] },
    {
      end: answer('192.0.2.9'),
      scene: { differs: () => true },
      means:
        /Only those get this whose resolver picks ns1\.host\.test \(192\.0\.2\.1\); most get 198\.51\.100\.1/,
      who: [OWNER, OPERATOR],
      what: /same version of the zone/,
    },
    {
      end: answer('192.0.2.9'),
      scene: { differs: () => true, usual: [], rivalAbove: () => parseName('example') },
      means: /nothing tells which is right/,
      who: ['the registry of example'],
      what: /some of them do not delegate shop\.example/,
    },
    {
      end: answer('198.51.100.1', false),
      means: /^Users get 198\.51\.100\.1\.$/,
      who: [OPERATOR],
      what: /no AA bit/,
    },
  ],
  nodata: [
    { end: { kind: 'nodata', ...AT }, means: /www\.shop\.example exists and has no A record/, who: [OWNER] },
  ],
  nxdomain: [
    {
      end: { kind: 'nxdomain', ...AT },
      scene: { agreed: true },
      means: /no such name as www\.shop\.example\. All paths end so/,
      who: [OWNER],
    },
    {
      end: { kind: 'nxdomain', ...AT },
      scene: { query: { name: parseName('www.alias.example'), type: 'A' } },
      means: /www\.alias\.example is an alias of www\.shop\.example/,
      who: ['the owner of www.alias.example'],
      what: /correct the alias/,
    },
  ],
  timeout: [
    {
      end: { kind: 'timeout', ...AT },
      means: /ns1\.host\.test \(192\.0\.2\.1\) did not reply .* goes on with another server/,
      who: [OPERATOR, OWNER],
      what: /port 53.*remove the server from the delegation/s,
    },
    {
      end: { kind: 'timeout', ...AT, server: { ...SERVER, address: '2001:db8::1' } },
      means: /2001:db8::1/,
      who: [OPERATOR, OWNER, 'you'],
      what: /IPv6 works from here/,
    },
    {
      end: { kind: 'timeout', ...AT },
      scene: { lostAt: () => ONE },
      means: /No other server of shop\.example helps: all users get an error/,
      who: [OPERATOR, OWNER],
    },
    {
      end: { kind: 'timeout', ...AT },
      scene: { lostAt: () => fraction(1n, 4n) },
      means: /users get an error \(SERVFAIL\): 25 % \(1\/4\) of them/,
      who: [OPERATOR, OWNER],
    },
  ],
  unreachable: [
    {
      end: { kind: 'unreachable', ...AT },
      means: /cannot be reached/,
      who: [OPERATOR, OWNER],
      what: /port 53/,
    },
    {
      end: { kind: 'unreachable', ...AT },
      scene: { tooLargeForUdp: () => true },
      means: /cannot be reached over TCP, which a reply of this size takes: /,
      who: [OPERATOR, OWNER],
    },
  ],
  malformed: [
    {
      end: { kind: 'malformed', ...AT },
      means: /broken or cut short/,
      who: [OPERATOR, OWNER],
      what: /software/,
    },
  ],
  error: [
    {
      end: { kind: 'error', rcode: 'REFUSED', ...AT },
      means: /error REFUSED: most often the zone was never set up there/,
      who: [OPERATOR, OWNER],
      what: /set shop\.example up there/,
    },
    {
      end: { kind: 'error', rcode: 'SERVFAIL', ...AT },
      means: /not loaded, or expired/,
      who: [OPERATOR, OWNER],
      what: /server's log/,
    },
    { end: { kind: 'error', rcode: 'RCODE17', ...AT }, means: /error RCODE17/, who: [OPERATOR, OWNER] },
  ],
  lame: (['upward', 'self', 'sideways', 'empty'] as const).map((reason) => ({
    end: { kind: 'lame', reason, ...(reason === 'empty' ? {} : { referredTo: parseName('.') }), ...AT },
    means: {
      upward: /back up, to the root/,
      self: /very same zone/,
      sideways: /not lead/,
      empty: /is empty/,
    }[reason],
    who: [OPERATOR, OWNER],
    what: /primary or a secondary/,
  })),
  servfail: [
    {
      end: { kind: 'servfail', ...NOBODY },
      means: /No name server of shop\.example/,
      who: [OWNER],
      what: /at least one/,
    },
  ],
  'alias-loop': [
    {
      end: { kind: 'alias-loop', target: parseName('a.example'), ...AT },
      means: /whoever looks up www\.shop\.example comes back to a\.example/,
      who: [`${OWNER} or of another zone in the circle`],
    },
  ],
  'no-glue': [
    {
      end: { kind: 'no-glue', nameserver: parseName('ns2.shop.example'), ...NOBODY },
      means:
        /ns2\.shop\.example is a name server of shop\.example and lies inside it.* example does not send it/,
      who: [OWNER],
      what: /to the registrar as host records, so that example sends them along/,
    },
    {
      end: { kind: 'no-glue', nameserver: NS, cause: { kind: 'timeout', ...LOOKUP }, ...NOBODY },
      means: /Asking for it nonetheless failed: timeout: no reply \(ns2\.host\.test, at host\.test\)/,
      who: [OWNER],
    },
  ],
  'unresolvable-ns': [
    {
      end: { kind: 'unresolvable-ns', nameserver: NS, cause: { kind: 'nxdomain', ...LOOKUP }, ...NOBODY },
      means: /The address of ns2\.host\.test, a name server of shop\.example, is not to be found: NXDOMAIN/,
      who: [OWNER, 'the owner of host.test'],
      what: /if nobody has registered its domain, anybody can/,
    },
    {
      end: { kind: 'unresolvable-ns', nameserver: NS, cause: { kind: 'nodata', ...LOOKUP }, ...NOBODY },
      means: /NODATA/,
      who: [OWNER, 'the owner of host.test'],
      what: /address record/,
    },
    {
      end: {
        kind: 'unresolvable-ns',
        nameserver: NS,
        cause: { kind: 'loop', nameserver: NS, ...LOOKUP },
        ...NOBODY,
      },
      means: /one has to know it already \(the search comes back to ns2\.host\.test\)/,
      who: [OWNER, 'the owners of the zones'],
      what: /break the ring/,
    },
    {
      end: {
        kind: 'unresolvable-ns',
        nameserver: NS,
        cause: { kind: 'timeout', ...LOOKUP, server: SERVER },
        ...NOBODY,
      },
      means: /timeout: no reply \(ns2\.host\.test, at ns1\.host\.test \(192\.0\.2\.1\)\)/,
      who: [OWNER, OPERATOR, 'the owner of host.test'],
      what: /port 53/,
    },
    {
      end: {
        kind: 'unresolvable-ns',
        nameserver: NS,
        cause: { kind: 'query-limit', limit: 9, ...LOOKUP },
        ...NOBODY,
      },
      means: /was not found out\. The traversal was to ask no more than 9 questions/,
      who: ['you'],
      what: /--max-queries/,
    },
  ],
  loop: [
    {
      end: { kind: 'loop', nameserver: NS, ...NOBODY },
      means: /address of ns2\.host\.test, one has to know it already/,
      who: ['the owners of the zones'],
    },
  ],
  blocked: [
    {
      end: { kind: 'blocked', ...AT },
      means: /was not asked/,
      who: [OWNER, 'you'],
      what: /--allow-special-targets/,
    },
  ],
  'depth-limit': [
    {
      end: { kind: 'depth-limit', limit: 30, ...NOBODY },
      means: /more than 30 referrals/,
      who: ['you', OWNER],
      what: /--max-depth/,
    },
  ],
  'query-limit': [
    {
      end: { kind: 'query-limit', limit: 9, ...AT },
      means: /more than 9 questions/,
      who: ['you'],
      what: /--max-queries/,
    },
  ],
  'time-limit': [
    {
      end: { kind: 'time-limit', limit: 9, ...AT },
      means: /time was over/,
      who: ['you'],
      what: /--max-time/,
    },
  ],
  'work-limit': [
    {
      end: { kind: 'work-limit', limit: 9, ...AT },
      means: /after 9 steps/,
      who: ['you'],
      what: /--max-depth/,
    },
  ],
  pending: [{ end: { kind: 'pending', ...AT }, means: /not done/, who: ['you'] }],
};

t.test('every kind of end is explained', async (t) => {
  for (const [kind, rows] of Object.entries(ROWS)) {
    for (const { end, scene, means, who, what } of rows) {
      const servers = end.server === null ? [] : [end.server];
      const advice = explainEnd({ end, servers }, { ...SCENE, ...scene });
      const name = `${kind} ${means.source}`;
      t.equal(end.kind, kind);
      t.match(advice.means, means, name);
      t.same(
        advice.actions.map((action) => action.who),
        who,
        name,
      );
      if (what !== undefined) t.match(advice.actions.map((action) => action.what).join('\n'), what, name);
      t.notMatch(advice.means, /undefined|\.\.| {2}/, `${name}: is a sentence`);
    }
  }
});

t.test('several servers share an explanation, each named once with its addresses', async (t) => {
  const servers = [
    { name: NS, address: '2001:db8::2' },
    { name: NS, address: '192.0.2.2' },
    { name: SERVER.name, address: '192.0.2.1' },
  ];
  const end: End = { kind: 'lame', reason: 'self', ...AT };
  t.match(
    explainEnd({ end, servers }, SCENE).means,
    /^ns2\.host\.test \(192\.0\.2\.2, 2001:db8::2\) and ns1\.host\.test \(192\.0\.2\.1\) are named as servers/,
  );
  const blocked: End = { kind: 'blocked', ...AT };
  t.match(explainEnd({ end: blocked, servers }, SCENE).means, /were not asked/);
});

const FIXTURES = new URL('../fixtures/explain/', import.meta.url);

t.test('saved results are explained as expected', async (t) => {
  for (const name of savedNames) {
    const rows = explanationRows(savedResult(name), 'terse', 80);
    const expected = readFileSync(new URL(`${name}.txt`, FIXTURES), 'utf8');
    t.equal(
      table(rows, 80, (text) => text),
      expected,
      name,
    );
  }
});

t.test('each end is explained once, and together they are all', async (t) => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const result = await resultIn(randomWorld(seed));
    const paths = explanations(result).filter(({ view }) => view === 'path');
    const sum = paths.reduce(
      (total, { probability }) => total + Number(probability.numerator) / Number(probability.denominator),
      0,
    );
    t.ok(Math.abs(sum - 1) < 1e-9, `world ${seed}`);
    const servfail = result.resolver.outcomes.filter(({ kind }) => kind === 'servfail');
    const told = explanations(result).filter(({ view }) => view === 'resolver');
    t.equal(told.length, new Set(servfail.map(({ zone, question }) => `${zone} ${question.name}`)).size);
    t.ok(servfail.every(({ fraction: text }) => readFraction(text).numerator > 0n));
  }
});

t.test('explanations are part of the text where they are asked for', async (t) => {
  const look = { colour: 'off', detail: 'terse', width: 80 } as const;
  const result = savedResult('mixed');
  const [listed, explained] = [renderText(result, look), renderText(result, { ...look, ends: 'explained' })];
  t.notMatch(listed, /What these ends mean/);
  t.match(explained, /What these ends mean, and what to do\n +75 %/);
  t.ok(
    listed.split('\n').every((line) => explained.includes(line)),
    'and nothing is missing',
  );
  t.same(
    explained.split('\n').filter((line) => [...line].length > 80),
    [],
    'no line is too wide',
  );
  const attacked = renderText(hostile(result), { ...look, ends: 'explained' });
  t.notMatch(attacked.replaceAll('\n', ''), /[\p{C}\p{Zl}\p{Zp}]/u, 'nothing that a terminal acts on');
});

t.test('of very many ends the most probable are explained', async (t) => {
  const result = savedResult('mixed');
  const [first] = result.outcomes;
  if (first === undefined) throw new Error('there is no end');
  const outcomes = Array.from({ length: 20 }, (_, at) => ({
    ...first,
    zone: parseName(`z${at}.example`),
    fraction: '1/20',
  }));
  const rows = explanationRows({ ...result, outcomes }, 'terse', 80);
  t.match(rows.at(-1), [{ text: 'and 8 less probable ends (-v explains all)' }]);
  t.notMatch(JSON.stringify(explanationRows({ ...result, outcomes }, 'full', 80)), /less probable/);
});
