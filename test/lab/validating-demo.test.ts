import t from 'tap';
import type { OutcomeRow } from '../../src/document/ends.ts';
import { demoWorld } from '../../src/lab/demo/world.ts';
import { trustAnchorOf } from '../../src/lab/trust-anchor.ts';
import { demoResult } from './demo-result.ts';

type Row = readonly [question: string, validating: string[], firstTry?: string[]];

/**
 * Worked out by hand: what the demo's users get behind resolvers that try another server where something does not
 * verify, and behind those that take the first reply, if that is something else.
 */
const EXPECTED: readonly Row[] = [
  ['www.shop.example', ['1 secure 198.51.100.80']],
  ['www.blog.test AAAA', ['1 secure 2001:db8:2::110']],
  ['nowhere.shop.example', ['1 secure nxdomain']],
  ['80.100.51.198.in-addr.arpa PTR', ['1 secure www.shop.example.']],
  ['pic.img.shop.example', ['1 secure 198.51.100.80']],
  // Servers that are lame, refuse or are dead are not what a resolver takes first, either.
  ['www.lame.example', ['1 secure 198.51.100.101']],
  ['www.forgotten.example', ['1 secure 198.51.100.102']],
  ['www.dead.example', ['1 secure 198.51.100.107']],
  ['www.missing-glue.example', ['1 secure 198.51.100.111']],
  ['www.wrong-glue.example', ['1 secure 198.51.100.112']],
  ['www.six.example', ['1 secure 198.51.100.113']],
  ['www.intranet.example', ['1 secure 198.51.100.109']],
  ['post.letters.example TXT', ['1 secure "MIIB']],
  // What is stale was signed, too.
  ['www.stale.example', ['0.5 secure 192.0.2.104', '0.5 secure 198.51.100.104']],
  ['spring.sale.example', ['0.5 secure 198.51.100.106', '0.5 secure nxdomain']],
  ['www.launch.test', ['0.5 secure 203.0.113.111', '0.5 secure nxdomain']],
  ['www.mixed.example', ['0.25 secure 192.0.2.110', '0.75 secure 198.51.100.110']],
  ['www.moved.example', ['1 secure 203.0.113.103']],
  ['www.copied.example', ['1 secure 198.51.100.114']],
  ['www.berlin.offices.example', ['1 secure 198.51.100.115']],
  ['www.circle.example', ['1 secure alias-loop']],
  ['www.magazine.example', ['1 secure 203.0.113.200']],
  ['www.left.example', ['1 servfail unresolvable-ns']],
  ['www.old.example', ['1 insecure 198.51.100.108']],
  ['www.unsigned.example', ['1 insecure 198.51.100.121']],
  // An interceptor cannot sign: it speaks for a zone below one that the root says is signed.
  ['www.hotel.example', ['1 servfail no-signature']],
  // Its keys come from the second server half of the time, and what they should verify half of the other half.
  [
    'www.expired.example',
    ['1 secure 198.51.100.117'],
    ['0.25 secure 198.51.100.117', '0.75 servfail expired'],
  ],
  // Keys of one server do not verify what the other one signed.
  [
    'www.rollover.example',
    ['1 secure 198.51.100.118'],
    ['0.5 secure 198.51.100.118', '0.5 servfail wrong-key'],
  ],
  ['www.lost-key.example', ['1 servfail no-matching-ds']],
  ['nowhere.denial.example', ['1 servfail no-proof']],
  ['www.denial.example', ['1 secure 198.51.100.120']],
];

t.test('what users of the demo get behind validating resolvers', async (t) => {
  const dnssec = { dnssec: true, trustAnchors: trustAnchorOf(demoWorld()).trim().split('\n') } as const;
  await Promise.all(
    EXPECTED.map(async ([question, validating, firstTry = validating]) => {
      const [name = '', type = 'A'] = question.split(' ');
      const { validating: view } = await demoResult(name, type, dnssec);
      t.same(rowsOf(view?.outcomes ?? []), validating, question);
      t.same(rowsOf(view?.firstTry.outcomes ?? []), firstTry, `${question}, first try`);
    }),
  );
});

/** Sorted, those that read alike added up. */
function rowsOf(outcomes: readonly OutcomeRow[]): string[] {
  const sums = new Map<string, number>();
  for (const outcome of outcomes) {
    const text = textOf(outcome);
    sums.set(text, (sums.get(text) ?? 0) + outcome.probability);
  }
  return [...sums].map(([text, sum]) => `${Number(sum.toFixed(6))} ${text}`).sort();
}

function textOf(end: OutcomeRow): string {
  switch (end.kind) {
    case 'answer':
      return `${end.security} ${end.records.map(({ data }) => data.replace(/^("....).*/, '$1')).join()}`;
    case 'nxdomain':
    case 'nodata':
    case 'alias-loop':
      return `${end.security} ${end.kind}`;
    case 'servfail':
      return `servfail ${end.cause?.kind === 'bogus' ? end.cause.reason : end.cause?.kind}`;
    default:
      return end.kind;
  }
}
