/** What Unbound's own tests of minimised names check (testdata/iter_resolve_minimised*.rpl), of its profile. */
import t from 'tap';
import { type Name, parseName, ROOT } from '../../../src/dns/name.ts';
import { evaluate } from '../../../src/evaluate/evaluate.ts';
import { fractionText } from '../../../src/evaluate/fraction.ts';
import { createExchange } from '../../../src/exchange/exchange.ts';
import { delegationOf } from '../../../src/explore/delegation.ts';
import { Explorer } from '../../../src/explore/explore.ts';
import type { Fault } from '../../../src/lab/faults.ts';
import { startLab } from '../../../src/lab/lab.ts';
import { zoneText } from '../../../src/lab/zone-text.ts';

const ZONE = zoneText(
  'example.com.',
  [
    '@ NS ns',
    'ns A 192.0.2.3',
    'www A 203.0.113.1',
    'www AAAA 2001:db8::1',
    'www.ent A 203.0.113.1',
    'www.ent AAAA 2001:db8::1',
  ].join('\n'),
);

interface Scenario {
  readonly name: string;
  readonly type: 'A' | 'AAAA';
  readonly faults: readonly Fault[];
  /** The share of users who have to ask twice. */
  readonly late?: string;
}

const scenarios: Readonly<Record<string, Scenario>> = {
  'a server in order': { name: 'www.example.com.', type: 'A', faults: [] },
  'NXDOMAIN at an empty non-terminal': {
    name: 'www.ent.example.com.',
    type: 'A',
    faults: [{ kind: 'denies-nodata', only: { name: 'ent.example.com.' } }],
  },
  'REFUSED to type A': {
    name: 'www.ent.example.com.',
    type: 'AAAA',
    faults: [{ kind: 'rcode', rcode: 'REFUSED', only: { zone: 'ent.example.com.', type: 'A' } }],
  },
  'no reply to type A': {
    name: 'www.example.com.',
    type: 'AAAA',
    faults: [{ kind: 'dead', only: { name: 'www.example.com.', type: 'A' } }],
    late: '1',
  },
};

t.test('minimised names as Unbound resolves them by its own tests', async (t) => {
  for (const [title, { name, type, faults, late }] of Object.entries(scenarios)) {
    const lab = await startLab({
      servers: [
        {
          name: 'k.root.',
          addresses: ['192.0.2.1'],
          zones: [zoneText('.', '@ NS k.root.\ncom NS a.gtld.\na.gtld A 192.0.2.2')],
        },
        {
          name: 'a.gtld.',
          addresses: ['192.0.2.2'],
          zones: [zoneText('com.', '@ NS a.gtld.\nexample NS ns.example\nns.example A 192.0.2.3')],
        },
        { name: 'ns.example.com.', addresses: ['192.0.2.3'], zones: [ZONE], faults },
      ],
    });
    t.teardown(lab.close);
    const explorer = new Explorer(
      {
        question: { name: parseName(name), type },
        hints: delegationOf(
          ROOT,
          new Map<Name, readonly string[]>(lab.roots.map((root) => [root.name, root.addresses])),
        ),
        families: [4],
        maxDepth: 30,
        maxWork: 1_000_000,
        specialTargets: 'allowed',
        warm: 'off',
        check: 'off',
        profiles: ['unbound'],
      },
      { maxQueries: 100, maxTimeMs: 60_000 },
    );
    const exchange = createExchange({ route: lab.route, timeoutMs: 300, retries: 0 });
    const { recording } = await explorer.run(exchange, new AbortController().signal);
    const unbound = evaluate(recording).views.get('unbound');
    const got = unbound?.outcomes.map(({ end, probability }) => `${end.kind} ${fractionText(probability)}`);
    t.same(got, ['answer 1'], title);
    t.equal(
      unbound?.late === undefined ? undefined : fractionText(unbound.late),
      late,
      `${title}: at the second try`,
    );
  }
});
