import { readFileSync } from 'node:fs';
import t from 'tap';
import { ShapeError } from '../../src/base/shape.ts';
import { readResult } from '../../src/document/read-result.ts';
import { replay } from '../../src/traversal/node-replay.ts';

const FILE = new URL('../fixtures/document/schema-1.json', import.meta.url);
const saved = (): Record<string, unknown> => JSON.parse(readFileSync(FILE, 'utf8'));

const record = (type: string, data: string, more: object = {}) => ({
  name: 'a.',
  type,
  ttl: 1,
  data,
  ...more,
});

/** The file with its first exchange changed. */
function withExchange(change: object): unknown {
  const document = saved();
  const [first, ...others] = Array.isArray(document.exchanges) ? document.exchanges : [];
  return { ...document, exchanges: [{ ...first, ...change }, ...others] };
}

function issuesOf(document: unknown): readonly string[] {
  try {
    readResult(document);
    return [];
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    return error.issues.map(({ pointer, detail }) => `${pointer}: ${detail}`);
  }
}

t.test('an exchange is read back as it was recorded, or refused with the place', async (t) => {
  const at = '/exchanges/0';
  const rows: readonly (readonly [change: object, issues: readonly string[]])[] = [
    [{}, []],
    [{ failure: 'timeout' }, []],
    [{ failure: 'unreachable', failureDetail: 'ECONNREFUSED' }, []],
    [{ failure: 'bored' }, [`${at}/failure: must be one of malformed, unreachable, timeout`]],
    [{ failure: 7 }, [`${at}/failure: must be one of malformed, unreachable, timeout`]],
    [{ rcode: undefined, bytes: 1.5 }, [`${at}/bytes: must be an integer, 0 or more`]],
    [{ rcode: undefined }, [`${at}: must have a failure, or rcode, flags, rttMs and bytes`]],
    [{ answer: undefined }, [`${at}: must have a failure, or the sections answer, authority and additional`]],
    [{ flags: ['zz'] }, [`${at}/flags/0: must be one of qr, aa, tc, rd, ra, ad, cd`]],
    [{ question: { name: 'a..b', type: 'A' } }, [/empty/.source]],
    [{ question: { name: 'a', type: 'a' } }, [`${at}/question/type: must be a record type`]],
    [{ server: { address: '1.2.3', names: [] } }, [`${at}/server/address: must be an IPv4 or IPv6 address`]],
    [{ answer: [record('A', '192.0.2.1'), record('NS', 'ns.'), record('TXT', '"a"')] }, []],
    [{ answer: [record('A', 'ns.')] }, [`${at}/answer/0/data: must be an IPv4 or IPv6 address`]],
    [{ answer: [record('A', 'ns.', { class: 'CH' })] }, []],
    [{ answer: [record('A', '\\# 3 010203')] }, []],
    [{ answer: [record('CNAME', 'a..b')] }, [/empty/.source]],
    [{ recordsOmitted: true, answer: undefined }, []],
    [{ recordsOmitted: 'yes' }, [`${at}/recordsOmitted: must be one of true`]],
  ];
  for (const [change, expected] of rows) {
    const issues = issuesOf(withExchange(change));
    t.equal(issues.length, expected.length, JSON.stringify(change));
    for (const [index, issue] of issues.entries()) t.ok(issue.includes(expected[index] ?? ''), issue);
  }
});

t.test('options that an earlier version did not have are those that apply unless changed', async (t) => {
  const { options } = saved();
  const { retries: _, edns: __, ...known } = { retries: 0, edns: '', ...(options ?? {}) };
  const { circumstances } = readResult({ ...saved(), options: known });
  t.match(circumstances.options, { retries: 2, edns: 'on', maxQueries: 5_000 });
});

t.test('addresses in records are read in canonical text', async (t) => {
  const answer = [record('AAAA', '2001:DB8:0::1'), record('AAAA', '2001:DB8:0::1', { class: 'CH' })];
  const [exchanged] = readResult(withExchange({ answer })).recording.exchanges.values();
  const data = exchanged?.outcome.kind === 'reply' ? exchanged.outcome.answer.map((one) => one.data) : [];
  t.same(data, ['2001:db8::1', '2001:DB8:0::1']);
});

t.test('a file that is no result, or lacks what a replay needs', async (t) => {
  t.same(issuesOf(7), [': must be an object']);
  t.same(issuesOf({ ...saved(), exchanges: [7] }), ['/exchanges/0: must be an object']);
  t.same(issuesOf({ ...saved(), delegations: [] }), ['/delegations: must hold the root hints (zone ".")']);
  t.same(issuesOf({ ...saved(), startedAt: 'yesterday', finishedAt: '2026-11-22T00:00:00+01:00' }), [
    '/startedAt: must be a time in UTC (ISO 8601)',
    '/finishedAt: must be a time in UTC (ISO 8601)',
  ]);
  // The last year that JavaScript knows, from which texts cannot count on.
  t.same(issuesOf({ ...saved(), startedAt: '+275760-09-13T00:00:00.000Z' }), [
    '/startedAt: must be a time in UTC (ISO 8601)',
  ]);
});

t.test('an exchange whose records were left out counts as not asked', async (t) => {
  const { recording } = readResult(withExchange({ recordsOmitted: true, additional: undefined }));
  const whole = readResult(saved()).recording;
  const [first] = whole.exchanges.values();
  t.equal(recording.exchanges.size, whole.exchanges.size - 1);
  t.strictSame(
    [...recording.unasked.values()],
    [
      {
        query: { address: first?.address, question: first?.question },
        why: { kind: 'query-limit', limit: 5_000 },
      },
    ],
  );
  const {
    complete,
    views: {
      'first-tries': { outcomes },
    },
  } = replay(readResult(withExchange({ recordsOmitted: true })));
  t.notOk(complete);
  const limited = outcomes.filter(({ kind }) => kind === 'query-limit');
  t.match(limited, [{ fraction: '1/3' }], 'that root server is a third of the paths');
});

t.test('what a file from before says is blocked, but not why, was on a deny list', async (t) => {
  const { unasked, exchanges, ...rest } = saved();
  const [first, ...others] = Array.isArray(exchanges) ? exchanges : [];
  const { server, question } = first;
  const document = { ...rest, exchanges: others, unasked: [{ kind: 'blocked', server, question }] };
  const whyIn = (read: object) => [...readResult(read).recording.unasked.values()].map((one) => one.why);
  t.strictSame(whyIn(document), [{ kind: 'blocked', reason: 'denied' }]);
  const said = { kind: 'blocked', reason: 'special-purpose' };
  t.strictSame(whyIn({ ...document, unasked: [{ ...said, server, question }] }), [said]);
});
