import t from 'tap';
import { bogus } from '../../src/validate/bogus.ts';
import { NODE_CRYPTO } from '../../src/validate/node-crypto.ts';
import { rrsetsIn } from '../../src/validate/rrset.ts';
import { namesKey, trustFrom } from '../../src/validate/trust.ts';
import { verifyRrset } from '../../src/validate/verify-rrset.ts';
import { keysIn, validationAt } from './judged.ts';
import { recordLines } from './record-lines.ts';
import { SIGNED_EXAMPLES, type SignedExample } from './vectors/signed-examples.ts';

t.test('what the RFCs of each algorithm sign', async (t) => {
  for (const example of SIGNED_EXAMPLES) {
    t.same(
      verified(example),
      example.is === 'verified' ? { kind: 'verified' } : bogus(example.is),
      example.says,
    );
  }
});

t.test('nor does it verify once its data, its signature or its TTL is another', async (t) => {
  for (const example of SIGNED_EXAMPLES.filter(({ is }) => is === 'verified')) {
    for (const changed of spoilt(example))
      t.same(
        verified(changed),
        bogus(changed.is === 'verified' ? 'bad-signature' : changed.is),
        changed.says,
      );
  }
});

t.test('the DS records that they give for the keys', async (t) => {
  const withDs = SIGNED_EXAMPLES.filter(({ ds }) => ds !== undefined);
  t.ok(withDs.length >= 4, 'there are some');
  for (const { says, key, ds = '' } of withDs) {
    const { zone, keys } = keysIn(zoneOf(key), key);
    const trust = trustFrom(recordLines(ds));
    const [only] = keys;
    t.ok(trust.kind === 'secure' && only && namesKey(trust, zone, only, NODE_CRYPTO.digest), says);
    const [tag = ''] = recordLines(ds).map(({ data }) => data.split(' ')[0]);
    t.equal(only?.tag, Number(tag), `${says}: key tag`);
  }
});

function verified({ key, rrset, moment }: SignedExample) {
  const records = recordLines(rrset);
  const [first] = records;
  const signed = first && rrsetsIn(records).find(first.name, first.type);
  if (signed === undefined) throw new Error('an RRset was read');
  return verifyRrset(signed, keysIn(zoneOf(key), key), validationAt(moment));
}

function zoneOf(key: string): string {
  return recordLines(key)[0]?.name ?? '.';
}

/** The same with other data, another signature, another original TTL. */
function* spoilt(example: SignedExample): Generator<SignedExample> {
  const { says, rrset } = example;
  yield {
    ...example,
    says: `${says}, a digit more`,
    rrset: rrset.replace('192.0.2.', '192.0.3.').replace(' MX 10 ', ' MX 11 '),
  };
  yield { ...example, says: `${says}, the signature cut off`, rrset: rrset.replace(/\S{4}\s*$/, '') };
  yield {
    ...example,
    says: `${says}, another TTL`,
    rrset: rrset.replace(/(RRSIG \S+ \d+ \d+) 3600/, '$1 3601'),
  };
}
