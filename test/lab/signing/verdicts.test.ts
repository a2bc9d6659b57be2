import t from 'tap';
import { claimedBy } from '../../../src/explore/validating/claimed.ts';
import type { Fault } from '../../../src/lab/faults.ts';
import type { ZoneSigning } from '../../../src/lab/signing/zone-signing.ts';
import { trustAnchorOf } from '../../../src/lab/trust-anchor.ts';
import { zoneText } from '../../../src/lab/zone-text.ts';
import { judgeReply } from '../../../src/validate/judge-reply.ts';
import { judgeKeys } from '../../../src/validate/keys-under.ts';
import { NOTHING_KNOWN } from '../../../src/validate/knowledge.ts';
import { trustFrom } from '../../../src/validate/trust.ts';
import { parseName, ROOT } from '../../../src/wire/name.ts';
import { validationAt, verdictText } from '../../validate/judged.ts';
import { recordLines } from '../../validate/record-lines.ts';
import { labExchange } from '../lab-exchange.ts';

const ADDRESS = '192.0.2.1';

const ZONE = zoneText(
  '.',
  `
    @            NS     ns.
    ns.          A      192.0.2.1
    www          A      192.0.2.80
    www          A      192.0.2.81
    www          TXT    "b"  "a"
    alias        CNAME  www
    a.b.ent      A      192.0.2.2
    *.wild       A      192.0.2.3
    x.sub.wild   A      192.0.2.3
    *.walias     CNAME  www
    old          DNAME  b.ent
    signed       NS     ns.signed
    ns.signed    A      192.0.2.4
    plain        NS     ns.plain
    ns.plain     A      192.0.2.5
    far.away     NS     ns.plain
    mail         MX     10 MAIL.Example.
  `,
);

const NOW = validationAt('20261122000000');

/** What a reply of the root zone's server is under the world's trust anchor, if its keys are. */
function verdict(question: string, signing: ZoneSigning, faults: readonly Fault[] = []): string {
  const world = {
    servers: [{ name: 'ns.', addresses: [ADDRESS], zones: [ZONE], faults }],
    signed: { '.': signing, 'signed.': {} },
  };
  const exchange = labExchange(world);
  const ask = (name: string, type: string) =>
    claimedBy(exchange({ address: ADDRESS, question: { name: parseName(name), type } }), ROOT);
  const trust = trustFrom(recordLines(trustAnchorOf(world)));
  if (trust.kind === 'insecure') return 'trusts nothing';
  const heard = ask('.', 'DNSKEY');
  if (heard === undefined) return 'keys unusable';
  const found = judgeKeys(heard, ROOT, trust, NOW);
  if (found.kind === 'bogus') return `keys ${found.reason}`;
  const [name = '', type = 'A'] = question.split(' ');
  const reply = ask(name, type);
  return reply === undefined ? 'unusable' : verdictText(judgeReply(reply, found.keys, NOTHING_KNOWN, NOW));
}

const QUESTIONS: readonly [question: string, plain: string, optOut: string][] = [
  ['www', 'secure', 'secure'],
  ['www TXT', 'secure', 'secure'],
  ['www ANY', 'secure', 'secure'],
  ['. SOA', 'secure', 'secure'],
  ['mail MX', 'secure', 'secure'],
  ['alias', 'secure', 'secure'],
  ['a.old', 'secure', 'secure'],
  ['none.old', 'secure', 'secure'],
  ['x.wild', 'secure', 'insecure'],
  ['y.x.wild', 'secure', 'insecure'],
  ['x.walias', 'secure', 'insecure'],
  ['www AAAA', 'secure', 'secure'],
  ['ent', 'secure', 'secure'],
  ['b.ent', 'secure', 'secure'],
  ['none.b.ent', 'secure', 'insecure'],
  ['none', 'secure', 'insecure'],
  ['x.wild TXT', 'secure', 'insecure'],
  ['sub.wild', 'secure', 'secure'],
  ['www.signed', 'secure, zone secure', 'secure, zone secure'],
  ['www.plain', 'secure, zone insecure', 'insecure, zone insecure'],
  ['signed DS', 'secure, zone secure', 'secure, zone secure'],
  ['plain DS', 'secure, zone insecure', 'insecure, zone insecure'],
  ['away', 'secure', 'insecure'],
  ['www RRSIG', 'insecure', 'insecure'],
];

t.test('what the lab signs verifies', async (t) => {
  const plain: readonly ZoneSigning[] = [
    ...[5, 7, 8, 10, 13, 14, 15, 16].map((algorithm) => ({ algorithm })),
    { denial: { kind: 'nsec3' } },
    { denial: { kind: 'nsec3', iterations: 150, salt: 'aabb' } },
    {
      keys: [
        { label: 'k', signs: 'keys' },
        { label: 'z', signs: 'data' },
        { label: 'n', signs: 'nothing' },
      ],
    },
    { ds: [{ key: {}, digest: 4 }] },
    { ds: [{ key: {}, digest: 1 }] },
    { ds: [{ key: { label: 'other' } }, { key: {} }] },
  ];
  for (const [question, secure, insecure] of QUESTIONS) {
    for (const signing of plain) t.equal(verdict(question, signing), secure, question, { signing });
    t.equal(verdict(question, { denial: { kind: 'nsec3', optOut: true } }), insecure, question);
  }
});

t.test('what is signed in a way that nobody accepts does not', async (t) => {
  const rows: [signing: ZoneSigning, verdict: string][] = [
    [{ algorithm: 12 }, 'trusts nothing'],
    [{ ds: [] }, 'trusts nothing'],
    [{ ds: [{ key: {}, digest: 3 }] }, 'trusts nothing'],
    [{ ds: [{ key: { label: 'lost' } }] }, 'keys no-matching-ds'],
    [{ ds: [{ key: {}, digest: 1 }, { key: { label: 'lost' } }] }, 'keys no-matching-ds'],
    [{ expiration: NOW.time - 1 }, 'keys expired'],
    [{ expiration: NOW.time }, 'secure'],
    [{ inception: NOW.time + 1 }, 'keys not-yet-valid'],
    [{ keys: [{ flags: 0 }] }, 'keys no-matching-ds'],
    [{ keys: [{ flags: 0x181 }] }, 'keys no-matching-ds'],
    [{ keys: [{ protocol: 2 }] }, 'keys no-matching-ds'],
    [{ keys: [{ label: 'k', signs: 'keys' }] }, 'needs cut www.'],
  ];
  for (const [signing, expected] of rows) t.equal(verdict('www', signing), expected, JSON.stringify(signing));
});

t.test('servers that do wrong are found out', async (t) => {
  const only = { type: 'A' } as const;
  const flaw = (kind: string) => `bogus ${kind}`;
  const rows: [question: string, fault: Fault, verdict: string][] = [
    ['www', { kind: 'flawed-signatures', flaw: 'missing', only }, 'needs cut www.'],
    ['www', { kind: 'flawed-signatures', flaw: 'wrong-signer', only }, 'needs cut www.'],
    [
      'www',
      { kind: 'flawed-signatures', flaw: 'unsupported-algorithm', only },
      flaw('unsupported-algorithm'),
    ],
    ['www', { kind: 'flawed-signatures', flaw: 'wrong-key', only }, flaw('wrong-key')],
    ['www', { kind: 'flawed-signatures', flaw: 'not-yet-valid', only }, flaw('not-yet-valid')],
    ['www', { kind: 'flawed-signatures', flaw: 'expired', only }, flaw('expired')],
    ['www', { kind: 'flawed-signatures', flaw: 'spoilt', only }, flaw('bad-signature')],
    ['www', { kind: 'flawed-signatures', flaw: 'spoilt' }, 'keys bad-signature'],
    ['www', { kind: 'ignores-do' }, 'keys no-signature'],
    ['www', { kind: 'ignores-do', only }, 'needs cut www.'],
    ['none', { kind: 'omits-proof' }, flaw('no-proof')],
    ['none', { kind: 'wrong-proof' }, flaw('no-proof')],
    ['www AAAA', { kind: 'wrong-proof' }, flaw('no-proof')],
    ['ent', { kind: 'wrong-proof' }, flaw('no-proof')],
    ['x.wild', { kind: 'wrong-proof' }, flaw('no-proof')],
    ['x.wild', { kind: 'omits-proof' }, flaw('no-proof')],
    ['www.signed', { kind: 'omits-ds' }, 'unproven'],
    ['www.plain', { kind: 'omits-proof' }, 'unproven'],
    ['www.signed', { kind: 'wrong-ds' }, 'secure, zone secure'],
    ['alias', { kind: 'flawed-signatures', flaw: 'spoilt', covering: 'A' }, 'secure up to www.'],
  ];
  for (const signing of [{}, { denial: { kind: 'nsec3' } }] as const)
    for (const [question, fault, expected] of rows)
      t.equal(verdict(question, signing, [fault]), expected, `${question} ${JSON.stringify(fault)}`);
});
