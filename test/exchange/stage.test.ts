import t from 'tap';
import type { Flag } from '../../src/dns/message.ts';
import type { Ending } from '../../src/exchange/attempt.ts';
import type { ExchangeStage, Failure, Ignored } from '../../src/exchange/exchanged.ts';
import { type Decision, decide, type Tried, triesOf } from '../../src/exchange/stage.ts';

const UDP: ExchangeStage = { transport: 'udp', edns: true, nameCase: 'mixed' };
const TCP: ExchangeStage = { ...UDP, transport: 'tcp' };

function reply(rcode: string, ...flags: Flag[]): Ending {
  const message = {
    id: 1,
    opcode: 0,
    flags: ['qr', ...flags],
    rcode,
    questions: [],
    answer: [],
    authority: [],
    additional: [],
  } as const;
  return { kind: 'reply', message, bytes: 12, rttMs: 1 };
}

function ignored(reason: Ignored['reason'], detail?: string): Ignored {
  return { reason, bytes: 2, head: '0000', ...(detail === undefined ? {} : { detail }) };
}

const MISMATCH: Ending = { kind: 'case-mismatch' };
const TIMEOUT: Ending = { kind: 'timeout' };
const CLOSED: Ending = { kind: 'closed' };
const REFUSED: Ending = { kind: 'unreachable', code: 'ECONNREFUSED' };
const NO_HOST: Ending = { kind: 'unreachable', code: 'EHOSTUNREACH' };

function tried(ending: Ending, ...past: Ignored[]): Tried {
  return { ending, ignored: past };
}

t.test('what a reply leads to', async (t) => {
  const table: readonly (readonly [
    given: string,
    ExchangeStage,
    Ending,
    ExchangeStage | 'usable' | Failure,
  ])[] = [
    ['a plain reply', UDP, reply('NOERROR'), 'usable'],
    ['an error without EDNS to blame', UDP, reply('SERVFAIL'), 'usable'],
    ['FORMERR to EDNS', UDP, reply('FORMERR'), { ...UDP, edns: false }],
    ['NOTIMP to EDNS', UDP, reply('NOTIMP'), { ...UDP, edns: false }],
    ['BADVERS to EDNS', UDP, reply('BADVERS'), { ...UDP, edns: false }],
    ['FORMERR without EDNS', { ...UDP, edns: false }, reply('FORMERR'), 'usable'],
    ['FORMERR to EDNS over TCP', TCP, reply('FORMERR'), { ...TCP, edns: false }],
    ['truncated', UDP, reply('NOERROR', 'tc'), TCP],
    ['truncated FORMERR: EDNS first', UDP, reply('FORMERR', 'tc'), { ...UDP, edns: false }],
    [
      'truncated, in lower case without EDNS',
      { transport: 'udp', edns: false, nameCase: 'lower' },
      reply('NOERROR', 'tc'),
      { transport: 'tcp', edns: false, nameCase: 'lower' },
    ],
    ['truncated over TCP', TCP, reply('NOERROR', 'tc'), { kind: 'malformed', detail: 'truncated over TCP' }],
    ['the case changed', UDP, MISMATCH, { ...UDP, nameCase: 'lower' }],
    [
      'the case changed over TCP',
      { ...TCP, edns: false },
      MISMATCH,
      { transport: 'tcp', edns: false, nameCase: 'lower' },
    ],
  ];
  for (const [given, stage, ending, expected] of table) {
    for (const before of [[], [tried(TIMEOUT)], [tried(REFUSED, ignored('undecodable'))]]) {
      t.same(
        seen(decide(stage, [...before, tried(ending)], 3)),
        expected,
        `${given}, after ${before.length} tries`,
      );
    }
  }
});

t.test('what silence leads to', async (t) => {
  const table: readonly (readonly [
    given: string,
    ExchangeStage,
    readonly Tried[],
    most: number,
    'again' | Failure,
  ])[] = [
    ['nothing tried yet', UDP, [], 3, 'again'],
    ['silence once of three', UDP, [tried(TIMEOUT)], 3, 'again'],
    ['refused twice of three', UDP, [tried(REFUSED), tried(REFUSED)], 3, 'again'],
    ['silence in the only try', UDP, [tried(TIMEOUT)], 1, { kind: 'timeout' }],
    ['silence to the end', UDP, [tried(TIMEOUT), tried(TIMEOUT), tried(TIMEOUT)], 3, { kind: 'timeout' }],
    [
      'refused at last',
      UDP,
      [tried(TIMEOUT), tried(REFUSED)],
      2,
      { kind: 'unreachable', detail: 'ECONNREFUSED' },
    ],
    [
      'refused at first',
      UDP,
      [tried(NO_HOST), tried(TIMEOUT)],
      2,
      { kind: 'unreachable', detail: 'EHOSTUNREACH' },
    ],
    ['another ID only', UDP, [tried(TIMEOUT, ignored('wrong-id'))], 1, { kind: 'timeout' }],
    [
      'garbage under our ID',
      UDP,
      [tried(TIMEOUT, ignored('wrong-id'), ignored('undecodable', 'cut short'))],
      1,
      { kind: 'malformed', detail: 'cut short' },
    ],
    [
      'another question',
      UDP,
      [tried(TIMEOUT, ignored('wrong-question'))],
      1,
      { kind: 'malformed', detail: 'a reply to another question' },
    ],
    [
      'our query again',
      UDP,
      [tried(TIMEOUT, ignored('not-a-reply', 'a query came back'))],
      1,
      { kind: 'malformed', detail: 'a query came back' },
    ],
    [
      'garbage before it was refused',
      UDP,
      [tried(TIMEOUT, ignored('undecodable')), tried(REFUSED)],
      2,
      { kind: 'malformed', detail: 'a message that cannot be decoded' },
    ],
    ['closed over TCP, more to try', TCP, [tried(CLOSED)], 3, 'again'],
    ['closed over TCP', TCP, [tried(CLOSED)], 1, { kind: 'timeout', detail: 'closed before a whole reply' }],
    [
      'reset over TCP',
      TCP,
      [tried({ kind: 'unreachable', code: 'ECONNRESET' })],
      1,
      { kind: 'unreachable', detail: 'ECONNRESET' },
    ],
  ];
  for (const [given, stage, tries, most, expected] of table) {
    t.same(seen(decide(stage, tries, most)), expected, given);
  }
});

t.test('how many tries a stage has', async (t) => {
  t.equal(triesOf(UDP, UDP, 2), 3);
  t.equal(triesOf({ ...UDP, edns: false, nameCase: 'lower' }, UDP, 2), 3, 'a fallback has tries of its own');
  t.equal(triesOf(TCP, UDP, 2), 1, 'TCP after a truncated reply');
  t.equal(triesOf({ ...TCP, edns: false }, UDP, 2), 1);
  t.equal(triesOf(TCP, TCP, 2), 3, 'TCP from the start');
  t.equal(triesOf(UDP, UDP, 0), 1);
});

t.test('the fallbacks come to an end, whatever a server says', async (t) => {
  const endings = [MISMATCH, reply('FORMERR', 'tc'), reply('NOERROR', 'tc'), reply('NOTIMP')];
  let stages: ExchangeStage[] = [UDP];
  for (let depth = 0; depth < 4; depth += 1) {
    // To a query in lower case any case is accepted, so there is no mismatch.
    stages = stages.flatMap((stage) =>
      endings
        .filter((ending) => ending !== MISMATCH || stage.nameCase === 'mixed')
        .map((ending) => decide(stage, [tried(ending)], 1))
        .flatMap((decision) => (decision.kind === 'fall-back' ? [decision.stage] : [])),
    );
  }
  t.same(stages, []);
});

function seen(decision: Decision): ExchangeStage | Failure | 'usable' | 'again' {
  switch (decision.kind) {
    case 'fall-back':
      return decision.stage;
    case 'failed':
      return decision.failure;
    case 'usable':
    case 'again':
      return decision.kind;
  }
}
