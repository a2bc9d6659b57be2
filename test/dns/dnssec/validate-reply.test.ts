import { INSECURE, trustFrom } from '../../../src/dns/dnssec/trust.ts';
import type { Cut, ZoneFacts } from '../../../src/dns/dnssec/verdict.ts';
import { parseName } from '../../../src/dns/name.ts';
import { NOW, recordLines, signingZone } from './signing.ts';
import { alias, answer, checkReplies, nodata, nxdomain, type ReplyRow, referral } from './verdicts.ts';

/** The zone asked, one below it on the same server, and one below that. */
const ZONE = signingZone('zone.test');
const BELOW = signingZone('below.zone.test');
const DEEPER = signingZone('deeper.below.zone.test');

const SOA = ZONE.sign('zone.test. 300 SOA ns.zone.test. root.zone.test. 1 2 3 4 5');
const BELOW_SOA = BELOW.sign('below.zone.test. 300 SOA ns.zone.test. root.zone.test. 1 2 3 4 5');
const UNSIGNED_SOA = 'below.zone.test. 300 SOA ns.zone.test. root.zone.test. 1 2 3 4 5\n';

function knowing(cuts: Readonly<Record<string, Cut>>, keys: ZoneFacts['keys'] = new Map()): ZoneFacts {
  return { cuts: new Map(Object.entries(cuts).map(([name, cut]) => [parseName(name), cut])), keys };
}

const secure: Cut = { kind: 'cut', trust: trustFrom(recordLines(BELOW.ds)) };
const insecure: Cut = { kind: 'cut', trust: INSECURE };
const noCut: Cut = { kind: 'no-cut' };
const noInsecureCut: Cut = { kind: 'no-insecure-cut' };
const noName: Cut = { kind: 'no-name' };
const unusable: Cut = { kind: 'unusable' };
const BELOW_KEYS = new Map([[BELOW.apex, BELOW.keys]]);

function check(title: string, rows: readonly ReplyRow[]): void {
  checkReplies(title, rows, ZONE.keys, NOW);
}

const CNAME = ZONE.sign('www.zone.test. 300 CNAME web.zone.test.');
const NSEC_AT = (owner: string, next: string, types: string) =>
  ZONE.sign(`${owner} 300 NSEC ${next} ${types} RRSIG NSEC`);
const WWW_TO_ZZ = NSEC_AT('www.zone.test.', 'zz.zone.test.', 'A');
const APEX = NSEC_AT('zone.test.', 'a.zone.test.', 'NS SOA DNSKEY');

const DNAME = ZONE.sign('old.zone.test. 300 DNAME zone.test.');
const CNAME_BY_DNAME = 'www.old.zone.test. 300 CNAME www.zone.test.\n';
const viaCname = (records: string) => alias(records, 'www.zone.test', 'web.zone.test');
const viaDname = (records: string) => alias(records, 'www.old.zone.test', 'www.zone.test');
const WWW = ZONE.sign('www.zone.test. 300 A 192.0.2.1');

check('answers and aliases', [
  ['signed records', 'www.zone.test A', answer(WWW), 'secure'],
  ['a signed alias', 'www.zone.test A', viaCname(CNAME), 'secure'],
  [
    'an alias with a spoilt signature',
    'www.zone.test A',
    viaCname(CNAME.replace('web', 'bed')),
    'bogus bad-signature',
  ],
  [
    'a signed alias, and records of its target that nobody signed',
    'www.zone.test A',
    viaCname(`${CNAME}web.zone.test. 300 A 192.0.2.1\n`),
    'secure',
  ],
  [
    'a signed alias of itself',
    'www.zone.test A',
    alias(ZONE.sign('www.zone.test. 300 CNAME www.zone.test.'), 'www.zone.test', 'www.zone.test'),
    'secure',
  ],
  ['a CNAME that its DNAME gives', 'www.old.zone.test A', viaDname(DNAME + CNAME_BY_DNAME), 'secure'],
  [
    'a CNAME that its DNAME does not give',
    'www.old.zone.test A',
    alias(`${DNAME}www.old.zone.test. 300 CNAME bad.test.\n`, 'www.old.zone.test', 'bad.test'),
    'needs cut old.zone.test.',
  ],
  [
    'a CNAME whose DNAME is expired',
    'www.old.zone.test A',
    viaDname(ZONE.sign('old.zone.test. 300 DNAME zone.test.', { expiration: -9 }) + CNAME_BY_DNAME),
    'bogus expired',
  ],
  ['a DNAME alone', 'www.old.zone.test A', alias(DNAME, 'old.zone.test', 'www.zone.test'), 'secure'],
  [
    'type CNAME, one that its DNAME gives',
    'www.old.zone.test CNAME',
    answer(DNAME + CNAME_BY_DNAME),
    'secure',
  ],
  [
    'type CNAME, one that its DNAME does not give',
    'www.old.zone.test CNAME',
    answer(`${DNAME}www.old.zone.test. 300 CNAME bad.test.\n`),
    'needs cut old.zone.test.',
  ],
  [
    'type CNAME, one more than its DNAME gives',
    'www.old.zone.test CNAME',
    answer(`${DNAME}${CNAME_BY_DNAME}www.old.zone.test. 300 CNAME bad.test.\n`),
    'needs cut old.zone.test.',
  ],
  [
    'ANY, a CNAME whose DNAME is expired',
    'www.old.zone.test ANY',
    answer(ZONE.sign('old.zone.test. 300 DNAME zone.test.', { expiration: -9 }) + CNAME_BY_DNAME),
    'bogus expired',
  ],
  ['ANY, all signed', 'www.zone.test ANY', answer(WWW + ZONE.sign('www.zone.test. 300 TXT "x"')), 'secure'],
  [
    'ANY, one spoilt',
    'www.zone.test ANY',
    answer(WWW + ZONE.sign('www.zone.test. 300 TXT "x"').replace('"x"', '"y"')),
    'bogus bad-signature',
  ],
  ['RRSIG records, which nobody signs', 'www.zone.test RRSIG', answer(WWW), 'insecure'],
]);

check('denials by NSEC', [
  ['a type that is not there', 'www.zone.test TXT', nodata(SOA + WWW_TO_ZZ), 'secure'],
  ['a type that is there', 'www.zone.test A', nodata(SOA + WWW_TO_ZZ), 'bogus no-proof'],
  [
    'a name that is an alias',
    'www.zone.test TXT',
    nodata(SOA + NSEC_AT('www.zone.test.', 'zz.zone.test.', 'CNAME')),
    'bogus no-proof',
  ],
  ['without SOA', 'www.zone.test TXT', nodata(WWW_TO_ZZ), 'secure'],
  [
    'with a SOA whose signature is spoilt',
    'www.zone.test TXT',
    nodata(SOA.replace(' 1 2 3', ' 2 2 3') + WWW_TO_ZZ),
    'bogus bad-signature',
  ],
  [
    'with a SOA without signature',
    'www.zone.test TXT',
    nodata(`${SOA.split('\n')[0]}\n${WWW_TO_ZZ}`),
    'bogus no-signature',
  ],
  [
    'an empty non-terminal',
    'b.zone.test A',
    nodata(NSEC_AT('a.zone.test.', 'c.b.zone.test.', 'A')),
    'secure',
  ],
  [
    'an empty non-terminal, said not to exist',
    'b.zone.test A',
    nxdomain(NSEC_AT('a.zone.test.', 'c.b.zone.test.', 'A') + APEX),
    'bogus no-proof',
  ],
  ['a name that does not exist', 'x.zone.test A', nxdomain(SOA + WWW_TO_ZZ + APEX), 'secure'],
  [
    'a name that does not exist, by one record',
    'x.zone.test A',
    nxdomain(SOA + NSEC_AT('zone.test.', 'zone.test.', 'NS SOA DNSKEY')),
    'secure',
  ],
  [
    'a name behind the last one',
    'zzz.zone.test A',
    nxdomain(NSEC_AT('zz.zone.test.', 'zone.test.', 'A') + APEX),
    'secure',
  ],
  ['no name, but a wildcard', 'x.zone.test A', nxdomain(WWW_TO_ZZ), 'bogus no-proof'],
  [
    'a name below a zone cut, by the parent',
    'x.www.zone.test A',
    nxdomain(NSEC_AT('www.zone.test.', 'zz.zone.test.', 'NS') + APEX),
    'bogus no-proof',
  ],
  [
    'a name below a DNAME',
    'x.www.zone.test A',
    nxdomain(NSEC_AT('www.zone.test.', 'zz.zone.test.', 'DNAME') + APEX),
    'bogus no-proof',
  ],
  [
    'the parent’s word on the child’s records',
    'www.zone.test A',
    nodata(NSEC_AT('www.zone.test.', 'zz.zone.test.', 'NS')),
    'bogus no-proof',
  ],
  [
    'a record that a wildcard made',
    'www.zone.test TXT',
    nodata(ZONE.sign('www.zone.test. 300 NSEC zz.zone.test. A', { wildcard: '*.zone.test' })),
    'bogus no-proof',
  ],
  [
    'an expired record',
    'www.zone.test TXT',
    nodata(ZONE.sign('www.zone.test. 300 NSEC zz.zone.test. A', { expiration: -1 })),
    'bogus expired',
  ],
  [
    'a record in capitals',
    'www.zone.test TXT',
    nodata(NSEC_AT('www.zone.test.', 'ZZ.Zone.test.', 'A')),
    'secure',
  ],
  ['no data of ANY', 'b.zone.test ANY', nodata(NSEC_AT('b.zone.test.', 'c.zone.test.', '')), 'secure'],
  [
    'a wildcard for a name that exists',
    'www.zone.test MX',
    answer(ZONE.sign('www.zone.test. 300 MX 1 x.zone.test.', { wildcard: '*.zone.test' }), WWW_TO_ZZ),
    'bogus no-proof',
  ],
  [
    'a wildcard for one that does not',
    'x.zone.test MX',
    answer(ZONE.sign('x.zone.test. 300 MX 1 x.zone.test.', { wildcard: '*.zone.test' }), WWW_TO_ZZ),
    'secure',
  ],
  [
    'a wildcard above a nearer name',
    'x.www.zone.test MX',
    answer(ZONE.sign('x.www.zone.test. 300 MX 1 x.zone.test.', { wildcard: '*.zone.test' }), WWW_TO_ZZ),
    'bogus no-proof',
  ],
]);

check('referrals', [
  [
    'with DS',
    'www.zone.test A',
    referral('www.zone.test', ZONE.sign(`www.zone.test. 300 DS 1 13 2 ${'00'.repeat(32)}`)),
    'secure, zone secure',
  ],
  [
    'with a DS that nobody can use',
    'www.zone.test A',
    referral('www.zone.test', ZONE.sign('www.zone.test. 300 DS 1 13 3 00')),
    'secure, zone insecure',
  ],
  [
    'with proof that there is none',
    'www.zone.test A',
    referral('www.zone.test', NSEC_AT('www.zone.test.', 'zz.zone.test.', 'NS')),
    'secure, zone insecure',
  ],
  [
    'with proof that there is one',
    'www.zone.test A',
    referral('www.zone.test', NSEC_AT('www.zone.test.', 'zz.zone.test.', 'NS DS')),
    'unproven',
  ],
  [
    'with the child’s own proof',
    'www.zone.test A',
    referral('www.zone.test', NSEC_AT('www.zone.test.', 'zz.zone.test.', 'NS SOA')),
    'unproven',
  ],
  [
    'with an expired DS',
    'www.zone.test A',
    referral('www.zone.test', ZONE.sign('www.zone.test. 300 DS 1 13 2 00', { expiration: -1 })),
    'unproven',
  ],
  ['with nothing', 'www.zone.test A', referral('www.zone.test'), 'unproven'],
  [
    'with DS by a zone in between',
    'x.deeper.below.zone.test A',
    referral('deeper.below.zone.test', BELOW.sign(DEEPER.ds)),
    'needs cut below.zone.test.',
  ],
  [
    'with DS by a zone in between whose keys are known',
    'x.deeper.below.zone.test A',
    referral('deeper.below.zone.test', BELOW.sign(DEEPER.ds)),
    'secure, zone secure',
    knowing({ 'below.zone.test': secure }, BELOW_KEYS),
  ],
  [
    'with DS by a zone in between that is insecure',
    'x.deeper.below.zone.test A',
    referral('deeper.below.zone.test', BELOW.sign(DEEPER.ds)),
    'insecure, zone insecure',
    knowing({ 'below.zone.test': insecure }),
  ],
  [
    'with DS by a zone in between that is none',
    'x.deeper.below.zone.test A',
    referral('deeper.below.zone.test', BELOW.sign(DEEPER.ds)),
    'unproven',
    knowing({ 'below.zone.test': noCut }),
  ],
  [
    'with DS by the zone itself',
    'x.below.zone.test A',
    referral('below.zone.test', BELOW.sign(BELOW.ds)),
    'unproven',
  ],
]);

const BELOW_WWW = BELOW.sign('www.below.zone.test. 300 A 192.0.2.1');

check('what a zone below signed', [
  ['records, nothing known', 'www.below.zone.test A', answer(BELOW_WWW), 'needs cut below.zone.test.'],
  [
    'its DS known',
    'www.below.zone.test A',
    answer(BELOW_WWW),
    'needs keys below.zone.test.',
    knowing({ 'below.zone.test': secure }),
  ],
  [
    'its keys, too',
    'www.below.zone.test A',
    answer(BELOW_WWW),
    'secure',
    knowing({ 'below.zone.test': secure }, BELOW_KEYS),
  ],
  [
    'no usable keys',
    'www.below.zone.test A',
    answer(BELOW_WWW),
    'bogus wrong-key',
    knowing({ 'below.zone.test': secure }, new Map([[BELOW.apex, 'none']])),
  ],
  ['no DS', 'www.below.zone.test A', answer(BELOW_WWW), 'insecure', knowing({ 'below.zone.test': insecure })],
  [
    'no cut',
    'www.below.zone.test A',
    answer(BELOW_WWW),
    'bogus wrong-signer',
    knowing({ 'below.zone.test': noCut }),
  ],
  [
    'no insecure cut',
    'www.below.zone.test A',
    answer(BELOW_WWW),
    'needs cut below.zone.test.',
    knowing({ 'below.zone.test': noInsecureCut }),
  ],
  [
    'no usable reply',
    'www.below.zone.test A',
    answer(BELOW_WWW),
    'bogus wrong-signer',
    knowing({ 'below.zone.test': unusable }),
  ],
  [
    'an expired signature',
    'www.below.zone.test A',
    answer(BELOW.sign('www.below.zone.test. 300 A 192.0.2.1', { expiration: -1 })),
    'bogus expired',
    knowing({ 'below.zone.test': secure }, BELOW_KEYS),
  ],
  [
    'a denial',
    'www.below.zone.test A',
    nodata(BELOW_SOA + BELOW.sign('www.below.zone.test. 300 NSEC below.zone.test. TXT')),
    'secure',
    knowing({ 'below.zone.test': secure }, BELOW_KEYS),
  ],
  [
    'a denial, nothing known',
    'www.below.zone.test A',
    nodata(BELOW_SOA + BELOW.sign('www.below.zone.test. 300 NSEC below.zone.test. TXT')),
    'needs cut below.zone.test.',
  ],
  [
    'a denial of DS at its own apex',
    'below.zone.test DS',
    nodata(BELOW_SOA + BELOW.sign('below.zone.test. 300 NSEC www.below.zone.test. NS SOA')),
    'bogus wrong-signer',
  ],
  ['a DS of its own', 'below.zone.test DS', answer(BELOW.sign(BELOW.ds)), 'bogus wrong-signer'],
  [
    'a DS of a zone below it',
    'deeper.below.zone.test DS',
    answer(BELOW.sign(DEEPER.ds)),
    'secure, zone secure',
    knowing({ 'below.zone.test': secure }, BELOW_KEYS),
  ],
]);

const PLAIN_WWW = 'www.below.zone.test. 300 A 192.0.2.1';

check('what nobody signed', [
  ['records at the zone’s apex', 'zone.test A', answer('zone.test. 300 A 192.0.2.1'), 'bogus no-signature'],
  ['records two names below', 'www.below.zone.test A', answer(PLAIN_WWW), 'needs cut below.zone.test.'],
  [
    'no cut there',
    'www.below.zone.test A',
    answer(PLAIN_WWW),
    'needs cut www.below.zone.test.',
    knowing({ 'below.zone.test': noCut }),
  ],
  [
    'no cut anywhere',
    'www.below.zone.test A',
    answer(PLAIN_WWW),
    'bogus no-signature',
    knowing({ 'below.zone.test': noCut, 'www.below.zone.test': noCut }),
  ],
  [
    'no insecure cut anywhere',
    'www.below.zone.test A',
    answer(PLAIN_WWW),
    'bogus no-signature',
    knowing({ 'below.zone.test': noInsecureCut, 'www.below.zone.test': noInsecureCut }),
  ],
  [
    'an insecure cut',
    'www.below.zone.test A',
    answer(PLAIN_WWW),
    'insecure',
    knowing({ 'below.zone.test': insecure }),
  ],
  [
    'an insecure cut below a secure one',
    'www.below.zone.test A',
    answer(PLAIN_WWW),
    'insecure',
    knowing({ 'below.zone.test': secure, 'www.below.zone.test': insecure }),
  ],
  [
    'a secure cut alone',
    'www.below.zone.test A',
    answer(PLAIN_WWW),
    'bogus no-signature',
    knowing({ 'below.zone.test': secure, 'www.below.zone.test': noCut }),
  ],
  [
    'no such name',
    'www.below.zone.test A',
    answer(PLAIN_WWW),
    'bogus no-signature',
    knowing({ 'below.zone.test': noName }),
  ],
  [
    'no usable reply',
    'www.below.zone.test A',
    answer(PLAIN_WWW),
    'bogus no-signature',
    knowing({ 'below.zone.test': unusable }),
  ],
  [
    'signed by a stranger',
    'www.below.zone.test A',
    answer(signingZone('else.test').sign(PLAIN_WWW)),
    'bogus wrong-signer',
    knowing({ 'below.zone.test': noName }),
  ],
  [
    'a denial below an insecure cut',
    'www.below.zone.test A',
    nodata(UNSIGNED_SOA),
    'insecure',
    knowing({ 'below.zone.test': insecure }),
  ],
  [
    'a denial below no cut',
    'www.below.zone.test A',
    nxdomain(UNSIGNED_SOA),
    'bogus no-proof',
    knowing({ 'below.zone.test': noName }),
  ],
  [
    'a denial of DS, up to the name above',
    'www.below.zone.test DS',
    nodata(UNSIGNED_SOA),
    'bogus no-proof',
    knowing({ 'below.zone.test': noCut }),
  ],
  [
    'a DS, up to the name above',
    'www.below.zone.test DS',
    answer('www.below.zone.test. 300 DS 1 13 2 00'),
    'insecure, zone insecure',
    knowing({ 'below.zone.test': insecure }),
  ],
]);

check('replies to DS questions', [
  ['DS records', 'below.zone.test DS', answer(ZONE.sign(BELOW.ds)), 'secure, zone secure'],
  [
    'a cut without',
    'below.zone.test DS',
    nodata(SOA + NSEC_AT('below.zone.test.', 'c.zone.test.', 'NS')),
    'secure, zone insecure',
  ],
  ['no cut', 'below.zone.test DS', nodata(SOA + NSEC_AT('below.zone.test.', 'c.zone.test.', 'A')), 'secure'],
  ['no name', 'x.zone.test DS', nxdomain(SOA + WWW_TO_ZZ + APEX), 'secure'],
  ['an alias', 'www.zone.test DS', viaCname(CNAME), 'secure'],
]);
