/** Profiles where replies are validated. */
import t, { type Test } from 'tap';
import type { ProfileName } from '../../../src/base/profile-names.ts';
import { NODE_CRYPTO } from '../../../src/dns/dnssec/node-crypto.ts';
import { trustFromAnchors } from '../../../src/dns/dnssec/trust-anchors.ts';
import { type Name, parseName, ROOT } from '../../../src/dns/name.ts';
import { evaluate } from '../../../src/evaluate/evaluate.ts';
import { fractionText } from '../../../src/evaluate/fraction.ts';
import { createExchange } from '../../../src/exchange/exchange.ts';
import { delegationOf } from '../../../src/explore/delegation.ts';
import { Explorer } from '../../../src/explore/explore.ts';
import { validatingScope } from '../../../src/explore/recording.ts';
import type { Fault } from '../../../src/lab/faults.ts';
import { startLab } from '../../../src/lab/lab.ts';
import { trustAnchorOf, type World } from '../../../src/lab/world.ts';
import { zoneText } from '../../../src/lab/zone-text.ts';

const HOME = zoneText(
  'home.test.',
  '@ NS ns1\n@ NS ns2\nns1 A 192.0.2.3\nns2 A 192.0.2.4\nwww.y A 203.0.113.1',
);

/** A signed zone whose first server has expired signatures; both do this to questions for an empty non-terminal. */
function worldWith(fault: Fault): World {
  const at = (name: string, address: string, zone: string, faults: readonly Fault[] = []) => {
    return { name, addresses: [address], zones: [zone], faults };
  };
  return {
    signed: { '.': {}, 'test.': {}, 'home.test.': {} },
    servers: [
      at('k.root.', '192.0.2.1', zoneText('.', '@ NS k.root.\ntest NS a.nic.test\na.nic.test A 192.0.2.2')),
      at(
        'a.nic.test.',
        '192.0.2.2',
        zoneText(
          'test.',
          '@ NS a.nic\na.nic A 192.0.2.2\nhome NS ns1.home\nhome NS ns2.home\nns1.home A 192.0.2.3\nns2.home A 192.0.2.4',
        ),
      ),
      at('ns1.home.test.', '192.0.2.3', HOME, [{ kind: 'flawed-signatures', flaw: 'expired' }, fault]),
      at('ns2.home.test.', '192.0.2.4', HOME, [fault]),
    ],
  };
}

async function outcomesIn(t: Test, world: World): Promise<ReadonlyMap<ProfileName, readonly string[]>> {
  const lab = await startLab(world);
  t.teardown(lab.close);
  const hints = new Map<Name, readonly string[]>(lab.roots.map((root) => [root.name, root.addresses]));
  const explorer = new Explorer(
    {
      question: { name: parseName('www.y.home.test.'), type: 'A' },
      hints: delegationOf(ROOT, hints),
      families: [4],
      maxDepth: 30,
      maxWork: 1_000_000,
      specialTargets: 'allowed',
      warm: 'off',
      check: 'off',
      profiles: ['bind', 'knot', 'powerdns'],
      dnssec: validatingScope(NODE_CRYPTO, {
        time: Date.UTC(2026, 0, 1) / 1000,
        anchors: trustFromAnchors(trustAnchorOf(world).trim().split('\n')),
      }),
    },
    { maxQueries: 100, maxTimeMs: 60_000 },
  );
  const exchange = createExchange({ route: lab.route, timeoutMs: 300, retries: 0 });
  const { recording } = await explorer.run(exchange, new AbortController().signal);
  return new Map(
    (evaluate(recording).profiles ?? []).map(({ name, validating, ...given }) => [
      name,
      (validating ?? given).outcomes.map(
        ({ end, probability }) => `${end.kind} of ${end.question.name} ${fractionText(probability)}`,
      ),
    ]),
  );
}

t.test('lookups that end at a minimised name do so where validation matters, too', async (t) => {
  const only = { name: 'y.home.test.', type: 'NS' };
  const silent = await outcomesIn(t, worldWith({ kind: 'dead', only }));
  for (const product of ['bind', 'knot'] as const)
    t.same(silent.get(product), ['servfail of y.home.test. 1'], product);
  const sound = await outcomesIn(t, worldWith({ kind: 'latency', ms: 1, only }));
  for (const product of ['bind', 'knot'] as const)
    t.same(sound.get(product), ['answer of www.y.home.test. 1'], product);
  const failing = silent.get('powerdns') ?? [];
  t.same(failing, sound.get('powerdns'), 'PowerDNS asks for type A');
  t.ok(
    failing.some((end) => end.startsWith('servfail')),
    'and takes the first reply',
  );
});
