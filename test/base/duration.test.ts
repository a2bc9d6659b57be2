import t from 'tap';
import { formatDuration, formatDurationMs, parseDuration, parseDurationMs } from '../../src/base/duration.ts';

const US = 1_000n;
const MS = 1_000_000n;
const S = 1_000_000_000n;
const M = 60n * S;
const H = 60n * M;
const MOST = 2n ** 63n;

const VALID: readonly (readonly [text: string, nanoseconds: bigint])[] = [
  ['0', 0n],
  ['+0', 0n],
  ['-0', 0n],
  ['0s', 0n],
  ['0h0m0s', 0n],
  ['5s', 5n * S],
  ['30s', 30n * S],
  ['1478s', 1478n * S],
  ['1h', H],
  ['10m', 10n * M],
  ['+5s', 5n * S],
  ['-5s', -5n * S],
  ['-10m', -10n * M],
  ['1ns', 1n],
  ['11us', 11n * US],
  ['12\u00b5s', 12n * US],
  ['12\u03bcs', 12n * US],
  ['13ms', 13n * MS],
  ['100ms', 100n * MS],
  ['15m', 15n * M],
  ['16h', 16n * H],
  ['005s', 5n * S],
  [`${'0'.repeat(40)}5s`, 5n * S],
  ['5.0s', 5n * S],
  ['5.6s', 5n * S + 600n * MS],
  ['5.s', 5n * S],
  ['.5s', 500n * MS],
  ['-.5s', -500n * MS],
  ['1.0s', S],
  ['1.00s', S],
  ['1.004s', S + 4n * MS],
  ['1.0040s', S + 4n * MS],
  ['100.00100s', 100n * S + MS],
  ['1.5s', 1_500n * MS],
  ['1.5h', 90n * M],
  ['0.5ns', 0n],
  ['1.9ns', 1n],
  ['1h30m', 90n * M],
  ['30m1h', 90n * M],
  ['1h1h', 2n * H],
  ['10.5s4m', 4n * M + 10n * S + 500n * MS],
  ['-2m3.4s', -(2n * M + 3n * S + 400n * MS)],
  ['1h2m3s4ms5us6ns', H + 2n * M + 3n * S + 4n * MS + 5n * US + 6n],
  ['39h9m14.425s', 39n * H + 9n * M + 14n * S + 425n * MS],
  ['0.3333333333333333333h', 20n * M],
  ['0.100000000000000000000h', 6n * M],
  ['0.830103483285477580700h', 49n * M + 48n * S + 372_539_827n],
  ['0.9223372036854775807h', 3_320_413_933_267n],
  [`0.${'0'.repeat(400)}1h`, 0n],
  ['52763797000ns', 52_763_797_000n],
  ['9007199254.740993ms', 9_007_199_254_740_993n],
  ['9223372036854775807ns', MOST - 1n],
  ['9223372036854775.807us', MOST - 1n],
  ['9223372036s854ms775us807ns', MOST - 1n],
  ['-9223372036854775807ns', -(MOST - 1n)],
  ['-9223372036854775808ns', -MOST],
  ['-9223372036854775.808us', -MOST],
  ['-9223372036s854ms775us808ns', -MOST],
  ['2562047h47m16.854775807s', MOST - 1n],
];

const INVALID: readonly string[] = [
  '',
  ' ',
  '3',
  '10',
  '00',
  '0.0',
  '-',
  '+',
  's',
  '.',
  '-.',
  '.s',
  '+.s',
  '1..5s',
  '1.5.s',
  '++5s',
  '+-5s',
  '5s-3s',
  '5 s',
  ' 5s',
  '5s ',
  '1h 30m',
  '1h,30m',
  '1d',
  '1w',
  '1H',
  '1S',
  '1Ms',
  '1sec',
  '1e3s',
  '0x1s',
  '1_000s',
  '\u0661s',
  '\uff15s',
  '1h30',
  'soon',
  'infinity',
  '1h\0',
  '\u00b5s',
  '1\u00b5',
  '-9223372036854775809ns',
  '9223372036854775808ns',
  '9223372036854775.808us',
  '9223372036854ms775us808ns',
  '2562048h',
  '3000000h',
  '4611686018427387904ns4611686018427387904ns',
  '9223372036854775808ns9223372036854775808ns',
  `${'9'.repeat(100_000)}h`,
];

const RENDERED: readonly (readonly [nanoseconds: bigint, text: string])[] = [
  [0n, '0s'],
  [1n, '1ns'],
  [999n, '999ns'],
  [1_000n, '1\u00b5s'],
  [1_100n, '1.1\u00b5s'],
  [999_999n, '999.999\u00b5s'],
  [MS, '1ms'],
  [2_200_000n, '2.2ms'],
  [100n * MS, '100ms'],
  [999_999_999n, '999.999999ms'],
  [S, '1s'],
  [1_500n * MS, '1.5s'],
  [3_300n * MS, '3.3s'],
  [30n * S, '30s'],
  [60n * S - 1n, '59.999999999s'],
  [M, '1m0s'],
  [90n * S, '1m30s'],
  [10n * M, '10m0s'],
  [4n * M + 5n * S + 1n * MS, '4m5.001s'],
  [H, '1h0m0s'],
  [90n * M, '1h30m0s'],
  [24n * H, '24h0m0s'],
  [5n * H + 6n * M + 7n * S + 1n, '5h6m7.000000001s'],
  [-1n, '-1ns'],
  [-90n * S, '-1m30s'],
  [MOST - 1n, '2562047h47m16.854775807s'],
  [-MOST, '-2562047h47m16.854775808s'],
];

t.test('durations', async (t) => {
  for (const [text, nanoseconds] of VALID) {
    t.equal(parseDuration(text), nanoseconds, `"${text.slice(0, 50)}" is ${nanoseconds} ns`);
  }
  for (const text of INVALID) {
    t.equal(parseDuration(text), undefined, `${JSON.stringify(text.slice(0, 50))} is none`);
  }
  for (const [nanoseconds, text] of RENDERED) {
    t.equal(formatDuration(nanoseconds), text);
    t.equal(parseDuration(text), nanoseconds, `${text} reads back`);
  }

  t.equal(parseDurationMs('1.5s'), 1_500);
  t.equal(parseDurationMs('250us'), 0.25);
  t.equal(parseDurationMs('-1h'), -3_600_000);
  t.equal(parseDurationMs('1'), undefined);
  t.equal(formatDurationMs(5_400_000), '1h30m0s');
  t.equal(formatDurationMs(0.25), '250\u00b5s');
  t.equal(formatDurationMs(-1_500), '-1.5s');
});
