import t from 'tap';
import { parseName } from '../../src/dns/name.ts';
import { SEVERITY } from '../../src/document/finding.ts';
import { showcases } from '../../src/lab/showcases.ts';
import { renderDot } from '../../src/report/dot.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { renderMermaid } from '../../src/report/mermaid.ts';
import { renderText } from '../../src/report/result-text.ts';
import { demoResult } from '../lab/demo-result.ts';

const LOOK = { colour: 'off', detail: 'terse', width: 1_000, ends: 'explained' } as const;

const RESULTS = await Promise.all(
  [...showcases, { name: 'stale.example', type: 'SOA' }].map(({ name, type }) => demoResult(name, type)),
);

/** The result for a name of the demo as a user reads it, each sentence in one line. */
function textOf(name: string, type = 'A'): string {
  const asked = parseName(name);
  const result = RESULTS.find(({ query }) => query.name === asked && query.type === type);
  if (result === undefined) throw new Error(`${name} ${type} is no showcase`);
  return renderText(result, LOOK).replace(/\n {2,4}(?=[^ -])/g, ' ');
}

interface Row {
  readonly name: string;
  readonly type?: string;
  readonly says?: readonly RegExp[];
  readonly never?: RegExp;
}

const ROWS: readonly Row[] = [
  {
    name: 'stale.example',
    type: 'SOA',
    says: [
      /≠ ns\.stale\.exampl.*… 57 7200 900 1209600 60/,
      /≠ ns\.stale\.exampl.*… 41 7200 900 1209600 60/,
      /50 % of users get [\s\S]* 57 7200 [\s\S]* 50 % [\s\S]* 41 7200 /,
    ],
  },
  { name: 'post.letters.example', type: 'TXT', says: [/"MIIBI\w+"… \(1,631 characters\)/, /TCP/] },
  {
    name: 'www.old.example',
    says: [/^www\.old\.example\. A\s+all users get the answer, but ns\.old\.example rejects EDNS queries/m],
  },
  { name: 'www.intranet.example', says: [/address that resolvers reach/], never: /firewall/ },
  { name: 'www.six.example', says: [/repair its IPv6 connection/], never: /firewall/ },
  { name: 'www.wrong-glue.example', says: [/check that 198\.51\.100\.99 is still its address/] },
];

t.test('advice fits what was found', async (t) => {
  for (const { name, type, says = [], never } of ROWS) {
    const text = textOf(name, type);
    for (const words of says) t.match(text, words, name);
    if (never !== undefined) t.notMatch(text, never, name);
  }
});

t.test('what users get once warm, and what to do about it, is told once', async (t) => {
  const result = await demoResult('www.moved.example', 'A', { check: true });
  const text = renderText(result, LOOK).replace(/\n {2,4}(?=[^ -])/g, ' ');
  t.match(text, 'once a resolver has learnt the name servers of moved.example from the zone itself');
  t.match(
    renderText(result, LOOK),
    /^Users get +once the NS records are known +others\n +198\.51\.100\.103 +100 % +0 %\n +203\.0\.113\.103 +0 % +100 %$/m,
  );
  const notes = ['cold resolvers get 100 % 203.0.113.103.', 'warm resolvers get 100 % 198.51.100.103.'];
  for (const picture of [renderDot(result), renderMermaid(result)])
    for (const note of notes) t.match(picture, note);
});

t.test('no users of warm resolvers are told apart where DNS is intercepted', async (t) => {
  const result = await demoResult('www.hotel.example', 'A', { check: true });
  t.notMatch(renderText(result, LOOK), /behind|Users get +cold/);
  t.notMatch(renderDot(result), /warm/i);
});

t.test('advice rests on what the zones say of themselves where they were asked', async (t) => {
  const CHECKED = { check: true } as const;
  const text = async (name: string, others = {}) =>
    renderText(await demoResult(name, 'A', others), LOOK).replace(/\n {2,4}(?=[^ -])/g, ' ');
  const checked = await text('www.wrong-glue.example', CHECKED);
  t.match(checked, 'correct the glue at the parent to 198.51.100.73');
  t.notMatch(checked, /is still its address/);
  t.match(await text('www.wrong-glue.example'), 'if so, configure the zone there');
});

const SEVERITIES: readonly string[] = SEVERITY.names;

/** Severities as a text lists them: each cause with its consequences. */
function severitiesIn(text: string): readonly (readonly number[])[] {
  const families: number[][] = [];
  for (const [, indent, severity = '', hence] of text.matchAll(
    /^( *)(?:- \*\*)?([a-z]+)(?:\*\*)? +(hence )?`?[A-Z]{2,}_/gm,
  )) {
    const rank = SEVERITIES.indexOf(severity);
    if (indent === '' && hence === undefined) families.push([rank]);
    else families.at(-1)?.push(rank);
  }
  return families;
}

t.test('the worst come first, and so do the worst consequences of each', async (t) => {
  const inOrder = (ranks: readonly number[]) => ranks.toSorted((a, b) => a - b);
  let most = 0;
  for (const result of RESULTS) {
    for (const text of [renderText(result, LOOK), renderMarkdown(result)]) {
      const families = severitiesIn(text);
      most = Math.max(most, families.length);
      const worst = families.map((ranks) => Math.min(...ranks));
      t.same(worst, inOrder(worst), `${result.query.name} ${families.join(' | ')}`);
      for (const [, ...consequences] of families) t.same(consequences, inOrder(consequences));
      t.notOk(families.flat().includes(-1));
    }
  }
  t.ok(most > 2);
});
