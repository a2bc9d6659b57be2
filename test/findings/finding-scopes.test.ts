import t from 'tap';
import { ALL_VIEWS, demoResult } from '../lab/demo-result.ts';

t.test('a finding about a server says what is wrong there: all, a name or a type', async (t) => {
  const rows: readonly (readonly [name: string, code: string, scope: object])[] = [
    ['www.dead.example', 'NS_NO_RESPONSE_UDP', {}],
    ['www.lame.example', 'NS_UPWARD_REFERRAL', {}],
    ['www.stale.example', 'SOA_SERIAL_DIFFERS', {}],
    ['www.mixed.example', 'ANSWERS_DIFFER', { names: ['www.mixed.example.'], types: ['A'] }],
    [
      'www.berlin.offices.example',
      'NS_NOT_AUTHORITATIVE',
      { names: ['berlin.offices.example.'], types: ['A', 'NS'] },
    ],
    ['www.firewall.example', 'DNSSEC_MISSING_AT_SERVER', { types: ['DNSKEY'] }],
    ['www.firewall.example', 'TCP_UNREACHABLE', { types: ['DNSKEY'] }],
  ];
  for (const [name, code, scope] of rows) {
    const { findings } = await demoResult(name, 'A', { ...ALL_VIEWS, check: true });
    const found = findings.filter((one) => one.code === code && one.server?.address !== undefined);
    t.ok(found.length > 0, `${name}: ${code}`);
    for (const one of found) t.same(one.scope, scope, `${name}: ${code}`);
  }
});

t.test('a finding that names no address has no scope', async (t) => {
  const { findings } = await demoResult('www.dead.example', 'A');
  for (const { server, scope } of findings) t.equal(scope === undefined, server?.address === undefined);
});
