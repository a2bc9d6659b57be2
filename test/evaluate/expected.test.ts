import t from 'tap';
import { canMatch, type ExpectableEnd, expectationOf } from '../../src/evaluate/expected.ts';

const answer = (type: string, ...data: readonly string[]): ExpectableEnd => ({
  kind: 'answer',
  records: data.map((one) => ({ type, data: one })),
});
const two = answer('A', '192.0.2.1', '192.0.2.9');

t.test('an end is expected if each of its records fits an item', async (t) => {
  const rows: readonly (readonly [items: readonly string[], end: ExpectableEnd, expected: boolean])[] = [
    [['192.0.2.1'], answer('A', '192.0.2.1'), true],
    [['192.0.2.1'], two, false],
    [['192.0.2.1', '192.0.2.9'], two, true],
    [['+192.0.2.1'], two, true],
    [['+192.0.2.2'], two, false],
    [['+192.0.2.1', '192.0.2.9'], two, true],
    [['192.0.2.0/28'], two, true],
    [['192.0.2.0/29'], two, false],
    [['2001:db8::/32'], answer('AAAA', '2001:db8::1'), true],
    [['2001:DB8:0::1'], answer('AAAA', '2001:db8::1'), true],
    [['0.0.0.0/0'], answer('AAAA', '2001:db8::1'), false],
    [['WWW.Example.com'], answer('CNAME', 'www.example.com.'), true],
    [['mail.example.com'], answer('MX', '10 mail.example.com.'), true],
    [['10 mail.example.com.'], answer('MX', '10 mail.example.com.'), true],
    [['20 mail.example.com.'], answer('MX', '10 mail.example.com.'), false],
    [['v=spf1 -all'], answer('TXT', '"v=spf1 -all"'), true],
    [['v=spf1 -all'], answer('TXT', '"v=spf1" " -all"'), true],
    [['"v=spf1 -all"'], answer('TXT', '"v=spf1 -all"'), true],
    [['v=spf1 ~all'], answer('TXT', '"v=spf1 -all"'), false],
    [['0 Issue "ca.example"'], answer('CAA', '0 issue "ca.example"'), true],
    [['\\# 2 0AbC'], answer('TYPE65280', '\\# 2 0abc'), true],
    [['nxdomain'], { kind: 'nxdomain' }, true],
    [['NODATA'], { kind: 'nodata' }, true],
    [['nodata'], { kind: 'nxdomain' }, false],
    [['192.0.2.1', 'nxdomain'], { kind: 'nxdomain' }, true],
    [['192.0.2.1'], { kind: 'servfail' }, false],
  ];
  for (const [items, end, expected] of rows) {
    t.equal(expectationOf(items)(end), expected, `${items}: ${JSON.stringify(end)}`);
  }
});

t.test('an item that no answer of a type can match', async (t) => {
  const rows: readonly (readonly [item: string, type: string, can: boolean])[] = [
    ['192.0.2.1', 'A', true],
    ['+192.0.2.0/24', 'A', true],
    ['192.0.2.1', 'AAAA', false],
    ['2001:db8::1', 'AAAA', true],
    ['www.example.com', 'A', false],
    ['NXDOMAIN', 'A', true],
    ['+nodata', 'A', false],
    ['mail.example.com', 'MX', true],
    ['10 mail.example.com.', 'MX', true],
    ['192.0.2.1', 'MX', false],
    ['ns1.example.com', 'NS', true],
    ['192.0.2.1', 'NS', false],
    ['v=spf1 -all', 'TXT', true],
    ['0 issue "ca.example"', 'CAA', true],
    ['ca.example', 'CAA', false],
    ['\\# 2 0abc', 'TYPE65280', true],
    ['192.0.2.1', 'TYPE65280', false],
    ['192.0.2.1', 'ANY', true],
  ];
  for (const [item, type, can] of rows) t.equal(canMatch(item, type), can, `${item} ${type}`);
});
