import t from 'tap';
import type { Claim } from '../../src/validate/claim.ts';
import type { Cut, Knowledge } from '../../src/validate/knowledge.ts';
import { INSECURE, trustFrom } from '../../src/validate/trust.ts';
import { parseName } from '../../src/wire/name.ts';
import { judged, type ReplyRow, validationAt, verdictText } from './judged.ts';
import { recordLines } from './record-lines.ts';
import { NOW, signingZone } from './signing.ts';

/** The zone asked, one below it on the same server, and one below that. */
const ZONE = signingZone('zone.test');
const BELOW = signingZone('below.zone.test');
const DEEPER = signingZone('deeper.below.zone.test');

const SOA = ZONE.sign('zone.test. 300 SOA ns.zone.test. root.zone.test. 1 2 3 4 5');
const BELOW_SOA = BELOW.sign('below.zone.test. 300 SOA ns.zone.test. root.zone.test. 1 2 3 4 5');
const UNSIGNED_SOA = 'below.zone.test. 300 SOA ns.zone.test. root.zone.test. 1 2 3 4 5\n';

const answer: Claim = { kind: 'answer', links: [] };
const nodata: Claim = { kind: 'nodata' };
const nxdomain: Claim = { kind: 'nxdomain' };

function alias(
  kind: 'answer' | 'alias' | 'alias-loop',
  ...links: readonly (readonly [string, string])[]
): Claim {
  const named = links.map(([owner, target]) => ({ owner: parseName(owner), target: parseName(target) }));
  return { kind, links: named };
}

function referral(to: string): Claim {
  return { kind: 'referral', to: parseName(to) };
}

interface Row extends ReplyRow {
  readonly says: string;
  readonly is: string;
  readonly knowing?: Knowledge;
}

function knowing(cuts: Readonly<Record<string, Cut>>, keys: Knowledge['keys'] = new Map()): Knowledge {
  return { cuts: new Map(Object.entries(cuts).map(([name, cut]) => [parseName(name), cut])), keys };
}

const secure: Cut = { kind: 'cut', trust: trustFrom(recordLines(BELOW.ds)) };
const insecure: Cut = { kind: 'cut', trust: INSECURE };
const noCut: Cut = { kind: 'no-cut' };
const noName: Cut = { kind: 'no-name' };
const unusable: Cut = { kind: 'unusable' };
const BELOW_KEYS = new Map([[BELOW.apex, BELOW.keys]]);

function check(title: string, rows: readonly Row[]): void {
  t.test(title, async (t) => {
    const validation = validationAt(NOW);
    for (const row of rows)
      t.equal(verdictText(judged(row, ZONE.keys, validation, row.knowing)), row.is, row.says);
  });
}

const A = { name: 'www.zone.test', type: 'A' };
const CNAME = ZONE.sign('www.zone.test. 300 CNAME web.zone.test.');
const WEB = ZONE.sign('web.zone.test. 300 A 192.0.2.1');
const DNAME = ZONE.sign('old.zone.test. 300 DNAME zone.test.');
const CNAME_BY_DNAME = 'www.old.zone.test. 300 CNAME www.zone.test.\n';
const viaCname = alias('answer', ['www.zone.test', 'web.zone.test']);
const viaDname = alias('answer', ['www.old.zone.test', 'www.zone.test']);
const WWW = ZONE.sign('www.zone.test. 300 A 192.0.2.1');

check('answers and aliases', [
  { says: 'signed records', ...A, claim: answer, answer: WWW, is: 'secure' },
  { says: 'signed alias and records', ...A, claim: viaCname, answer: CNAME + WEB, is: 'secure' },
  {
    says: 'an alias with a spoilt signature',
    ...A,
    claim: viaCname,
    answer: CNAME.replace('web', 'bed') + WEB,
    is: 'bogus bad-signature',
  },
  {
    says: 'records with a spoilt signature behind an alias',
    ...A,
    claim: viaCname,
    answer: CNAME + WEB.replace('192.0.2.1', '192.0.2.2'),
    is: 'secure up to web.zone.test.',
  },
  {
    says: 'a second alias with an expired signature',
    ...A,
    claim: alias('alias', ['www.zone.test', 'web.zone.test'], ['web.zone.test', 'else.test']),
    answer: CNAME + ZONE.sign('web.zone.test. 300 CNAME else.test.', { expiration: -1 }),
    is: 'secure up to web.zone.test.',
  },
  {
    says: 'a loop of signed aliases',
    ...A,
    claim: alias('alias-loop', ['www.zone.test', 'web.zone.test'], ['web.zone.test', 'www.zone.test']),
    answer: CNAME + ZONE.sign('web.zone.test. 300 CNAME www.zone.test.'),
    is: 'secure',
  },
  {
    says: 'a CNAME that its DNAME gives',
    name: 'www.old.zone.test',
    type: 'A',
    claim: viaDname,
    answer: DNAME + CNAME_BY_DNAME + WWW,
    is: 'secure',
  },
  {
    says: 'a CNAME that its DNAME does not give',
    name: 'www.old.zone.test',
    type: 'A',
    claim: alias('alias', ['www.old.zone.test', 'bad.test']),
    answer: `${DNAME}www.old.zone.test. 300 CNAME bad.test.\n`,
    is: 'needs cut old.zone.test.',
  },
  {
    says: 'a CNAME whose DNAME is expired',
    name: 'www.old.zone.test',
    type: 'A',
    claim: viaDname,
    answer: ZONE.sign('old.zone.test. 300 DNAME zone.test.', { expiration: -9 }) + CNAME_BY_DNAME + WWW,
    is: 'bogus expired',
  },
  {
    says: 'a DNAME alone',
    name: 'www.old.zone.test',
    type: 'A',
    claim: alias('answer', ['old.zone.test', 'www.zone.test']),
    answer: DNAME + WWW,
    is: 'secure',
  },
  {
    says: 'type CNAME, one that its DNAME gives',
    name: 'www.old.zone.test',
    type: 'CNAME',
    claim: answer,
    answer: DNAME + CNAME_BY_DNAME,
    is: 'secure',
  },
  {
    says: 'type CNAME, one that its DNAME does not give',
    name: 'www.old.zone.test',
    type: 'CNAME',
    claim: answer,
    answer: `${DNAME}www.old.zone.test. 300 CNAME bad.test.\n`,
    is: 'needs cut old.zone.test.',
  },
  {
    says: 'type CNAME, one more than its DNAME gives',
    name: 'www.old.zone.test',
    type: 'CNAME',
    claim: answer,
    answer: `${DNAME}${CNAME_BY_DNAME}www.old.zone.test. 300 CNAME bad.test.\n`,
    is: 'needs cut old.zone.test.',
  },
  {
    says: 'ANY, a CNAME whose DNAME is expired',
    name: 'www.old.zone.test',
    type: 'ANY',
    claim: answer,
    answer: ZONE.sign('old.zone.test. 300 DNAME zone.test.', { expiration: -9 }) + CNAME_BY_DNAME,
    is: 'bogus expired',
  },
  {
    says: 'ANY, all signed',
    name: 'www.zone.test',
    type: 'ANY',
    claim: answer,
    answer: WWW + ZONE.sign('www.zone.test. 300 TXT "x"'),
    is: 'secure',
  },
  {
    says: 'ANY, one spoilt',
    name: 'www.zone.test',
    type: 'ANY',
    claim: answer,
    answer: WWW + ZONE.sign('www.zone.test. 300 TXT "x"').replace('"x"', '"y"'),
    is: 'bogus bad-signature',
  },
  {
    says: 'RRSIG records, which nobody signs',
    name: 'www.zone.test',
    type: 'RRSIG',
    claim: answer,
    answer: WWW,
    is: 'insecure',
  },
]);

const NSEC_AT = (owner: string, next: string, types: string) =>
  ZONE.sign(`${owner} 300 NSEC ${next} ${types} RRSIG NSEC`);
const WWW_TO_ZZ = NSEC_AT('www.zone.test.', 'zz.zone.test.', 'A');
const APEX = NSEC_AT('zone.test.', 'a.zone.test.', 'NS SOA DNSKEY');

check('denials by NSEC', [
  {
    says: 'a type that is not there',
    name: 'www.zone.test',
    type: 'TXT',
    claim: nodata,
    authority: SOA + WWW_TO_ZZ,
    is: 'secure',
  },
  { says: 'a type that is there', ...A, claim: nodata, authority: SOA + WWW_TO_ZZ, is: 'bogus no-proof' },
  {
    says: 'a name that is an alias',
    name: 'www.zone.test',
    type: 'TXT',
    claim: nodata,
    authority: SOA + NSEC_AT('www.zone.test.', 'zz.zone.test.', 'CNAME'),
    is: 'bogus no-proof',
  },
  {
    says: 'without SOA',
    name: 'www.zone.test',
    type: 'TXT',
    claim: nodata,
    authority: WWW_TO_ZZ,
    is: 'secure',
  },
  {
    says: 'with a SOA whose signature is spoilt',
    name: 'www.zone.test',
    type: 'TXT',
    claim: nodata,
    authority: SOA.replace(' 1 2 3', ' 2 2 3') + WWW_TO_ZZ,
    is: 'bogus bad-signature',
  },
  {
    says: 'with a SOA without signature',
    name: 'www.zone.test',
    type: 'TXT',
    claim: nodata,
    authority: `${SOA.split('\n')[0]}\n${WWW_TO_ZZ}`,
    is: 'bogus no-signature',
  },
  {
    says: 'an empty non-terminal',
    name: 'b.zone.test',
    type: 'A',
    claim: nodata,
    authority: NSEC_AT('a.zone.test.', 'c.b.zone.test.', 'A'),
    is: 'secure',
  },
  {
    says: 'an empty non-terminal, said not to exist',
    name: 'b.zone.test',
    type: 'A',
    claim: nxdomain,
    authority: NSEC_AT('a.zone.test.', 'c.b.zone.test.', 'A') + APEX,
    is: 'bogus no-proof',
  },
  {
    says: 'a name that does not exist',
    name: 'x.zone.test',
    type: 'A',
    claim: nxdomain,
    authority: SOA + WWW_TO_ZZ + APEX,
    is: 'secure',
  },
  {
    says: 'a name that does not exist, by one record',
    name: 'x.zone.test',
    type: 'A',
    claim: nxdomain,
    authority: SOA + NSEC_AT('zone.test.', 'zone.test.', 'NS SOA DNSKEY'),
    is: 'secure',
  },
  {
    says: 'a name behind the last one',
    name: 'zzz.zone.test',
    type: 'A',
    claim: nxdomain,
    authority: NSEC_AT('zz.zone.test.', 'zone.test.', 'A') + APEX,
    is: 'secure',
  },
  {
    says: 'no name, but a wildcard',
    name: 'x.zone.test',
    type: 'A',
    claim: nxdomain,
    authority: WWW_TO_ZZ,
    is: 'bogus no-proof',
  },
  {
    says: 'a name below a zone cut, by the parent',
    name: 'x.www.zone.test',
    type: 'A',
    claim: nxdomain,
    authority: NSEC_AT('www.zone.test.', 'zz.zone.test.', 'NS') + APEX,
    is: 'bogus no-proof',
  },
  {
    says: 'a name below a DNAME',
    name: 'x.www.zone.test',
    type: 'A',
    claim: nxdomain,
    authority: NSEC_AT('www.zone.test.', 'zz.zone.test.', 'DNAME') + APEX,
    is: 'bogus no-proof',
  },
  {
    says: 'the parent’s word on the child’s records',
    ...A,
    claim: nodata,
    authority: NSEC_AT('www.zone.test.', 'zz.zone.test.', 'NS'),
    is: 'bogus no-proof',
  },
  {
    says: 'a record that a wildcard made',
    name: 'www.zone.test',
    type: 'TXT',
    claim: nodata,
    authority: ZONE.sign('www.zone.test. 300 NSEC zz.zone.test. A', { wildcard: '*.zone.test' }),
    is: 'bogus no-proof',
  },
  {
    says: 'an expired record',
    name: 'www.zone.test',
    type: 'TXT',
    claim: nodata,
    authority: ZONE.sign('www.zone.test. 300 NSEC zz.zone.test. A', { expiration: -1 }),
    is: 'bogus expired',
  },
  {
    says: 'a record in capitals',
    name: 'www.zone.test',
    type: 'TXT',
    claim: nodata,
    authority: NSEC_AT('www.zone.test.', 'ZZ.Zone.test.', 'A'),
    is: 'secure',
  },
  {
    says: 'no data of ANY',
    name: 'b.zone.test',
    type: 'ANY',
    claim: nodata,
    authority: NSEC_AT('b.zone.test.', 'c.zone.test.', ''),
    is: 'secure',
  },
  {
    says: 'a wildcard for a name that exists',
    name: 'www.zone.test',
    type: 'MX',
    claim: answer,
    answer: ZONE.sign('www.zone.test. 300 MX 1 x.zone.test.', { wildcard: '*.zone.test' }),
    authority: WWW_TO_ZZ,
    is: 'bogus no-proof',
  },
  {
    says: 'a wildcard for one that does not',
    name: 'x.zone.test',
    type: 'MX',
    claim: answer,
    answer: ZONE.sign('x.zone.test. 300 MX 1 x.zone.test.', { wildcard: '*.zone.test' }),
    authority: WWW_TO_ZZ,
    is: 'secure',
  },
  {
    says: 'a wildcard above a nearer name',
    name: 'x.www.zone.test',
    type: 'MX',
    claim: answer,
    answer: ZONE.sign('x.www.zone.test. 300 MX 1 x.zone.test.', { wildcard: '*.zone.test' }),
    authority: WWW_TO_ZZ,
    is: 'bogus no-proof',
  },
]);

check('referrals', [
  {
    says: 'with DS',
    ...A,
    claim: referral('www.zone.test'),
    authority: ZONE.sign(`www.zone.test. 300 DS 1 13 2 ${'00'.repeat(32)}`),
    is: 'secure, zone secure',
  },
  {
    says: 'with a DS that nobody can use',
    ...A,
    claim: referral('www.zone.test'),
    authority: ZONE.sign('www.zone.test. 300 DS 1 13 3 00'),
    is: 'secure, zone insecure',
  },
  {
    says: 'with proof that there is none',
    ...A,
    claim: referral('www.zone.test'),
    authority: NSEC_AT('www.zone.test.', 'zz.zone.test.', 'NS'),
    is: 'secure, zone insecure',
  },
  {
    says: 'with proof that there is one',
    ...A,
    claim: referral('www.zone.test'),
    authority: NSEC_AT('www.zone.test.', 'zz.zone.test.', 'NS DS'),
    is: 'unproven',
  },
  {
    says: 'with the child’s own proof',
    ...A,
    claim: referral('www.zone.test'),
    authority: NSEC_AT('www.zone.test.', 'zz.zone.test.', 'NS SOA'),
    is: 'unproven',
  },
  {
    says: 'with an expired DS',
    ...A,
    claim: referral('www.zone.test'),
    authority: ZONE.sign('www.zone.test. 300 DS 1 13 2 00', { expiration: -1 }),
    is: 'unproven',
  },
  { says: 'with nothing', ...A, claim: referral('www.zone.test'), is: 'unproven' },
  {
    says: 'with DS by a zone in between',
    name: 'x.deeper.below.zone.test',
    type: 'A',
    claim: referral('deeper.below.zone.test'),
    authority: BELOW.sign(DEEPER.ds),
    is: 'needs cut below.zone.test.',
  },
  {
    says: 'with DS by a zone in between whose keys are known',
    name: 'x.deeper.below.zone.test',
    type: 'A',
    claim: referral('deeper.below.zone.test'),
    authority: BELOW.sign(DEEPER.ds),
    knowing: knowing({ 'below.zone.test': secure }, BELOW_KEYS),
    is: 'secure, zone secure',
  },
  {
    says: 'with DS by a zone in between that is insecure',
    name: 'x.deeper.below.zone.test',
    type: 'A',
    claim: referral('deeper.below.zone.test'),
    authority: BELOW.sign(DEEPER.ds),
    knowing: knowing({ 'below.zone.test': insecure }),
    is: 'insecure, zone insecure',
  },
  {
    says: 'with DS by a zone in between that is none',
    name: 'x.deeper.below.zone.test',
    type: 'A',
    claim: referral('deeper.below.zone.test'),
    authority: BELOW.sign(DEEPER.ds),
    knowing: knowing({ 'below.zone.test': noCut }),
    is: 'unproven',
  },
  {
    says: 'with DS by the zone itself',
    name: 'x.below.zone.test',
    type: 'A',
    claim: referral('below.zone.test'),
    authority: BELOW.sign(BELOW.ds),
    is: 'unproven',
  },
]);

const IN_BELOW = { name: 'www.below.zone.test', type: 'A' };
const BELOW_WWW = BELOW.sign('www.below.zone.test. 300 A 192.0.2.1');

check('what a zone below signed', [
  {
    says: 'records, nothing known',
    ...IN_BELOW,
    claim: answer,
    answer: BELOW_WWW,
    is: 'needs cut below.zone.test.',
  },
  {
    says: 'its DS known',
    ...IN_BELOW,
    claim: answer,
    answer: BELOW_WWW,
    knowing: knowing({ 'below.zone.test': secure }),
    is: 'needs keys below.zone.test.',
  },
  {
    says: 'its keys, too',
    ...IN_BELOW,
    claim: answer,
    answer: BELOW_WWW,
    knowing: knowing({ 'below.zone.test': secure }, BELOW_KEYS),
    is: 'secure',
  },
  {
    says: 'no usable keys',
    ...IN_BELOW,
    claim: answer,
    answer: BELOW_WWW,
    knowing: knowing({ 'below.zone.test': secure }, new Map([[BELOW.apex, 'none']])),
    is: 'bogus wrong-key',
  },
  {
    says: 'no DS',
    ...IN_BELOW,
    claim: answer,
    answer: BELOW_WWW,
    knowing: knowing({ 'below.zone.test': insecure }),
    is: 'insecure',
  },
  {
    says: 'no cut',
    ...IN_BELOW,
    claim: answer,
    answer: BELOW_WWW,
    knowing: knowing({ 'below.zone.test': noCut }),
    is: 'bogus wrong-signer',
  },
  {
    says: 'no usable reply',
    ...IN_BELOW,
    claim: answer,
    answer: BELOW_WWW,
    knowing: knowing({ 'below.zone.test': unusable }),
    is: 'bogus wrong-signer',
  },
  {
    says: 'an expired signature',
    ...IN_BELOW,
    claim: answer,
    answer: BELOW.sign('www.below.zone.test. 300 A 192.0.2.1', { expiration: -1 }),
    knowing: knowing({ 'below.zone.test': secure }, BELOW_KEYS),
    is: 'bogus expired',
  },
  {
    says: 'a denial',
    ...IN_BELOW,
    claim: nodata,
    authority: BELOW_SOA + BELOW.sign('www.below.zone.test. 300 NSEC below.zone.test. TXT'),
    knowing: knowing({ 'below.zone.test': secure }, BELOW_KEYS),
    is: 'secure',
  },
  {
    says: 'a denial, nothing known',
    ...IN_BELOW,
    claim: nodata,
    authority: BELOW_SOA + BELOW.sign('www.below.zone.test. 300 NSEC below.zone.test. TXT'),
    is: 'needs cut below.zone.test.',
  },
  {
    says: 'a denial of DS at its own apex',
    name: 'below.zone.test',
    type: 'DS',
    claim: nodata,
    authority: BELOW_SOA + BELOW.sign('below.zone.test. 300 NSEC www.below.zone.test. NS SOA'),
    is: 'bogus wrong-signer',
  },
  {
    says: 'a DS of its own',
    name: 'below.zone.test',
    type: 'DS',
    claim: answer,
    answer: BELOW.sign(BELOW.ds),
    is: 'bogus wrong-signer',
  },
  {
    says: 'a DS of a zone below it',
    name: 'deeper.below.zone.test',
    type: 'DS',
    claim: answer,
    answer: BELOW.sign(DEEPER.ds),
    knowing: knowing({ 'below.zone.test': secure }, BELOW_KEYS),
    is: 'secure, zone secure',
  },
]);

const PLAIN_WWW = 'www.below.zone.test. 300 A 192.0.2.1';

check('what nobody signed', [
  {
    says: 'records at the zone’s apex',
    name: 'zone.test',
    type: 'A',
    claim: answer,
    answer: 'zone.test. 300 A 192.0.2.1',
    is: 'bogus no-signature',
  },
  {
    says: 'records two names below',
    ...IN_BELOW,
    claim: answer,
    answer: PLAIN_WWW,
    is: 'needs cut below.zone.test.',
  },
  {
    says: 'no cut there',
    ...IN_BELOW,
    claim: answer,
    answer: PLAIN_WWW,
    knowing: knowing({ 'below.zone.test': noCut }),
    is: 'needs cut www.below.zone.test.',
  },
  {
    says: 'no cut anywhere',
    ...IN_BELOW,
    claim: answer,
    answer: PLAIN_WWW,
    knowing: knowing({ 'below.zone.test': noCut, 'www.below.zone.test': noCut }),
    is: 'bogus no-signature',
  },
  {
    says: 'an insecure cut',
    ...IN_BELOW,
    claim: answer,
    answer: PLAIN_WWW,
    knowing: knowing({ 'below.zone.test': insecure }),
    is: 'insecure',
  },
  {
    says: 'an insecure cut below a secure one',
    ...IN_BELOW,
    claim: answer,
    answer: PLAIN_WWW,
    knowing: knowing({ 'below.zone.test': secure, 'www.below.zone.test': insecure }),
    is: 'insecure',
  },
  {
    says: 'a secure cut alone',
    ...IN_BELOW,
    claim: answer,
    answer: PLAIN_WWW,
    knowing: knowing({ 'below.zone.test': secure, 'www.below.zone.test': noCut }),
    is: 'bogus no-signature',
  },
  {
    says: 'no such name',
    ...IN_BELOW,
    claim: answer,
    answer: PLAIN_WWW,
    knowing: knowing({ 'below.zone.test': noName }),
    is: 'bogus no-signature',
  },
  {
    says: 'no usable reply',
    ...IN_BELOW,
    claim: answer,
    answer: PLAIN_WWW,
    knowing: knowing({ 'below.zone.test': unusable }),
    is: 'bogus no-signature',
  },
  {
    says: 'signed by a stranger',
    ...IN_BELOW,
    claim: answer,
    answer: signingZone('else.test').sign(PLAIN_WWW),
    knowing: knowing({ 'below.zone.test': noName }),
    is: 'bogus wrong-signer',
  },
  {
    says: 'a denial below an insecure cut',
    ...IN_BELOW,
    claim: nodata,
    authority: UNSIGNED_SOA,
    knowing: knowing({ 'below.zone.test': insecure }),
    is: 'insecure',
  },
  {
    says: 'a denial below no cut',
    ...IN_BELOW,
    claim: nxdomain,
    authority: UNSIGNED_SOA,
    knowing: knowing({ 'below.zone.test': noName }),
    is: 'bogus no-proof',
  },
  {
    says: 'a denial of DS, up to the name above',
    name: 'www.below.zone.test',
    type: 'DS',
    claim: nodata,
    authority: UNSIGNED_SOA,
    knowing: knowing({ 'below.zone.test': noCut }),
    is: 'bogus no-proof',
  },
  {
    says: 'a DS, up to the name above',
    name: 'www.below.zone.test',
    type: 'DS',
    claim: answer,
    answer: 'www.below.zone.test. 300 DS 1 13 2 00',
    knowing: knowing({ 'below.zone.test': insecure }),
    is: 'insecure, zone insecure',
  },
]);

check('replies to DS questions', [
  {
    says: 'DS records',
    name: 'below.zone.test',
    type: 'DS',
    claim: answer,
    answer: ZONE.sign(BELOW.ds),
    is: 'secure, zone secure',
  },
  {
    says: 'a cut without',
    name: 'below.zone.test',
    type: 'DS',
    claim: nodata,
    authority: SOA + NSEC_AT('below.zone.test.', 'c.zone.test.', 'NS'),
    is: 'secure, zone insecure',
  },
  {
    says: 'no cut',
    name: 'below.zone.test',
    type: 'DS',
    claim: nodata,
    authority: SOA + NSEC_AT('below.zone.test.', 'c.zone.test.', 'A'),
    is: 'secure',
  },
  {
    says: 'no name',
    name: 'x.zone.test',
    type: 'DS',
    claim: nxdomain,
    authority: SOA + WWW_TO_ZZ + APEX,
    is: 'secure',
  },
  {
    says: 'an alias',
    name: 'www.zone.test',
    type: 'DS',
    claim: alias('alias', ['www.zone.test', 'web.zone.test']),
    answer: CNAME,
    is: 'secure',
  },
  {
    says: 'an alias to a name with DS',
    name: 'www.zone.test',
    type: 'DS',
    claim: alias('answer', ['www.zone.test', 'web.zone.test']),
    answer: CNAME + ZONE.sign('web.zone.test. 300 DS 1 13 2 00'),
    is: 'secure',
  },
]);
