import { readFileSync } from 'node:fs';
import t from 'tap';
import { type Finding, onlyCauseOf } from '../../src/document/finding.ts';
import { readResult } from '../../src/document/read-result.ts';
import { CATALOGUE, type Entry, HEADINGS } from '../../src/findings/catalogue.ts';
import { LIST_CODES } from '../../src/findings/server-list.ts';
import { replay } from '../../src/traversal/node-replay.ts';
import { ALIASES } from './aliases.ts';
import { ANSWERS } from './answers.ts';
import { BROKEN_DENIALS } from './broken-denials.ts';
import { CAUSES } from './causes.ts';
import { CDS } from './cds.ts';
import { DELEGATIONS } from './delegations.ts';
import { DENIED_EXISTENCE } from './denied-existence.ts';
import { DNSSEC, DNSSEC_CAUSES } from './dnssec.ts';
import { GLUE } from './glue.ts';
import { LOOKUPS } from './lookups.ts';
import { PROBE_CAUSES, PROBES } from './probes.ts';
import { PROTOCOL } from './protocol.ts';
import { REPLIES } from './replies.ts';
import { SERVERS } from './servers.ts';
import { SIGNING, SIGNING_CAUSES } from './signing.ts';
import { OUTLOOK } from './user-impact.ts';
import { USUAL_PROBE_CAUSES, USUAL_PROBES } from './usual-probes.ts';
import {
  denial,
  type FindingRow,
  formMistakes,
  ledger,
  referral,
  reply,
  spelled,
  traverseWorld,
} from './world.ts';
import { FIVE_FAULTS, ZONE_CAUSES } from './zone-causes.ts';
import { ZONE_FILES } from './zone-files.ts';
import { ZONES } from './zones.ts';

const ROWS: readonly FindingRow[] = [
  SERVERS,
  REPLIES,
  PROTOCOL,
  PROBES,
  DELEGATIONS,
  GLUE,
  LOOKUPS,
  ANSWERS,
  ALIASES,
  OUTLOOK,
  ZONES,
  ZONE_FILES,
  DNSSEC,
  BROKEN_DENIALS,
  SIGNING,
  CDS,
  DENIED_EXISTENCE,
  USUAL_PROBES,
].flat();

t.test('each code is found where it is proven, and only there', async (t) => {
  for (const { code, shows, finds, tells = [], ...world } of ROWS) {
    const result = await traverseWorld(world);
    const { findings } = result;
    const found = findings.filter((finding) => finding.code === code);
    // Saved, read again, and evaluated in another order.
    const backwards = replay(
      readResult(JSON.parse(JSON.stringify({ ...result, exchanges: [...result.exchanges].reverse() }))),
    );
    t.same(
      {
        finds: spelled(result, code),
        untold: tells.filter((part, i) => !`${found[i]?.message} ${found[i]?.advice}`.includes(part)),
        unproven: findings.filter(({ code, evidence }) => isAboutTheWhole(code) !== (evidence.length === 0)),
        mistakes: formMistakes(result),
        readBackwards: backwards.findings.map(withoutProof),
      },
      {
        finds,
        untold: [],
        unproven: [],
        mistakes: [],
        readBackwards: findings.map(withoutProof),
      },
      `${code}: ${shows}`,
    );
  }
});

t.test('one cause is one finding, and what follows from it names it', async (t) => {
  for (const { shows, finds, ...world } of [
    ...CAUSES,
    ...ZONE_CAUSES,
    ...PROBE_CAUSES,
    ...DNSSEC_CAUSES,
    ...SIGNING_CAUSES,
    ...USUAL_PROBE_CAUSES,
  ]) {
    const result = await traverseWorld(world);
    t.same({ finds: ledger(result), mistakes: formMistakes(result) }, { finds, mistakes: [] }, shows);
  }
});

function withoutProof({ evidence, ...finding }: Finding): Omit<Finding, 'evidence'> {
  return finding;
}

/** Whether findings of the code are about the whole rather than about exchanges. */
function isAboutTheWhole(code: string): boolean {
  return code === 'COLD_LATENCY_HIGH' || code === 'UNEXPLORED' || code.startsWith('FILE_');
}

t.test('every code has a world that shows it, and one that nearly does', async (t) => {
  for (const code of Object.keys(CATALOGUE)) {
    const shown = ROWS.filter((row) => row.code === code).map(({ finds }) => finds.length > 0);
    t.same(new Set(shown), new Set([true, false]), code);
  }
});

/** What svc-findings(7) says of a code: "SERVERS NS_REFUSED, error, RFC 1035 4.1.1", in the order of the page. */
function pageRows(): string[] {
  const page = readFileSync(new URL('../../man/svc-findings.7', import.meta.url), 'utf8');
  return page.split(/^\.Sh /m).flatMap((section) => {
    const [heading = ''] = section.split('\n');
    const items = [...section.matchAll(/^\.It Sy (.*)$/gm)].map(([, item = '']) => item);
    return items
      .filter((item) => item.includes(' , No '))
      .map((item) => `${heading} ${item.replace(', No', ',').replaceAll(' ,', ',')}`);
  });
}

t.test('svc-findings(7) has every code under its heading, with its severity and reference', async (t) => {
  const rows = Object.entries({ ...HEADINGS, 'SERVER LIST': LIST_CODES }).flatMap(([heading, entries]) =>
    Object.entries<Entry>(entries).map(([code, { severity, reference }]) =>
      [`${heading} ${code}`, severity, ...(reference === undefined ? [] : [reference])].join(', '),
    ),
  );
  t.same(pageRows(), rows);
});

t.test('a healthy world has no findings', async (t) => {
  t.same((await traverseWorld({})).findings, []);
});

t.test('five faults planted in one zone are named with their culprits', async (t) => {
  const { shows, finds, ...world } = FIVE_FAULTS;
  const { findings } = await traverseWorld(world);
  const culprits = findings.filter(
    (finding) => onlyCauseOf(finding) === undefined && !(finding.code in HEADINGS.IMPACT),
  );
  t.same(
    culprits.map(({ code, zone, server }) => [code, server?.name ?? zone].join(' ')),
    [
      'ANSWERS_DIFFER ns5.x.a.',
      'NS_UNRESOLVABLE gone.y.b.',
      'PARENT_CHILD_NS_DIFFER x.a.',
      'NS_UPWARD_REFERRAL ns2.x.a.',
      'NS_NO_RESPONSE_UDP ns3.x.a.',
    ],
  );
  const told = (code: string) => {
    const { message, advice } = findings.find((one) => one.code === code) ?? {};
    return `${message} ${advice}`;
  };
  t.match(told('ANSWERS_DIFFER'), 'ns5.x.a (192.0.2.35) returns 192.0.2.99');
  t.match(told('PARENT_CHILD_NS_DIFFER'), 'Ask the registrar to add ns6.x.a to the delegation of x.a.');
});

t.test('names and data that mean harm come escaped', async (t) => {
  const [esc, zone] = ['\\027]0;x\\007', 'a\\027\\010\\"\\\\.'];
  const server = `n${esc}.${zone}`;
  const result = await traverseWorld({
    ask: `w${esc}.${zone} TXT`,
    roots: 'r1.=192.0.2.1',
    says: {
      '192.0.2.1 *': referral(`${zone} ${server}=192.0.2.11 ns2.${zone}=192.0.2.12`),
      '192.0.2.11 *': reply({
        answer: [`@ CNAME x${esc}.${zone}`],
        additional: [`${esc}. A 192.0.2.66`],
      }),
      '192.0.2.12 *': denial('nxdomain', `${esc}.`),
    },
  });
  t.same(formMistakes(result), []);
  const codes = new Set<string>(result.findings.map(({ code }) => code));
  const expected = ['NS_NAME_SYNTAX', 'EXISTENCE_DIFFERS', 'OUT_OF_ZONE_DATA', 'NEGATIVE_WRONG_SOA'];
  t.same(
    expected.filter((code) => !codes.has(code)),
    [],
    'what is found',
  );
});
