import t from 'tap';
import { showcases } from '../../src/lab/showcases.ts';
import { renderText } from '../../src/report/result-text.ts';
import { shortText } from '../../src/report/short-text.ts';
import { MOST_WORDS, verdictOn } from '../../src/report/views/verdict.ts';
import { showcaseResult } from '../lab/demo-result.ts';

/** Lines and columns of the text for a broken name, and lines of half of them. */
const [MOST_LINES, USUAL_LINES, COLUMNS] = [24, 20, 100];

/** One after the other: dead servers make the others wait. */
const TEXTS: {
  readonly name: string;
  readonly status: string;
  readonly words: string;
  readonly lines: readonly string[];
  readonly short: string;
}[] = [];
for (const one of showcases) {
  const result = await showcaseResult(one);
  const text = renderText(result, { colour: 'off', detail: 'terse', width: Number.POSITIVE_INFINITY });
  TEXTS.push({
    name: one.name,
    status: result.verdict.status,
    words: verdictOn(result).words,
    lines: text.trimEnd().split('\n'),
    short: shortText(result),
  });
}

t.test('texts of the demo are short', async (t) => {
  const broken = TEXTS.filter(({ status }) => status !== 'ok').map(({ lines }) => lines.length);
  for (const { name, lines } of TEXTS) {
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

t.test('what fails before the DNS is one sentence, and what to do', async (t) => {
  const hotel = TEXTS.find(({ name }) => name === 'www.hotel.example');
  t.match(hotel?.lines, [/nothing here can be trusted$/, /^Run this again from a network/]);
  t.equal(hotel?.lines.length, 2);
});
