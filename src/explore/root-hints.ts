import { parseAddress } from '../dns/address.ts';
import { type Name, NameError, parseName, ROOT } from '../dns/name.ts';
import { type Delegation, delegationOf } from './delegation.ts';

/** What is wrong with a root hints file, in one line. */
export class RootHintsError extends Error {
  override readonly name = 'RootHintsError';
}

/**
 * The root name servers (https://www.internic.net/domain/named.root, unchanged since b.root-servers.net
 * was renumbered in November 2023).
 */
const ROOT_SERVERS: readonly (readonly [letter: string, v4: string, v6: string])[] = [
  ['a', '198.41.0.4', '2001:503:ba3e::2:30'],
  ['b', '170.247.170.2', '2801:1b8:10::b'],
  ['c', '192.33.4.12', '2001:500:2::c'],
  ['d', '199.7.91.13', '2001:500:2d::d'],
  ['e', '192.203.230.10', '2001:500:a8::e'],
  ['f', '192.5.5.241', '2001:500:2f::f'],
  ['g', '192.112.36.4', '2001:500:12::d0d'],
  ['h', '198.97.190.53', '2001:500:1::53'],
  ['i', '192.36.148.17', '2001:7fe::53'],
  ['j', '192.58.128.30', '2001:503:c27::2:30'],
  ['k', '193.0.14.129', '2001:7fd::1'],
  ['l', '199.7.83.42', '2001:500:9f::42'],
  ['m', '202.12.27.33', '2001:dc3::35'],
];

/** The built-in root hints: the first delegation of every chain. */
export const BUILT_IN_HINTS: Delegation = delegationOf(
  ROOT,
  new Map(ROOT_SERVERS.map(([letter, v4, v6]) => [parseName(`${letter}.root-servers.net`), [v4, v6]])),
);

/**
 * Reads root hints in the format of named.root: one record per line, `owner [ttl] [class] type data`,
 * comments after `;`. NS records of other zones, and other types, are an error: they are not hints.
 * Throws a `RootHintsError` that names the line.
 */
export function parseRootHints(text: string): Delegation {
  const names = new Map<Name, string[]>();
  const addresses: (readonly [Name, string])[] = [];
  text.split(/\r?\n/).forEach((line, index) => {
    const fields = line.replace(/;.*/, '').trim().split(/\s+/).filter(Boolean);
    if (fields.length === 0) return;
    const record = readHint(fields, index + 1);
    if (record.kind === 'nameserver') names.set(record.name, []);
    else addresses.push([record.owner, record.address]);
  });
  if (names.size === 0) throw new RootHintsError('no NS record of the root zone (".") in it');
  for (const [owner, address] of addresses) names.get(owner)?.push(address);
  return delegationOf(ROOT, names);
}

type Hint =
  | { readonly kind: 'nameserver'; readonly name: Name }
  | { readonly kind: 'address'; readonly owner: Name; readonly address: string };

function readHint(fields: readonly string[], line: number): Hint {
  const [owner, ...rest] = fields;
  const [type, data, ...more] = rest.filter((field, index) => index > 1 || !/^(\d+|IN)$/i.test(field));
  if (owner === undefined || type === undefined || data === undefined || more.length > 0) {
    throw new RootHintsError(`line ${line}: expected "owner [ttl] [IN] type data"`);
  }
  switch (type.toUpperCase()) {
    case 'NS':
      if (owner !== '.') throw new RootHintsError(`line ${line}: NS record of ${owner}, expected "."`);
      return { kind: 'nameserver', name: readName(data, line) };
    case 'A':
    case 'AAAA': {
      const address = parseAddress(data);
      if (address === undefined) throw new RootHintsError(`line ${line}: "${data}" is not an address`);
      return { kind: 'address', owner: readName(owner, line), address };
    }
    default:
      throw new RootHintsError(`line ${line}: type ${type}, expected NS, A or AAAA`);
  }
}

function readName(text: string, line: number): Name {
  try {
    return parseName(text);
  } catch (error) {
    if (error instanceof NameError) throw new RootHintsError(`line ${line}: ${error.message}`);
    throw error;
  }
}
