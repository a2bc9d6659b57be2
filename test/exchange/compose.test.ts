import t from 'tap';
import { compose, randomCase } from '../../src/exchange/compose.ts';
import { EXCHANGE_DEFAULTS } from '../../src/exchange/options.ts';
import { decodeMessage } from '../../src/wire/decode.ts';
import { encodeQuery } from '../../src/wire/encode.ts';
import { nameToWire, parseName } from '../../src/wire/name.ts';

t.test('0x20 changes the case of letters and nothing else', async (t) => {
  const name = parseName('a1-_z.\\.b\\032\\255.example');
  t.equal(
    randomCase(name, () => 0),
    name,
  );
  const upper = (below: number) => below - 1;
  t.equal(randomCase(name, upper), 'A1-_Z.\\.B\\032\\255.EXAMPLE.');
  const alternating = (below: number) => 0x5555_5555 % below;
  t.equal(randomCase(name, alternating), 'A1-_z.\\.B\\032\\255.eXaMpLe.');
  const sent = decodeMessage(encodeQuery({ id: 1, nameAsSent: randomCase(name, upper), type: 'A' }));
  t.equal(sent.questions[0]?.name, name);
  t.strictSame(nameToWire(name), nameToWire(parseName(randomCase(name, upper))));
});

t.test('every letter of a long name has a chance of its own', async (t) => {
  const name = parseName(`${'a'.repeat(40)}.${'b'.repeat(40)}`);
  const numbers = [0, 2 ** 32 - 1, 1];
  const cased = randomCase(name, () => numbers.shift() ?? 0);
  t.equal(cased, `${'a'.repeat(32)}${'A'.repeat(8)}.${'B'.repeat(24)}B${'b'.repeat(15)}.`);
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
    const { message } = compose(query, { ...stage, edns }, { ...EXCHANGE_DEFAULTS, dnssec });
    t.equal(decodeMessage(message).edns?.do, asks, `${dnssec} ${edns}`);
  }
});
