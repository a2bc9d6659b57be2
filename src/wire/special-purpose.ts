import { BlockList } from 'node:net';

/** IANA IPv4 Special-Purpose Address Registry: rows not globally reachable; and multicast. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network (RFC 791)
  '10.0.0.0/8', // private (RFC 1918)
  '100.64.0.0/10', // shared, behind carriers' NAT (RFC 6598)
  '127.0.0.0/8', // loopback (RFC 1122)
  '169.254.0.0/16', // link-local (RFC 3927)
  '172.16.0.0/12', // private (RFC 1918)
  '192.0.0.0/24', // protocol assignments (RFC 6890), but for two of GLOBAL_IPV4
  '192.0.2.0/24', // documentation (RFC 5737)
  '192.88.99.0/24', // 6to4 relays, deprecated (RFC 7526)
  '192.168.0.0/16', // private (RFC 1918)
  '198.18.0.0/15', // benchmarking (RFC 2544)
  '198.51.100.0/24', // documentation (RFC 5737)
  '203.0.113.0/24', // documentation (RFC 5737)
  '224.0.0.0/4', // multicast (RFC 5771)
  '240.0.0.0/4', // reserved (RFC 1112), limited broadcast (RFC 919)
];

const GLOBAL_IPV4 = [
  '192.0.0.9/32', // Port Control Protocol anycast (RFC 7723)
  '192.0.0.10/32', // TURN anycast (RFC 8155)
];

/**
 * IANA IPv6 Special-Purpose Address Registry: rows not globally reachable. Outside 2000::/3 no
 * global unicast address is assigned at all, so three rows cover the registry's there.
 */
const SPECIAL_IPV6 = [
  '::/3', // unspecified, loopback, IPv4-mapped (RFC 4291), 64:ff9b:1::/48 (RFC 8215), 100::/64 (RFC 6666)
  '4000::/2', // segment routing 5f00::/16 (RFC 9602)
  '8000::/1', // unique local (RFC 4193), link-local, site-local and multicast (RFC 4291)
  '2001::/23', // protocol assignments (RFC 2928), Teredo (RFC 4380) among them; but for GLOBAL_IPV6
  '2001:db8::/32', // documentation (RFC 3849)
  '3fff::/20', // documentation (RFC 9637)
];

const GLOBAL_IPV6 = [
  '2001:1::1/128', // Port Control Protocol anycast (RFC 7723)
  '2001:1::2/128', // TURN anycast (RFC 8155)
  '2001:1::3/128', // DNS-SD service registration anycast (RFC 9665)
  '2001:3::/32', // AMT (RFC 7450)
  '2001:4:112::/48', // AS112 (RFC 7535)
  '2001:20::/28', // ORCHIDv2 (RFC 7343)
  '2001:30::/28', // drone remote identification (RFC 9374)
];

// A list for each family: one list takes IPv4 addresses for members of ::ffff:0:0/96.
const special = { ipv4: subnets(SPECIAL_IPV4, 'ipv4'), ipv6: subnets(SPECIAL_IPV6, 'ipv6') };
const globalAllTheSame = { ipv4: subnets(GLOBAL_IPV4, 'ipv4'), ipv6: subnets(GLOBAL_IPV6, 'ipv6') };

/** Whether an address (canonical text) is of a special-purpose block that is not globally reachable. */
export function isSpecialPurpose(address: string, family: 'ipv4' | 'ipv6'): boolean {
  return special[family].check(address, family) && !globalAllTheSame[family].check(address, family);
}

function subnets(rows: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const row of rows) {
    const [network = '', bits] = row.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
