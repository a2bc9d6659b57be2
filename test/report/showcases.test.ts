import t from 'tap';
import { parseName } from '../../src/dns/name.ts';
import { SEVERITY } from '../../src/document/finding.ts';
import { showcases } from '../../src/lab/showcases.ts';
import { renderDot } from '../../src/report/dot.ts';
import { explained } from '../../src/report/explanations.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { renderMermaid } from '../../src/report/mermaid.ts';
import { renderText } from '../../src/report/result-text.ts';
import { resultView } from '../../src/report/views/result-view.ts';
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
    name: 'www.launch.test',
    says: [
      /Only a\.nic\.test \(\S+ \S+\), a server of test, leads there\./,
      /does not exist\. Only b\.nic\.test \(\S+ \S+\) says so\./,
    ],
    never: /Only ns1\.meadow\.test/,
  },
  {
    name: 'stale.example',
    type: 'SOA',
    says: [
      /≠ ns\.stale\.exampl.*… 57 7200 900 1209600 60/,
      /≠ ns\.stale\.exampl.*… 41 7200 900 1209600 60/,
      /50 % of users get [\s\S]* 57 7200 [\s\S]* 50 % [\s\S]* 41 7200 /,
      /repair the zone transfers \(the SOA serials differ\)/,
    ],
  },
  { name: 'post.letters.example', type: 'TXT', says: [/"MIIBI\w+"… \(1,631 characters\)/] },
  {
    name: 'post.letters.example',
    type: 'TXT',
    says: [/replied over UDP that the answer is too large .* over TCP\./, /let TCP through to port 53/],
    never: /start the server|nothing to do/,
  },
  {
    name: 'www.old.example',
    says: [/^www\.old\.example\. A\s+all users get the answer, but ns\.old\.example rejects EDNS queries/m],
    never: /nothing to do/,
  },
  {
    name: 'www.intranet.example',
    says: [/give ns\.intranet\.example a public address/],
    never: /start the server/,
  },
  { name: 'www.six.example', says: [/repair IPv6 there/], never: /IPv6 works from here|start the server/ },
  {
    name: 'www.mixed.example',
    says: [/25 % instead of 12\.5 %: when ns\.mixed\.example \(198\.51\.100\.82\) fails, it tries the other/],
  },
  {
    name: 'www.wrong-glue.example',
    says: [/check the address of ns2\.wrong-glue\.example \(198\.51\.100\.99\)/],
  },
];

t.test('explanations fit what was found', async (t) => {
  for (const { name, type, says = [], never } of ROWS) {
    const text = textOf(name, type);
    for (const words of says) t.match(text, words, name);
    if (never !== undefined) t.notMatch(text, never, name);
  }
});

t.test('where answers differ, each end names the picks that decide for it', async (t) => {
  const differing = RESULTS.flatMap((result) => {
    const { ends } = explained(resultView(result, 'terse'));
    return ends.filter(({ effect }) => effect === 'differs' || effect === 'denies');
  });
  for (const { means, end } of differing) t.match(means, /Only \S+ \(/, `${end.question.name} ${end.kind}`);
  t.ok(differing.length >= 9);
});

t.test('no advice is given twice', async (t) => {
  for (const result of RESULTS) {
    const { ends, remarks } = explained(resultView(result, 'terse'));
    const actions = [...ends, ...remarks].flatMap((one) => one.actions);
    const told = actions.map(({ who, what }) => `${who}: ${what}`);
    t.equal(new Set(told).size, told.length, result.query.name);
  }
});

t.test('what users get once warm, and what to do about it, is told once', async (t) => {
  const result = await demoResult('www.moved.example', 'A', { check: true });
  const text = renderText(result, LOOK).replace(/\n {2,4}(?=[^ -])/g, ' ');
  t.match(text, 'once a resolver has learnt the name servers of moved.example from the zone itself');
  t.equal(text.split("have the delegation (at the registrar) and the zone's NS records").length, 2);
  t.match(
    renderText(result, LOOK),
    /^Users get +warm +others\n +198\.51\.100\.103 +100 % +0 %\n +203\.0\.113\.103 +0 % +100 %$/m,
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
  t.match(
    checked,
    'correct the glue of ns2.wrong-glue.example (198.51.100.99) (at the registrar): the zone itself says 198.51.100.73',
  );
  t.notMatch(checked, /set wrong-glue\.example up there|if it is out of date/);
  t.match(await text('www.wrong-glue.example'), 'if it is out of date, correct the glue');
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
