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
  t.equal(
    randomCase(name, () => 1),
    'A1-_Z.\\.B\\032\\255.EXAMPLE.',
  );
  let calls = 0;
  const alternating = (below: number) => {
    t.equal(below, 2);
    calls += 1;
    return calls % 2;
  };
  t.equal(randomCase(name, alternating), 'A1-_z.\\.B\\032\\255.eXaMpLe.');
  const sent = decodeMessage(encodeQuery({ id: 1, nameAsSent: randomCase(name, () => 1), type: 'A' }));
  t.equal(sent.questions[0]?.name, name);
  t.strictSame(nameToWire(name), nameToWire(parseName(randomCase(name, () => 1))));
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
