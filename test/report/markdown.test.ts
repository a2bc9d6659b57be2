import t from 'tap';
import { answerData } from '../../src/document/ends.ts';
import { showcases } from '../../src/lab/showcases.ts';
import { code, prose, renderMarkdown } from '../../src/report/markdown.ts';
import { renderMermaid } from '../../src/report/mermaid.ts';
import { demoResult } from '../lab/demo-result.ts';
import { ATTACK, hostile, savedNames, savedResult } from './graph-results.ts';

/** A line as a reader of Markdown takes it: code spans and escapes away, only markup and words are left. */
function markupOf(line: string): string {
  return line
    .replace(/(?<!\\)(`+)(?!`).*?(?<!`)\1(?!`)/g, 'CODE')
    .replace(/\\[!-/:-@[-`{-~](?:&#8288;)?/g, '')
    .replaceAll('&#124;', '');
}

/** What only the report itself may write, apart from a line's beginning and bold words. */
const MARKUP = /[`_[\]<>~&$@#\\]|:\/\/|www\.|(?<!\*)\*(?!\*)/i;
const BEGINNING = /^(?:#{1,2} | {0,2}- |\| )?/;

t.test('the report of a name', async (t) => {
  const mixed = await demoResult('www.mixed.example', 'A');
  const text = renderMarkdown(mixed);
  const parts = [
    '# `www.mixed.example. A`\n\n**75 % of users get 198.51.100.110 and 25 % 192.0.2.110 from ns.mixed.example, which does not reply**\n',
    '\n| `192.0.2.110` | 25 % (1/4) |\n',
    '\n- **warning** `NS_NO_RESPONSE_UDP` `ns.mixed.example. 198.51.100.82 of mixed.example.` ns.mixed.example (198.51.100.82) ',
    '\n  - The operator of ns.mixed.example, or the owner of mixed.example: repair',
    '\n- **error** `ANSWERS_DIFFER` `ns.mixed.example. 198.51.100.81 of mixed.example.` ',
    '\n  - **error** `ANSWER_NOT_CERTAIN` Only 75 % (3/4) of lookups of www\\.mixed.example A return',
  ];
  for (const part of parts) t.ok(text.includes(part), part);
  const picture = `\n\`\`\`mermaid\n${renderMermaid(mixed)}\`\`\`\n\nSeen at `;
  t.ok(text.includes(picture), 'the picture is the one of --format mermaid');
  const notChecked = [{ view: 'validating', reason: '--quick' }] as const;
  t.ok(renderMarkdown({ ...mixed, notChecked }).endsWith('\n\nNot checked: DNSSEC: --quick.\n'));

  const says = { kind: 'answer', answer: ['192.0.2.110'] } as const;
  const reply = { rttMs: 1, bytes: 50, transport: 'udp', elapsedMs: 1, attempts: 1, tries: [] } as const;
  const traffic = { packetsSent: 1, packetsReceived: 1, bytesSent: 40, bytesReceived: 50 };
  const server = { address: '127.0.0.53', port: 5353 };
  const stale = mixed.views['first-tries'].outcomes.findIndex((end) =>
    answerData(end).includes('192.0.2.110'),
  );
  const asked = renderMarkdown({
    ...mixed,
    resolvers: [{ server, says, outcomes: [stale], ttl: 60, reply: { ...reply, traffic } }],
  });
  t.match(asked, '| `127.0.0.53#5353` | `192.0.2.110` | as 12.5 % of first tries do, at ns.mixed.example |');

  const healthy = renderMarkdown(await demoResult('www.shop.example', 'A'));
  t.same(
    healthy.match(/^## .*$/gm),
    ['## Users get', '## The paths'],
    'nothing to do where nothing is wrong',
  );

  const moved = renderMarkdown(await demoResult('www.moved.example', 'A', { check: true }));
  t.match(moved, '|  | users cold | users warm |');
  t.match(moved, '| `198.51.100.103` | 0 % | 100 % |');

  for (const { name, type } of showcases) t.ok(renderMarkdown(await demoResult(name, type)).length > 100);
});

t.test('names that attack are words, not markup', async (t) => {
  for (const name of savedNames) {
    for (const result of [savedResult(name), hostile(savedResult(name))]) {
      const [words = '', ...pictures] = renderMarkdown(result).split('\n```mermaid\n');
      t.equal(pictures.length, 1);
      t.notMatch(pictures[0], /^ {0,3}`{3,}(?!\n$)/m, 'nothing ends the picture early');
      const wrong = words.split('\n').filter((line) => MARKUP.test(markupOf(line).replace(BEGINNING, '')));
      t.same(wrong, [], name);
      t.notMatch(words, /[^\P{C}\n]/u, 'no control characters');
      const tables = words.split('\n').filter((line) => line.startsWith('|'));
      for (const row of tables) t.ok([4, 5, 6].includes(row.split('|').length), 'no cell is cut in two');
    }
  }
});

t.test('escapes', async (t) => {
  const rows: readonly (readonly [text: string, inProse: string, inCode: string])[] = [
    ['www.a.example', 'www\\.a.example', '`www.a.example`'],
    ['a_b*c', 'a\\_b\\*c', '`a_b*c`'],
    ['@team #1', '\\@&#8288;team \\#&#8288;1', '`@team #1`'],
    ['http://a', 'http\\://a', '`http://a`'],
    ['1. one', '1\\. one', '`1. one`'],
    ['12.5 %', '12.5 %', '`12.5 %`'],
    ['- no list', '\\- no list', '`- no list`'],
    ['a|b', 'a&#124;b', '`a\\124b`'],
    ['`', '\\`', '`` ` ``'],
    ['a``b`', 'a\\`\\`b\\`', '``` a``b` ```'],
    ['two\nlines', 'two\\\\u{a}lines', '`two\\u{a}lines`'],
    ['<b>&amp;', '\\<b\\>\\&amp;', '`<b>&amp;`'],
  ];
  for (const [text, inProse, inCode] of rows) t.same([prose(text), code(text)], [inProse, inCode], text);
  t.notMatch(markupOf(prose(ATTACK)), MARKUP);
});
