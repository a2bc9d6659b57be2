/* Writes zone files in code. */

/**
 * A zone file from its records only: adds $ORIGIN, a TTL of 300 and a SOA, and removes the
 * indentation that all lines share, so that a zone can be written inside code:
 *
 * ```ts
 * zoneText('shop.example.', `
 *   @    NS    ns1
 *   ns1  A     192.0.2.1
 *        AAAA  2001:db8::1
 *   www  A     203.0.113.80
 * `)
 * ```
 *
 * `serial` is the SOA's. The SOA's last field, the TTL of negative answers, is 60.
 */
export function zoneText(apex: string, records: string, serial = 1): string {
  const origin = apex.endsWith('.') ? apex : `${apex}.`;
  return `$ORIGIN ${origin}\n$TTL 300\n@ SOA ns hostmaster ${serial} 2h 15m 2w 1m\n${outdent(records)}`;
}

function outdent(text: string): string {
  const lines = text.split('\n');
  const depths = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const shared = Math.min(...depths);
  return lines.map((line) => line.slice(shared)).join('\n');
}
