import t from 'tap';
import { extendedErrorName, extendedErrorsIn } from '../../src/dns/extended-errors.ts';

const ROWS: readonly (readonly [data: string, errors: ReturnType<typeof extendedErrorsIn>])[] = [
  ['0006', [{ code: 6, text: '' }]],
  ['001268656c6c6f', [{ code: 18, text: 'hello' }]],
  ['001268656c6c6f00', [{ code: 18, text: 'hello' }]],
  ['ffff', [{ code: 65_535, text: '' }]],
  ['0012ff', [{ code: 18, text: '\ufffd' }]],
  ['00', []],
  ['', []],
];

t.test('Extended DNS Errors among the options of a reply', async (t) => {
  const edns = { version: 0, payloadSize: 1232, do: true };
  for (const [data, errors] of ROWS) {
    const options = [
      { code: 3, data: '0012' },
      { code: 15, data },
    ];
    t.same(extendedErrorsIn({ ...edns, options }), errors, data);
  }
  t.same(extendedErrorsIn(undefined), []);
});

t.test('the names of their codes', async (t) => {
  const rows = [
    [0, 'Other Error'],
    [1, 'Unsupported DNSKEY Algorithm'],
    [7, 'Signature Expired'],
    [12, 'NSEC Missing'],
    [22, 'No Reachable Authority'],
    [27, 'Unsupported NSEC3 Iterations Value'],
    [65_000, 'unknown'],
  ] as const;
  for (const [code, name] of rows) t.equal(extendedErrorName(code), name);
});
