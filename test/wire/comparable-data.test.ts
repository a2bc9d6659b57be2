import t from 'tap';
import { parseName } from '../../src/wire/name.ts';
import { comparableData } from '../../src/wire/record.ts';

const ROWS: readonly (readonly [type: string, data: string, compares: string, says: string])[] = [
  ['NSEC', 'A.eXample. A', 'a.example. A', 'the next name of NSEC'],
  ['HTTPS', '1 Foo.example. alpn="H2"', '1 foo.example. alpn="H2"', 'the target of HTTPS, but no parameter'],
  ['SVCB', '0 Foo.example.', '0 foo.example.', 'the target of SVCB'],
  ['CAA', '0 ISSUE "CA.example"', '0 issue "CA.example"', 'the tag of CAA, but not its value'],
  ['TXT', '"As It Is"', '"As It Is"', 'no text'],
];

t.test('what compares without case', async (t) => {
  for (const [type, data, compares, says] of ROWS)
    t.equal(comparableData({ name: parseName('x'), type, ttl: 1, data }), compares, says);
});
