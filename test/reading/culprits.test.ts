import t from 'tap';
import { fractionText } from '../../src/evaluate/fraction.ts';
import { demoWorld } from '../../src/lab/demo/world.ts';
import { trustAnchorOf } from '../../src/lab/trust-anchor.ts';
import { culpritsOf } from '../../src/reading/culprits.ts';
import { someoneGetsNoAnswer } from '../../src/reading/user-shares.ts';
import { parseTrustAnchors } from '../../src/validate/trust-anchors.ts';
import { demoResult } from '../lab/demo-result.ts';

t.test('the servers at which paths go wrong, and whether somebody gets no answer', async (t) => {
  const rows: readonly (readonly [
    what: string,
    name: string,
    culprits: readonly string[],
    answers: 'all answered' | 'not all answered',
  ])[] = [
    ['all is well', 'www.shop.example', [], 'all answered'],
    ['one that refers up', 'www.lame.example', ['ns2.harbour.example. 1/2'], 'all answered'],
    ['one that is dead', 'www.dead.example', ['ns.dead.example. 1/2'], 'all answered'],
    ['one of whose two addresses is dead', 'www.six.example', ['ns1.six.example. 1/4'], 'all answered'],
    ['dead at one address, old at the other', 'www.mixed.example', ['ns.mixed.example. 1/4'], 'all answered'],
    [
      'two that differ: nobody knows which is right',
      'www.stale.example',
      ['ns1.harbour.example. 1/2', 'ns2.harbour.example. 1/2'],
      'all answered',
    ],
    [
      'two that differ on whether there is a name',
      'spring.sale.example',
      ['ns1.harbour.example. 1/2', 'ns2.harbour.example. 1/2'],
      'not all answered',
    ],
    [
      // Half of all paths pick ns2; half of the lookups of its A and half of its AAAA records would need it again.
      'one that cannot always be found',
      'www.missing-glue.example',
      ['ns2.missing-glue.example. 1/8'],
      'all answered',
    ],
    ['one that nobody can find', 'www.left.example', ['ns.right.test. 1'], 'not all answered'],
    ['an alias loop, which no server makes alone', 'www.circle.example', [], 'not all answered'],
    ['somebody else who answers for all of them', 'www.hotel.example', [], 'all answered'],
  ];
  for (const [what, name, culprits, answers] of rows) {
    const result = await demoResult(name, 'A');
    t.same(
      culpritsOf(result).map((one) => `${one.name} ${fractionText(one.share)}`),
      culprits,
      what,
    );
    t.equal(someoneGetsNoAnswer(result), answers === 'not all answered');
  }
  const { outcomes, findings } = await demoResult('www.dead.example', 'A');
  const healthy = await demoResult('www.shop.example', 'A');
  const warm = { outcomes, summary: [], resolver: { outcomes: [], summary: [] } };
  t.match(
    culpritsOf({ outcomes: healthy.outcomes, warm, findings, steps: [], exchanges: [] }),
    [{ name: 'ns.dead.example.' }],
    'warm ones too',
  );
});

t.test('with --dnssec also the servers whose replies do not verify', async (t) => {
  const dnssec = { dnssec: true, trustAnchors: parseTrustAnchors(trustAnchorOf(demoWorld())) };
  const rows: readonly (readonly [name: string, culprits: readonly string[]])[] = [
    ['www.shop.example', []],
    ['www.expired.example', ['ns2.harbour.example. 1/2 bogus']],
    ['www.dead.example', ['ns.dead.example. 1/2 timeout']],
  ];
  for (const [name, culprits] of rows) {
    const result = await demoResult(name, 'A', dnssec);
    const told = culpritsOf(result).map(
      (one) => `${one.name} ${fractionText(one.share)} ${[...new Set(one.ends.map(({ kind }) => kind))]}`,
    );
    t.same(told, culprits, name);
  }
});
