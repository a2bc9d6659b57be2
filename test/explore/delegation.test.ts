import t from 'tap';
import { parseName } from '../../src/dns/name.ts';
import {
  type Chain,
  Chains,
  chainForAlias,
  chainForLookup,
  delegationKey,
  delegationOf,
} from '../../src/explore/delegation.ts';
import { BUILT_IN_HINTS, parseRootHints, RootHintsError } from '../../src/explore/root-hints.ts';

t.test('delegations of equal content are equal, in whatever order they came', async (t) => {
  const glue = (...addresses: string[]) => new Map([[parseName('ns1.a.'), addresses]]);
  const zone = parseName('a.');
  const one = delegationOf(zone, glue('192.0.2.2', '192.0.2.1', '192.0.2.2'));
  t.equal(delegationKey(one), delegationKey(delegationOf(zone, glue('192.0.2.1', '192.0.2.2'))));
  t.not(delegationKey(one), delegationKey(delegationOf(zone, glue('192.0.2.1'))));
  t.not(delegationKey(one), delegationKey(delegationOf(parseName('b.'), glue('192.0.2.1', '192.0.2.2'))));
});

t.test('where aliases and lookups go on', async (t) => {
  const chains = new Chains();
  const zones = ['example.', 'shop.example.', 'eu.shop.example.'];
  const chain = zones.reduce(
    (above, zone) => chains.extend(above, delegationOf(parseName(zone), new Map())),
    chains.root(BUILT_IN_HINTS),
  );
  const at = (found: Chain | undefined) => found?.delegation.zone;
  const rows: [target: string, type: string, zone: string][] = [
    ['www.eu.shop.example.', 'A', 'eu.shop.example.'],
    ['eu.shop.example.', 'A', 'eu.shop.example.'],
    ['eu.shop.example.', 'DS', 'shop.example.'],
    ['www.shop.example.', 'A', 'shop.example.'],
    ['shop.example.', 'DS', 'example.'],
    ['cdn.test.', 'A', '.'],
    ['.', 'DS', '.'],
  ];
  for (const [target, type, zone] of rows) {
    t.equal(at(chainForAlias(chain, parseName(target), type)), zone, `alias to ${target} ${type}`);
  }
  const lookups: [nameserver: string, zone: string][] = [
    ['ns1.eu.shop.example.', 'shop.example.'],
    ['ns1.shop.example.', 'shop.example.'],
    ['ns1.other.example.', 'example.'],
    ['ns1.hoster.test.', '.'],
  ];
  for (const [nameserver, zone] of lookups) {
    t.equal(at(chainForLookup(chain, parseName(nameserver))), zone, `lookup of ${nameserver}`);
  }
  t.equal(
    chainForLookup(chains.root(BUILT_IN_HINTS), parseName('ns1.')),
    undefined,
    'nothing before the root',
  );
});

t.test('root hints', async (t) => {
  t.equal(BUILT_IN_HINTS.nameservers.length, 13);
  t.ok(BUILT_IN_HINTS.nameservers.every(({ glue }) => glue.length === 2));
  const file = [
    ';  comments and blank lines are fine',
    '',
    '.                        3600000      NS    A.ROOT-SERVERS.NET.',
    'A.ROOT-SERVERS.NET.      3600000      A     198.41.0.4',
    'A.ROOT-SERVERS.NET.      3600000 IN   AAAA  2001:503:BA3E::2:30 ; canonical afterwards',
    '. IN NS b.root-servers.net',
    'unlisted.example. A 192.0.2.1',
  ].join('\r\n');
  t.same(parseRootHints(file).nameservers, [
    { name: 'a.root-servers.net.', glue: ['198.41.0.4', '2001:503:ba3e::2:30'] },
    { name: 'b.root-servers.net.', glue: [] },
  ]);
  const wrong: [text: string, message: string][] = [
    ['', 'no NS record of the root zone (".") in it'],
    ['. NS', 'line 1: expected "owner [ttl] [IN] type data"'],
    ['\n. NS a. b.', 'line 2: expected "owner [ttl] [IN] type data"'],
    ['example. NS a.', 'line 1: NS record of example., expected "."'],
    ['a. A 127.1', 'line 1: "127.1" is not an address'],
    ['. TXT hello', 'line 1: type TXT, expected NS, A or AAAA'],
    ['. NS a..b.', 'line 1: '],
  ];
  for (const [text, message] of wrong) {
    t.throws(() => parseRootHints(text), RootHintsError);
    t.throws(() => parseRootHints(text), { message: new RegExp(`^${escaped(message)}`) }, message);
  }
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
