/** Findings about delegations. */
import { answer, denial, type FindingRow, referral, tried } from './world.ts';

/** One root server is enough here. */
const ROOT = { roots: 'r1.=192.0.2.1' } as const;
const R1 = '192.0.2.1 *';
const ANSWER = answer('192.0.2.80');
const NODATA = denial('nodata', '.');

/** So many servers with long names. */
const long = (count: number) =>
  Array.from({ length: count }, (_, i) => `${'x'.repeat(60)}${i + 10}.a.=192.0.2.11`).join(' ');

export const DELEGATIONS: readonly FindingRow[] = [
  {
    code: 'PARENT_INCONSISTENT',
    shows: 'other name servers',
    says: { '192.0.2.2 *': referral('a. ns1.a.=192.0.2.11') },
    finds: ['error a.: 192.0.2.1, 192.0.2.2'],
  },
  {
    code: 'PARENT_INCONSISTENT',
    shows: 'other glue',
    says: {
      '192.0.2.2 *': referral('a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.13'),
      '192.0.2.13 *': ANSWER,
    },
    finds: ['error a.: 192.0.2.1, 192.0.2.2'],
    tells: ['r1 (192.0.2.1) returns ns1.a (192.0.2.11) and ns2.a (192.0.2.12), while r2 (192.0.2.2) returns'],
  },
  {
    code: 'PARENT_INCONSISTENT',
    shows: 'no delegation at all, says the parent zone',
    says: { '192.0.2.2 *': denial('nxdomain', '.') },
    finds: ['error a.: 192.0.2.1, 192.0.2.2'],
    tells: ['r2 (192.0.2.2) returns no delegation'],
  },
  {
    code: 'PARENT_INCONSISTENT',
    shows: 'a parent server that has the child zone as well denies the name out of it',
    says: { '192.0.2.2 *': denial('nxdomain', 'a.') },
    finds: [],
  },
  {
    code: 'PARENT_INCONSISTENT',
    shows: 'glue that need not be there',
    options: { families: [4] },
    says: {
      '192.0.2.1 *': referral('a. ns1.a.=192.0.2.11 ns.b.=192.0.2.12'),
      '192.0.2.2 *': referral('a. ns1.a.=192.0.2.11 ns.b.'),
      '192.0.2.1 ns.b. A': NODATA,
      '192.0.2.2 ns.b. A': NODATA,
    },
    finds: [],
  },
  {
    code: 'NS_COUNT_LOW',
    shows: 'one server',
    ...ROOT,
    says: { [R1]: referral('a. ns1.a.=192.0.2.11') },
    finds: ['error a. ns1.a.: 192.0.2.1'],
  },
  { code: 'NS_COUNT_LOW', shows: 'two servers; one root hint', ...ROOT, finds: [] },
  {
    code: 'NS_NAME_SYNTAX',
    shows: 'an address that somebody entered as a name',
    ...ROOT,
    options: { families: [4] },
    says: {
      [R1]: referral('a. ns1.a.=192.0.2.11 192.0.2.12.'),
      '192.0.2.1 192.0.2.12. A': denial('nxdomain', '.'),
    },
    finds: ['error a. 192.0.2.12.: 192.0.2.1'],
    tells: ['names 192.0.2.12 as a server, which looks like an address'],
  },
  {
    code: 'NS_NAME_SYNTAX',
    shows: 'octets that no host name has, escaped in the sentence',
    ...ROOT,
    says: { [R1]: referral('a. ns1.a.=192.0.2.11 n\\027\\.s_.a.=192.0.2.12') },
    finds: ['warning a. n\\027\\.s_.a.: 192.0.2.1'],
    tells: ['names n\\027\\.s_.a as a server, which is not a valid host name'],
  },
  {
    code: 'NS_NAME_SYNTAX',
    shows: 'a digit in front, a hyphen inside',
    ...ROOT,
    says: { [R1]: referral('a. 1ns.a.=192.0.2.11 ns-2.a.=192.0.2.12') },
    finds: [],
  },
  {
    code: 'REFERRAL_TOO_BIG',
    shows: 'eight long names do not fit',
    ...ROOT,
    says: { [R1]: referral(`a. ${long(8)}`) },
    finds: ['notice a.: 192.0.2.1'],
    // A header of 12 and a question of 7; for each server an NS record of 2 + 10 + 65, and glue of 2 + 10 + 4.
    tells: ['Even the smallest referral to a takes 763 octets'],
  },
  {
    code: 'REFERRAL_TOO_BIG',
    shows: 'of very many, enough are counted',
    ...ROOT,
    says: { [R1]: referral(`a. ${long(70)}`) },
    finds: ['notice a.: 192.0.2.1'],
    // As above, for 64 servers.
    tells: ['Even the smallest referral to a takes at least 5971 octets'],
  },
  {
    code: 'REFERRAL_TOO_BIG',
    shows: 'one came truncated',
    ...ROOT,
    says: { [R1]: tried('TC, tcp NOERROR', referral('a. ns1.a.=192.0.2.11 ns2.a.=192.0.2.12')) },
    finds: ['notice a.: 192.0.2.1'],
    tells: ['Referrals to a arrive truncated'],
  },
  {
    code: 'REFERRAL_TOO_BIG',
    shows: 'five do',
    ...ROOT,
    says: { [R1]: referral(`a. ${long(5)}`) },
    finds: [],
  },
];
