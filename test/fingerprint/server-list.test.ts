import t from 'tap';
import type { ListedServer } from '../../src/document/servers.ts';
import { readyList } from '../../src/fingerprint/server-list.ts';
import { parseName } from '../../src/wire/name.ts';

function server(address: string, zones: readonly string[], version?: string): ListedServer {
  const row = { address, names: [], zones: zones.map(parseName) };
  if (version === undefined) return { ...row, versionBind: { status: 'refused', rcode: 'REFUSED' } };
  const versionBind = { status: 'answer', text: version } as const;
  return { ...row, versionBind, software: { product: 'BIND', version } };
}

t.test('which zones have servers that tell their version', async (t) => {
  const { findings = [] } = readyList([
    server('192.0.2.1', ['a.example'], '9.18.49'),
    server('192.0.2.2', ['a.example', 'b.example'], '9.16.1'),
    server('192.0.2.3', ['b.example']),
    server('192.0.2.4', ['c.example']),
  ]);
  t.same(
    findings.map(({ id, code, severity, zone, exchanges }) => [id, code, severity, zone, exchanges]),
    [
      ['f1', 'VERSION_DISCLOSED', 'info', 'a.example.', []],
      ['f2', 'VERSION_DISCLOSED', 'info', 'b.example.', []],
    ],
  );
  t.match(
    findings[0]?.message,
    /^2 addresses tell .*\(BIND 9\.18\.49 and 9\.16\.1\).*known vulnerabilities\. Not all run the same version: update the servers that run an older one\. Hide/,
  );
  t.match(findings[1]?.message, /^1 address tells .*\(BIND 9\.16\.1\)/);
  t.notMatch(findings[1]?.message, /older/);
});
