import t from 'tap';
import { compose } from '../../src/exchange/compose.ts';
import { mixCase } from '../../src/exchange/name-case.ts';
import { EXCHANGE_DEFAULTS } from '../../src/exchange/options.ts';
import type { Random } from '../../src/exchange/random.ts';
import { decodeMessage } from '../../src/wire/decode.ts';
import { encodeQuery } from '../../src/wire/encode.ts';
import { type Name, parseName, ROOT } from '../../src/wire/name.ts';

/** What a query for the name asks for once each letter has drawn its case. */
function sentAs(name: Name, random: Random): string | undefined {
  const query = encodeQuery({ id: 1, nameAsSent: name, type: 'A' });
  mixCase(query, random);
  const [question] = decodeMessage(query).questions;
  t.equal(question?.name, name);
  return question?.nameAsSent;
}

t.test('0x20 changes the case of letters and nothing else', async (t) => {
  const name = parseName('a1-_z.\\.b\\032\\255\\000.example');
  const lower = () => 0;
  t.equal(sentAs(name, lower), name);
  const upper = (below: number) => below - 1;
  t.equal(sentAs(name, upper), 'A1-_Z.\\.B\\032\\255\\000.EXAMPLE.');
  const alternating = (below: number) => 0x5555_5555 % below;
  t.equal(sentAs(name, alternating), 'A1-_z.\\.B\\032\\255\\000.eXaMpLe.');
  t.equal(sentAs(ROOT, upper), '.');
});

t.test('every letter of a long name has a chance of its own', async (t) => {
  const name = parseName(`${'a'.repeat(40)}.${'b'.repeat(40)}`);
  const numbers = [0, 2 ** 32 - 1, 1];
  const cased = sentAs(name, () => numbers.shift() ?? 0);
  t.equal(cased, `${'a'.repeat(32)}${'A'.repeat(8)}.${'B'.repeat(24)}B${'b'.repeat(15)}.`);
});

t.test('queries for the same differ in their ID and in the case of the name, in nothing else', async (t) => {
  const query = { address: '192.0.2.1', question: { name: parseName('www.example'), type: 'A' } };
  const stage = { transport: 'udp', edns: true, nameCase: 'mixed' } as const;
  const numbers = [0x1234, 2 ** 32 - 1, 0xfffe, 0];
  const random = () => numbers.shift() ?? 0;
  const composed = [1, 2].map(() => compose(query, stage, { ...EXCHANGE_DEFAULTS, random }));
  const [first, second] = composed.map(({ sent }) => decodeMessage(sent));
  t.match(first, { id: 0x1234, questions: [{ nameAsSent: 'WWW.EXAMPLE.' }] });
  t.match(second, { id: 0xfffe, questions: [{ nameAsSent: 'www.example.' }] });
  t.same({ ...first, id: 0, questions: [] }, { ...second, id: 0, questions: [] });
});

t.test('queries that differ in anything else are not taken for each other', async (t) => {
  const question = { name: parseName('www.example'), type: 'A' };
  const query = { address: '192.0.2.1', question };
  const stage = { transport: 'udp', edns: true, nameCase: 'lower' } as const;
  const options = { ...EXCHANGE_DEFAULTS, random: () => 0 };
  const all = [
    compose(query, stage, options),
    compose({ ...query, question: { ...question, type: 'AAAA' } }, stage, options),
    compose({ ...query, question: { ...question, name: parseName('example') } }, stage, options),
    compose({ ...query, class: 'CH' }, stage, options),
    compose({ ...query, flags: ['rd'] }, stage, options),
    compose({ ...query, ednsVersion: 1 }, stage, options),
    compose({ ...query, ednsOptions: [{ code: 3, data: '' }] }, stage, options),
    compose(query, { ...stage, edns: false }, options),
    compose(query, stage, { ...options, payloadSize: 512 }),
    compose(query, stage, { ...options, dnssec: true }),
    compose(query, stage, { ...options, random: () => 1 }),
  ];
  const octets = all.map(({ sent }) => Buffer.from(sent).toString('hex'));
  t.equal(new Set(octets).size, all.length);
});

t.test('a query asks for signatures if and only if it is told to, and only where it has EDNS', async (t) => {
  const query = { address: '192.0.2.1', question: { name: parseName('a.example'), type: 'A' } };
  const stage = { transport: 'udp', edns: true, nameCase: 'lower' } as const;
  const rows: readonly (readonly [dnssec: boolean | undefined, edns: boolean, asks: boolean | undefined])[] =
    [
      [undefined, true, false],
      [false, true, false],
      [true, true, true],
      [true, false, undefined],
    ];
  for (const [dnssec, edns, asks] of rows) {
    const { sent } = compose(query, { ...stage, edns }, { ...EXCHANGE_DEFAULTS, dnssec });
    t.equal(decodeMessage(sent).edns?.do, asks, `${dnssec} ${edns}`);
  }
});
