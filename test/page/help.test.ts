import { readFileSync } from 'node:fs';
import t from 'tap';
import { GLOSSARY, termsIn } from '../../src/page/model/glossary.ts';
import { readManual } from '../../src/page/model/manual.ts';
import { ROOT } from '../sources.ts';

const SOURCE = readFileSync(`${ROOT}/man/svc-findings.7`, 'utf8');
const SECTIONS = readManual(SOURCE);

t.test('the page of help explains each code of the manual page', async (t) => {
  const entries = SECTIONS.flatMap(({ entries }) => entries);
  t.same(
    entries.map(({ code }) => code),
    [...SOURCE.matchAll(/^\.It Sy ([A-Z_0-9]+)/gm)].map(([, code]) => code),
  );
  for (const { code, paragraphs, evidence, remedy } of entries) {
    t.ok(paragraphs.length > 0, code);
    // An octet in a name is a backslash and three digits.
    for (const text of [...paragraphs, evidence, remedy])
      t.notMatch(text, /(?:^|\s)\.[A-Z][a-z]\b|\0|\\(?!\d{3})/, code);
  }
  const refused = entries.find(({ code }) => code === 'NS_REFUSED');
  t.match(refused, {
    severity: 'error',
    reference: 'RFC 1035 4.1.1',
    paragraphs: ['The server is named in the delegation but refuses the zone.'],
    evidence: 'Replies with rcode REFUSED.',
    remedy: /may be somebody else's by now\. Where the zone gives another address, this finding follows/,
  });
  t.same(
    SECTIONS.map(({ title }) => title),
    ['Servers', 'Delegations', 'Zone files', 'Answers', 'Protocol', 'DNSSEC', 'Impact', 'Server list'],
  );
});

t.test('terms are explained in two sentences at most', async (t) => {
  for (const [term, words] of Object.entries(GLOSSARY))
    t.match(words, /^[^.]+(?:\.\w[^.]*)*\.(?: [A-Z][^.]+(?:\.\w[^.]*)*\.)?$/, term);
});

t.test('a text explains each of its terms once', async (t) => {
  const rows = [
    ['Paths end in', '[Paths=path] end in'],
    ['A lame server, and a Lame one', 'A [lame=lame] server, and a Lame one'],
    ['at every zone cut of a zone', 'at every [zone cut=zone cut] of a [zone=zone]'],
    ['name servers without glue', '[name servers=name server] without [glue=glue]'],
    ['Validating resolvers (with retry)', '[Validating=validating] [resolvers=resolver] (with retry)'],
    ['glue.example pathological zone-cut', 'glue.example pathological zone-cut'],
    ['See NS_REFUSED.', 'See [NS_REFUSED=code].'],
    ['_dmarc.X_Y.example ns_1', '_dmarc.X_Y.example ns_1'],
    ['no DNSSEC. Once warm:', 'no [DNSSEC=DNSSEC]. Once [warm=warm]:'],
  ] as const;
  for (const [text, marked] of rows) {
    const shown = termsIn(text).map((one) => {
      if (one.kind === 'plain') return one.text;
      return `[${one.text}=${one.kind === 'term' ? one.term : 'code'}]`;
    });
    t.equal(shown.join(''), marked);
  }
});
