/** Findings about aliases. */
import { alias, answer, denial, type FindingRow, referral, reply, type Saying } from './world.ts';

const ANSWER = answer('192.0.2.80');
const WWW1 = '192.0.2.11 www.a. A';

/** An alias that both servers have, and what they say of the target. */
const aliased = (target: Saying) => ({
  [WWW1]: alias('w.a.'),
  '192.0.2.12 www.a. A': alias('w.a.'),
  '192.0.2.11 w.a. A': target,
  '192.0.2.12 w.a. A': target,
});

/** So many aliases in a row, by one of the servers. */
const chain = (links: number) => {
  const names = ['www.a.', ...Array.from({ length: links }, (_, i) => `c${i + 1}.a.`)];
  return Object.fromEntries(names.slice(1).map((target, i) => [`192.0.2.11 ${names[i]} A`, alias(target)]));
};

/** A reply to a name below x.a., which y.a. stands for. */
const redirected = (...records: readonly string[]) => ({
  ask: 'www.x.a. A',
  says: { '192.0.2.11 *': reply({ answer: ['x.a. DNAME y.a.', ...records] }) },
});

export const ALIASES: readonly FindingRow[] = [
  {
    code: 'CNAME_LOOP',
    shows: 'an alias of itself',
    says: { [WWW1]: alias('www.a.') },
    finds: ['error a.: 192.0.2.11'],
    tells: ['The alias www.a in a leads back to itself,'],
  },
  {
    code: 'CNAME_LOOP',
    shows: 'over two replies',
    says: aliased(alias('www.a.')),
    finds: ['critical a.: 192.0.2.11, 192.0.2.12, 192.0.2.11 w.a. A, 192.0.2.12 w.a. A'],
    tells: ['The alias w.a in a leads back to www.a,'],
  },
  { code: 'CNAME_LOOP', shows: 'an alias that ends', says: aliased(ANSWER), finds: [] },
  {
    code: 'CNAME_AT_APEX',
    shows: 'an alias beside the SOA record of a zone, whatever is asked for',
    ask: 'a. MX',
    says: { '192.0.2.11 a. MX': alias('www.a.'), '192.0.2.12 a. MX': alias('www.a.') },
    finds: ['error a.: 192.0.2.11, 192.0.2.12'],
    tells: [
      'a, the apex of a zone, is an alias of www.a, so its MX, TXT, NS and SOA records cannot be seen.',
    ],
  },
  { code: 'CNAME_AT_APEX', shows: 'an alias below the apex', says: aliased(ANSWER), finds: [] },
  {
    code: 'CNAME_CHAIN_LONG',
    shows: 'nine links',
    says: chain(9),
    finds: [
      `warning a.: 192.0.2.11, ${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `192.0.2.11 c${n}.a. A`).join(', ')}`,
    ],
    tells: ['www.a takes 9 aliases in a row'],
  },
  { code: 'CNAME_CHAIN_LONG', shows: 'eight links', says: chain(8), finds: [] },
  {
    code: 'CNAME_CHAIN_LONG',
    shows: 'two CNAME records at one name',
    says: { [WWW1]: reply({ answer: ['@ CNAME v.a.', '@ CNAME w.a.', 'v.a. A 192.0.2.80'] }) },
    finds: ['warning a.: 192.0.2.11'],
    tells: ['www.a in a has more than one CNAME record'],
  },
  {
    code: 'CNAME_CHAIN_LONG',
    shows: 'the same CNAME record twice',
    says: { [WWW1]: reply({ answer: ['@ CNAME v.a.', '@ CNAME v.a.', 'v.a. A 192.0.2.80'] }) },
    finds: [],
  },
  {
    code: 'CNAME_DANGLING',
    shows: 'the target does not exist',
    says: aliased(denial('nxdomain')),
    finds: ['warning a.: 192.0.2.11, 192.0.2.12, 192.0.2.11 w.a. A, 192.0.2.12 w.a. A'],
    tells: [
      'The alias www.a in a points to w.a, which does not exist. Add the records of that name, or correct or remove the alias.',
    ],
  },
  {
    code: 'CNAME_DANGLING',
    shows: 'the second of two aliases',
    says: {
      ...aliased(denial('nxdomain')),
      [WWW1]: alias('v.a.'),
      '192.0.2.12 www.a. A': alias('v.a.'),
      '192.0.2.11 v.a. A': alias('w.a.'),
      '192.0.2.12 v.a. A': alias('w.a.'),
    },
    finds: ['warning a.: 192.0.2.11 v.a. A, 192.0.2.12 v.a. A, 192.0.2.11 w.a. A, 192.0.2.12 w.a. A'],
    tells: ['The alias v.a in a points to w.a, which does not exist.'],
  },
  {
    code: 'CNAME_DANGLING',
    shows: 'a name of a zone below, which others have',
    says: {
      [WWW1]: alias('w.b.a.'),
      '192.0.2.12 www.a. A': alias('w.b.a.'),
      '192.0.2.11 w.b.a. A': referral('b.a. ns.b.a.=192.0.2.21'),
      '192.0.2.12 w.b.a. A': referral('b.a. ns.b.a.=192.0.2.21'),
      '192.0.2.21 *': denial('nxdomain', 'b.a.'),
    },
    finds: ['warning a.: 192.0.2.11, 192.0.2.12, 192.0.2.21 w.b.a. A'],
    tells: ['which does not exist. Correct or remove it before somebody else registers that name.'],
  },
  {
    code: 'CNAME_DANGLING',
    shows: 'a name of a zone below, which the same servers have',
    says: {
      [WWW1]: alias('w.b.a.'),
      '192.0.2.12 www.a. A': alias('w.b.a.'),
      '192.0.2.11 w.b.a. A': denial('nxdomain', 'b.a.'),
      '192.0.2.12 w.b.a. A': denial('nxdomain', 'b.a.'),
    },
    finds: ['warning a.: 192.0.2.11, 192.0.2.12, 192.0.2.11 w.b.a. A, 192.0.2.12 w.b.a. A'],
    tells: ['which does not exist. Correct or remove it before somebody else registers that name.'],
  },
  {
    code: 'CNAME_DANGLING',
    shows: 'to one of the servers it does',
    says: { ...aliased(denial('nxdomain')), '192.0.2.12 w.a. A': ANSWER },
    finds: [],
  },
  { code: 'CNAME_DANGLING', shows: 'it has other types', says: aliased(denial('nodata')), finds: [] },
  {
    code: 'DNAME_BAD_SYNTHESIS',
    shows: 'without the CNAME record',
    ...redirected('www.y.a. A 192.0.2.80'),
    finds: ['warning a. ns1.a. 192.0.2.11: 192.0.2.11'],
    tells: ['without the CNAME record that it implies'],
  },
  {
    code: 'DNAME_BAD_SYNTHESIS',
    shows: 'with another CNAME record',
    ...redirected('@ CNAME www.z.a.', 'www.z.a. A 192.0.2.80'),
    finds: ['warning a. ns1.a. 192.0.2.11: 192.0.2.11'],
    tells: ['with the wrong CNAME record (to www.z.a)'],
  },
  {
    code: 'DNAME_BAD_SYNTHESIS',
    shows: 'as it should be',
    ...redirected('@ CNAME www.y.a.', 'www.y.a. A 192.0.2.80'),
    finds: [],
  },
  {
    code: 'DNAME_BAD_SYNTHESIS',
    shows: 'the owner of the DNAME itself is not redirected',
    ...redirected('@ A 192.0.2.80'),
    ask: 'x.a. A',
    finds: [],
  },
];
