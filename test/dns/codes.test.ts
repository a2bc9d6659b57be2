import t from 'tap';
import {
  classCode,
  className,
  parseType,
  rcodeCode,
  rcodeName,
  typeCode,
  typeName,
} from '../../src/dns/codes.ts';

t.test('every type code has one name, and the name that code', async (t) => {
  const names = new Set<string>();
  for (let code = 0; code <= 65_535; code += 1) {
    const name = typeName(code);
    names.add(name);
    if (typeCode(name) !== code) t.fail(`${code} became ${name}`);
  }
  t.equal(names.size, 65_536);
});

t.test('types by name', async (t) => {
  const rows: readonly (readonly [mnemonic: string, code: number | undefined])[] = [
    ['A', 1],
    ['AAAA', 28],
    ['NSEC3PARAM', 51],
    ['HTTPS', 65],
    ['ANY', 255],
    ['CAA', 257],
    ['DLV', 32_769],
    ['TYPE65280', 65_280],
    ['TYPE1', 1],
    ['TYPE0', 0],
    ['TYPE65536', undefined],
    ['TYPE', undefined],
    ['TYPE-1', undefined],
    ['TYPE1e3', undefined],
    ['AAA', undefined],
    ['a', undefined],
    ['constructor', undefined],
    ['', undefined],
  ];
  for (const [mnemonic, code] of rows) t.equal(typeCode(mnemonic), code, mnemonic);
});

t.test('the type of a question as people write it', async (t) => {
  const rows: readonly (readonly [text: string, type: string | undefined])[] = [
    ['a', 'A'],
    ['Https', 'HTTPS'],
    ['type65', 'HTTPS'],
    ['TYPE65280', 'TYPE65280'],
    ['any', 'ANY'],
    ['ns ', undefined],
    ['AXFR', undefined],
    ['ixfr', undefined],
    ['type252', undefined],
    ['OPT', undefined],
    ['TYPE41', undefined],
    ['TSIG', undefined],
    ['TKEY', undefined],
    ['MAILA', undefined],
    ['MAILB', undefined],
    ['NXNAME', undefined],
    ['TYPE0', undefined],
    ['', undefined],
    ['typo', undefined],
  ];
  for (const [text, type] of rows) t.equal(parseType(text), type, JSON.stringify(text));
});

t.test('classes', async (t) => {
  for (const [code, name] of [
    [1, 'IN'],
    [3, 'CH'],
    [4, 'HS'],
    [255, 'ANY'],
    [2, 'CLASS2'],
    [65_535, 'CLASS65535'],
  ] as const) {
    t.equal(className(code), name);
    t.equal(classCode(name), code);
  }
  t.equal(classCode('CLASS1'), 1);
  t.equal(classCode('INTERNET'), undefined);
});

t.test('rcodes', async (t) => {
  for (const [code, name] of [
    [0, 'NOERROR'],
    [3, 'NXDOMAIN'],
    [5, 'REFUSED'],
    [16, 'BADVERS'],
    [23, 'BADCOOKIE'],
    [17, 'RCODE17'],
    [15, 'RCODE15'],
    [4095, 'RCODE4095'],
  ] as const) {
    t.equal(rcodeName(code), name);
    t.equal(rcodeCode(name), code);
  }
  t.equal(rcodeCode('RCODE4096'), undefined);
  t.equal(rcodeCode('OK'), undefined);
});
