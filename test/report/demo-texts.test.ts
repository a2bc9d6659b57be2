import t from 'tap';
import type { TraversalResult } from '../../src/document/result.ts';
import { equals, ONE, readFraction, sum, toNumber } from '../../src/evaluate/fraction.ts';
import { showcases } from '../../src/lab/showcases.ts';
import { renderText } from '../../src/report/result-text.ts';
import { shortText } from '../../src/report/short-text.ts';
import { MOST_WORDS } from '../../src/report/views/verdict.ts';
import { showcaseResult } from '../lab/demo-result.ts';

/** Lines and columns of the text for a broken name, and lines of half of them. */
const [MOST_LINES, USUAL_LINES, COLUMNS] = [24, 20, 100];

/** One after the other: dead servers make the others wait. */
const TEXTS: {
  readonly name: string;
  readonly status: string;
  readonly words: string;
  readonly lines: readonly string[];
  readonly users: TraversalResult['users'];
  readonly short: string;
  readonly verbose: string;
}[] = [];
for (const one of showcases) {
  const result = await showcaseResult(one);
  const text = renderText(result, { colour: 'off', detail: 'terse', width: Number.POSITIVE_INFINITY });
  TEXTS.push({
    name: one.name,
    status: result.verdict.status,
    words: result.verdict.text,
    users: result.users,
    lines: text.trimEnd().split('\n'),
    short: shortText(result),
    verbose: renderText(result, { colour: 'off', detail: 'full', width: COLUMNS, ends: 'explained' }),
  });
}

t.test('texts of the demo are short', async (t) => {
  const broken = TEXTS.filter(({ status }) => status !== 'ok').map(({ lines }) => lines.length);
  for (const { name, lines, verbose } of TEXTS) {
    t.same(
      verbose.split('\n').filter((line) => [...line].length > COLUMNS),
      [],
      `${name} -v --explain: no line is too wide`,
    );
    t.ok(lines.length <= MOST_LINES, `${name}: ${lines.length} lines`);
    t.same(
      lines.filter((line) => [...line].length > COLUMNS),
      [],
      `${name}: no line is too wide`,
    );
  }
  const median = broken.sort((a, b) => a - b)[Math.floor(broken.length / 2)] ?? 0;
  t.ok(broken.length > 25 && median <= USUAL_LINES, `${median} lines`);
});

t.test('verdicts of the demo are short, and say which users get what without a code', async (t) => {
  for (const { name, words, status } of TEXTS) {
    // One of them has two faults.
    const most = name === 'www.mixed.example' ? MOST_WORDS.several : MOST_WORDS.one;
    // The data of an answer are one word.
    const counted = words.replace(/(?<=\d) and (?=\d+\.)/g, ',');
    t.ok(counted.split(' ').length <= most, `${name}: ${words}`);
    t.notMatch(words, /[A-Z]+_[A-Z]+/, name);
    t.notMatch(words, /[a-z]\.(?: |$)/, `${name}: names without final dots`);
    if (status !== 'unknown') t.match(words, /\busers?\b/, name);
  }
});

t.test('shares of users sum to one, and lie in their ranges', async (t) => {
  for (const { name, users } of TEXTS) {
    const shares = users.map(({ share }) => readFraction(share.fraction));
    t.ok(users.length === 0 || equals(sum(shares), ONE), name);
    for (const { share } of users) {
      const exact = toNumber(readFraction(share.fraction));
      t.ok(share.least <= exact && exact <= share.most, `${name} ${share.least} ${exact} ${share.most}`);
    }
  }
});

t.test('in short, an answer alone is one that all users get', async (t) => {
  const shortOf = (name: string) => TEXTS.find((one) => one.name === name)?.short ?? '';
  t.equal(shortOf('www.dead.example'), '198.51.100.107\n');
  t.equal(shortOf('www.stale.example'), '50 %  198.51.100.104\n50 %  192.0.2.104\n');
  t.match(
    shortOf('www.moved.example'),
    /^100 % {2}203\.0\.113\.103\n100 % {2}198\.51\.100\.103 {2}of users behind resolvers that know/,
  );
  t.match(shortOf('www.expired.example'), /\n 50 % {2}SERVFAIL {2}of users of validating \S+/);
});

t.test('what fails before the DNS is one sentence, and what to do', async (t) => {
  const hotel = TEXTS.find(({ name }) => name === 'www.hotel.example');
  t.match(hotel?.lines, [/nothing here can be trusted$/, /^Run this again from a network/]);
  t.equal(hotel?.lines.length, 2);
});
