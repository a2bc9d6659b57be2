/** States of a rollover, and from when on steps are safe. */
import t from 'tap';
import { type KeyPart, type RolloverState, rolloverStates } from '../../../src/dns/dnssec/key-rollover.ts';

const TIME = 1_000_000;
const TTLS = { ds: 86_400, keys: 3_600, data: 7_200 };

/** "1 entry ds keys", "2 data=www A,mx MX": a tag, and what the key is and signs. */
function keyPart(text: string): KeyPart {
  const [tag = '', ...words] = text.split(' ');
  const signed = words.find((word) => word.startsWith('data='))?.slice('data='.length);
  return {
    tag: Number(tag),
    isEntryPoint: words.includes('entry'),
    hasDs: words.includes('ds'),
    signsKeys: words.includes('keys'),
    signed: new Set(signed?.split(',')),
  };
}

const KSK = '1 entry ds keys';
const ZSK = '2 data=a,b';

const ROWS: readonly (readonly [shows: string, keys: readonly string[], states: readonly RolloverState[]])[] =
  [
    ['no key at all', [], []],
    ['one key for everything', ['1 entry ds keys data=a'], []],
    ['a key for keys and one for data', [KSK, ZSK], []],
    ['a key for data that signs the keys, too', [KSK, '2 keys data=a'], []],
    ['a key for keys without SEP', ['1 ds keys', ZSK], []],
    ['no key validates', ['1 entry keys data=a', '3 entry ds'], []],
    [
      'double signature: the new key or the old one',
      [KSK, ZSK, '3 entry keys'],
      [
        {
          kind: 'signs-without-ds',
          key: 3,
          others: [1],
          publishDs: TIME + 3_600,
          removeOthers: TIME + 3_600 + 86_400,
          remove: TIME + 86_400,
        },
      ],
    ],
    [
      'double DS: the new key does not sign yet',
      [KSK, ZSK, '3 entry ds'],
      [{ kind: 'ds-without-signature', key: 3, others: [1], removeOthers: TIME + 86_400 }],
    ],
    [
      'both keys have DS records and sign',
      [KSK, ZSK, '3 entry ds keys'],
      [{ kind: 'double-ds', keys: [1, 3], removeDs: TIME + 86_400, remove: TIME + 2 * 86_400 }],
    ],
    ['a key on standby', [KSK, ZSK, '3 entry'], [{ kind: 'standby', key: 3, publishDs: TIME + 3_600 }]],
    [
      'a key for data that signs nothing',
      [KSK, ZSK, '3'],
      [{ kind: 'signs-nothing', key: 3, sign: TIME + 3_600, remove: TIME + 7_200 }],
    ],
    ['a key for data, where no data were seen', [KSK, '2', '3'], []],
    [
      'two keys for data that sign the same',
      [KSK, ZSK, '3 data=b'],
      [{ kind: 'double-signature', keys: [2, 3], remove: TIME + 7_200 }],
    ],
    [
      'two keys for data that sign different ones',
      [KSK, ZSK, '3 data=c'],
      [{ kind: 'mixed-signatures', keys: [2, 3], remove: TIME + 7_200 }],
    ],
    [
      'keys of both kinds at once',
      [KSK, ZSK, '3 entry', '4'],
      [
        { kind: 'standby', key: 3, publishDs: TIME + 3_600 },
        { kind: 'signs-nothing', key: 4, sign: TIME + 3_600, remove: TIME + 7_200 },
      ],
    ],
  ];

t.test('states of a rollover', async (t) => {
  for (const [shows, keys, states] of ROWS)
    t.same(rolloverStates({ keys: keys.map(keyPart), ttls: TTLS, time: TIME }), states, shows);
});

t.test('no step is safe before now', async (t) => {
  const short = rolloverStates({
    keys: [KSK, ZSK, '3 entry', '4'].map(keyPart),
    ttls: { ds: 0, keys: 0, data: 0 },
    time: TIME,
  });
  t.same(
    short.map((state) => ('publishDs' in state ? state.publishDs : undefined)),
    [TIME, undefined],
  );
});
