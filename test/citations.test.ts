import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { MAN_PAGES, ROOT } from './sources.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** All that people read beside the pages themselves: sources, tests and documents. */
const TEXTS = [
  ...['src', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:ts|js|sh)$/.test(file))
      .map((file) => join(folder, file))
      .filter((file) => file !== join('test', 'citations.test.ts')),
  ),
  ...MAN_PAGES,
  ...readdirSync(ROOT).filter((file) => file.endsWith('.md')),
];

/** A manual page cited, and the words after it, which may begin with a heading of it. */
interface Citation {
  readonly page: string;
  readonly words: string;
}

/** The citations in a text, where lines of comments are joined: "svc-model(7), EXCHANGES rule 6". */
function citationsIn(text: string): Citation[] {
  const joined = text.replace(/\n\s*(?:\*(?!\/)|\/\/|#)?\s*/g, ' ');
  return [...joined.matchAll(/\b(svc(?:-[a-z]+)?)\(([1-9])\)(?:, (.{0,60}))?/g)].map(
    ([, name, section, words = '']) => ({ page: `man/${name}.${section}`, words }),
  );
}

/** The sections of a page by their headings, and the environment variables that it explains. */
function sectionsOf(page: string): ReadonlyMap<string, string> {
  const sections = read(page)
    .split(/^\.(?:S[hs]|It Ev) /m)
    .slice(1);
  return new Map(sections.map((text) => [text.slice(0, text.indexOf('\n')), text]));
}

/** What is cited and not there; undefined if all is. */
function missing({ page, words }: Citation): string | undefined {
  if (!PAGES.has(page)) return 'no such page';
  if (!/^[A-Z]{2}/.test(words)) return undefined;
  const section = [...sectionsOf(page)].find(([heading]) => new RegExp(`^${heading}\\b`).test(words));
  if (section === undefined) return 'no such heading';
  const [heading, text] = section;
  const numbers =
    /^(?: rules?)?((?:(?:,| and| or| to)? \d[.\d]*)+)/.exec(words.slice(heading.length))?.[1] ?? '';
  const items = [...numbers.matchAll(/\d+(?:\.\d+)*/g)].map(([number]) => number);
  return items.every((item) => text.includes(`\n.It ${item}\n`)) ? undefined : 'no such item';
}

const PAGES = new Set(MAN_PAGES);

t.test('what is cited from manual pages is there', async (t) => {
  const citations = TEXTS.flatMap((file) => citationsIn(read(file)).map((citation) => ({ file, citation })));
  for (const { file, citation } of citations) {
    t.equal(missing(citation), undefined, `${file}: ${citation.page}, ${citation.words}`);
  }
  t.ok(citations.length > 20, 'citations were found');
});

t.test('a citation that has no target is noticed', async (t) => {
  const rows = [
    ['svc-model(7)', undefined],
    ['svc-model(7), EXCHANGES rule 6', undefined],
    ['svc-model(7), EXCHANGES rules 10 and 11.', undefined],
    ['svc-model(7), WALKING A\n * STEP 2.3: more', undefined],
    ['svc-model(7), which defines them', undefined],
    ['svc-model(7), EXCHANGE', 'no such heading'],
    ['svc-model(7), EXCHANGES rule 12', 'no such item'],
    ['svc-model(7), WALKING A STEP 2.9', 'no such item'],
    ['svc-modal(7)', 'no such page'],
  ] as const;
  for (const [text, expected] of rows) t.same(citationsIn(text).map(missing), [expected], text);
});

t.test('nothing is cited that is not in the repository', async (t) => {
  const elsewhere = /(?<!SVC-)MODEL(?: \d|\.md)|\bCONTRACT\b|specification,? section/;
  for (const file of TEXTS) t.equal(elsewhere.exec(read(file))?.[0], undefined, file);
});
