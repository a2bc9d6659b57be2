import { readFileSync } from 'node:fs';
import t from 'tap';
import { CATALOGUE } from '../../src/findings/catalogue.ts';

const PAGE = readFileSync(new URL('../../man/svc-findings.7', import.meta.url), 'utf8');

/** A list of the section about other tools: what each code covers, or what none does. */
interface Listed {
  readonly codes: readonly string[];
  readonly DNSViz: readonly string[];
  readonly Zonemaster: readonly string[];
}

/** The covered classes and tags of a subsection, and those that are not reported. */
function listsOf(heading: string): readonly Listed[] {
  const [, subsection = ''] = PAGE.split(new RegExp(`^\\.Ss ${heading}\\n`, 'm'));
  const [own = ''] = subsection.split(/^\.S[sh] /m);
  return own.split(/^Not reported, with the reason:$/m).map((list) => ({
    codes: [...list.matchAll(/^\.It ([A-Z0-9_]+)$/gm)].map(([, code = '']) => code),
    DNSViz: namesAfter('DNSViz', list),
    Zonemaster: namesAfter('Zonemaster', list),
  }));
}

function namesAfter(tool: string, list: string): readonly string[] {
  const passages = list.matchAll(new RegExp(`^\\.It ${tool}\\n((?:[\\\\%A-Z0-9_, ]+\\n)+)`, 'gm'));
  return [...passages].flatMap(([, names = '']) => names.match(/\w+/g) ?? []);
}

/** The numbers of a sentence of the page. */
function numbersIn(sentence: RegExp): readonly number[] {
  return (sentence.exec(PAGE.replaceAll('\n', ' ')) ?? []).slice(1).map(Number);
}

const [DNSSEC, NOT_DNSSEC] = listsOf('DNSSEC in other tools');
const [OTHER, NOT_OTHER] = listsOf('Other classes');

t.test(
  'svc-findings(7) counts the classes of DNSViz and the tags of Zonemaster as it lists them',
  async (t) => {
    const count = (tool: 'DNSViz' | 'Zonemaster', ...lists: readonly (Listed | undefined)[]) => {
      const names = lists.flatMap((list) => list?.[tool] ?? []);
      t.equal(new Set(names).size, names.length, `each of ${tool} is listed once`);
      return names.length;
    };
    t.same(
      {
        all: numbersIn(/classes of errors of DNSViz, (\d+) in all/),
        dnssec: numbersIn(/Of DNSViz's (\d+) classes for DNSSEC, (\d+) are not reported/),
        tags: numbersIn(/Of the (\d+) tags of Zonemaster that can stand for a fault, (\d+) are not reported/),
        other: numbersIn(/Of DNSViz's other (\d+) classes, (\d+) are not reported/),
      },
      {
        all: [count('DNSViz', DNSSEC, NOT_DNSSEC, OTHER, NOT_OTHER)],
        dnssec: [count('DNSViz', DNSSEC, NOT_DNSSEC), count('DNSViz', NOT_DNSSEC)],
        tags: [count('Zonemaster', DNSSEC, NOT_DNSSEC), count('Zonemaster', NOT_DNSSEC)],
        other: [count('DNSViz', OTHER, NOT_OTHER), count('DNSViz', NOT_OTHER)],
      },
    );
  },
);

t.test('of the DNSSEC classes of DNSViz at most 12 are not reported', async (t) => {
  t.ok((NOT_DNSSEC?.DNSViz.length ?? 85) <= 12);
});

t.test('each code that covers a class or a tag is in the catalogue', async (t) => {
  const codes = [...(DNSSEC?.codes ?? []), ...(OTHER?.codes ?? [])];
  t.ok(codes.length > 40);
  t.same(
    codes.filter((code) => !(code in CATALOGUE)),
    [],
  );
});
