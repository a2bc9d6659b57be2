import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { parseTrustAnchors } from '../../src/dns/dnssec/trust-anchors.ts';
import type { TraversalOptions } from '../../src/document/options.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { demoWorld } from '../../src/lab/demo-world.ts';
import { trustAnchorOf } from '../../src/lab/world.ts';
import { renderMermaid } from '../../src/report/mermaid.ts';
import { chainText, type Look, renderText } from '../../src/report/result-text.ts';
import { chainOf, chainVerdict } from '../../src/report/views/chain.ts';
import { demoResult } from '../lab/demo-result.ts';
import { hostile, savedResult } from './graph-results.ts';

const LOOK: Look = { colour: 'off', detail: 'terse', width: 100 };

/** Validated as of a day, whenever the tests run. */
const DNSSEC = {
  views: ['validating'],
  trustAnchors: parseTrustAnchors(trustAnchorOf(demoWorld())),
  at: '2026-11-24T00:00:00.000Z',
} as const;

async function validated(name: string, others: Partial<TraversalOptions> = {}): Promise<TraversalResult> {
  return await demoResult(name, 'A', { ...DNSSEC, ...others });
}

/** See renew.js there. */
const FIXTURES = new URL('../fixtures/chain/', import.meta.url);
const CHAINS = readdirSync(FIXTURES).flatMap((file) => (file.endsWith('.txt') ? file.slice(0, -4) : []));

t.test('chains of the demo look as expected', async (t) => {
  for (const name of CHAINS) {
    const expected = readFileSync(new URL(`${name}.txt`, FIXTURES), 'utf8');
    t.equal(chainText(await validated(name), LOOK), expected, name);
  }
});

t.test('nothing is secure or fine where something on the path answers in place of the servers', async (t) => {
  const result = await validated('www.hotel.example');
  t.notMatch(chainText(result, LOOK), /secure|✓/);
  t.notMatch(renderText(result, { ...LOOK, detail: 'full' }), /secure|✓/);
});

t.test('no line is wider than the terminal', async (t) => {
  for (const name of CHAINS) {
    for (const width of [40, 60, 80, 100, 132]) {
      const lines = chainText(await validated(name), { ...LOOK, detail: 'full', width }).split('\n');
      t.same(
        lines.filter((line) => [...line].length > width),
        [],
        `${name} at ${width}`,
      );
    }
  }
});

t.test('at 80 columns a good chain has a line for each key, DS record and answer', async (t) => {
  const lines = chainText(await validated('www.shop.example'), { ...LOOK, width: 80 }).split('\n');
  t.equal(lines.filter((line) => line.includes(' secure')).length, 7);
  t.notOk(lines.some((line) => line.trim() === 'secure'));
});

t.test('the chain in a few words', async (t) => {
  const rows: readonly (readonly [name: string, verdict: string])[] = [
    ['www.shop.example', 'secure from the root on'],
    ['nowhere.shop.example', 'secure from the root on'],
    [
      'www.expired.example',
      'bogus at DNSKEY of expired.example, from ns2.harbour.example.: the signature has expired',
    ],
    ['www.lost-key.example', 'bogus at DNSKEY of lost-key.example: no key fits the DS records of the parent'],
    ['www.dead.example', 'secure from the root on'],
  ];
  for (const [name, verdict] of rows)
    t.equal(chainVerdict(chainOf(await validated(name))).verdict, verdict, name);
});

t.test('signatures that begin or end within two days have the time of day', async (t) => {
  const at = '2026-10-02T12:00:00.000Z';
  const text = chainText(await validated('www.expired.example', { at }), { ...LOOK, width: 132 });
  t.match(text, '2026-09-01 to 2026-10-01 00:00  ✗ bogus');
  t.match(text, /2020-01-01 to 2079-12-31 +secure/);
});

t.test('what is imagined to be down says nothing', async (t) => {
  const result = await validated('www.expired.example');
  const down = withDown(result, 'ns2.harbour.example.');
  t.match(chainVerdict(chainOf(down)), { verdict: 'secure from the root on' });
});

/** As if a server did not reply: its steps alone tell of that. */
function withDown(result: TraversalResult, server: string): TraversalResult {
  const steps = result.steps.map((step) => ({
    ...step,
    nameservers: step.nameservers.map((one) => ({
      ...one,
      addresses: one.addresses.map((row) =>
        one.name === server ? { ...row, class: 'timeout' as const } : row,
      ),
    })),
  }));
  return { ...result, steps };
}

t.test('names and data of hostile servers print as text', async (t) => {
  const result = await validated('www.expired.example');
  const text = chainText(hostile(result), { ...LOOK, detail: 'full' });
  t.notMatch(text.replaceAll('\n', ''), /[\p{C}\p{Zl}\p{Zp}]/u, 'nothing that a terminal acts on');
});

t.test('without a view that validates there is no chain, and the text says why', async (t) => {
  const result = await validated('www.shop.example');
  const { validating: _, ...views } = result.views;
  const notChecked = [{ view: 'validating', reason: '--quick' }] as const;
  const without = { ...result, views, notChecked };
  t.same(chainOf(without), []);
  t.match(chainText(without, LOOK), '\nNo DNSSEC chain: DNSSEC: --quick\n');
  t.same(chainOf(savedResult('healthy')), []);
});

t.test('-v lists what was asked for DNSSEC, with the verdict on each reply', async (t) => {
  const result = await validated('www.expired.example');
  const rows = /\nAsked for DNSSEC\n\. DNSKEY +[abc]\.root\. .* secure +x\d+\n/;
  const bogus =
    /\nexpired\.example\. DNSKEY +ns2\.harbour\.example\. +198\.51\.100\.2 .*bogus: the signature has expired/;
  for (const render of [renderText, chainText]) {
    t.match(render(result, { ...LOOK, detail: 'full', width: 200 }), rows);
    t.match(render(result, { ...LOOK, detail: 'full', width: 200 }), bogus);
    t.notMatch(render(result, LOOK), 'Asked for DNSSEC');
  }
});

t.test('pictures have the chain at each zone', async (t) => {
  const shown = async (name: string) => renderMermaid(await validated(name)).replaceAll('<br/>', ' ');
  const [years, days] = ['2020-01-01 to 2079-12-31', '2026-09-01 to 2026-10-01'];
  t.match(
    await shown('www.shop.example'),
    `zone shop.example. DS 45502 SHA-256 by 52823, ${years} DNSKEY 45502 CSK ECDSAP256SHA256 by 45502, ${years} A 198.51.100.80 by 45502, ${years} ns1`,
  );
  t.match(
    await shown('www.expired.example'),
    `DNSKEY 61782 CSK ECDSAP256SHA256 by 61782, ${days} from ns2.harbour.example.: bogus: the signature has expired A`,
  );
  t.match(
    await shown('www.lost-key.example'),
    `DS 38968 ECDSAP256SHA256 SHA-256 (no such key) by 52823, ${years} DNSKEY 35827`,
  );
  t.match(await shown('www.unsigned.example'), 'insecure: no DS for unsigned.example. by NSEC3 opt-out');
  t.match(await shown('nowhere.denial.example'), 'A NXDOMAIN NSEC denial.example. to ');
});

t.test('keys of the root that do not fit are about the trust anchors', async (t) => {
  const trustAnchors = parseTrustAnchors(`. IN DS 20326 8 2 ${'ab'.repeat(32)}`);
  const result = await validated('www.shop.example', { trustAnchors });
  const why = 'no key fits the trust anchors';
  t.equal(chainVerdict(chainOf(result)).verdict, `bogus at DNSKEY of the root: ${why}`);
  const text = renderText(result, { ...LOOK, width: 1000, ends: 'explained' });
  t.match(text, 'users behind validating resolvers get SERVFAIL');
  t.match(text, "compare the trust anchors with IANA's");
  const verbose = { ...LOOK, width: 1000, detail: 'full' } as const;
  const everywhere = [
    renderText(result, verbose),
    chainText(result, verbose),
    renderMermaid(result).replaceAll('<br/>', ' '),
  ].join('\n');
  t.match(everywhere, `referral to example. (bogus: ${why})`);
  t.notMatch(everywhere, 'DS records of the parent');
});
