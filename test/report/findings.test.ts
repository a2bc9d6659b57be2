import t from 'tap';
import { CATALOGUE } from '../../src/report/findings/catalogue.ts';
import { readResult } from '../../src/report/read-result.ts';
import type { TraversalResult } from '../../src/report/result.ts';
import { replay } from '../../src/traverse.ts';
import { ALIASES } from './findings/aliases.ts';
import { ANSWERS } from './findings/answers.ts';
import { DELEGATIONS } from './findings/delegations.ts';
import { GLUE } from './findings/glue.ts';
import { LOOKUPS } from './findings/lookups.ts';
import { OUTLOOK } from './findings/outlook.ts';
import { PROTOCOL } from './findings/protocol.ts';
import { REPLIES } from './findings/replies.ts';
import { SERVERS } from './findings/servers.ts';
import { type FindingRow, spelled, traverseWorld } from './findings/world.ts';

const ROWS: readonly FindingRow[] = [
  SERVERS,
  REPLIES,
  PROTOCOL,
  DELEGATIONS,
  GLUE,
  LOOKUPS,
  ANSWERS,
  ALIASES,
  OUTLOOK,
].flat();

t.test('each code is found where it is proven, and only there', async (t) => {
  for (const { code, shows, finds, tells, ...world } of ROWS) {
    await t.test(`${code}: ${shows}`, async (t) => {
      const result = await traverseWorld(world);
      t.same(spelled(result, code), finds);
      const found = result.findings.filter((finding) => finding.code === code);
      for (const [i, part] of (tells ?? []).entries()) t.match(found[i]?.message, part);
      checkForm(t, result);
      t.same(replay(readResult(JSON.parse(JSON.stringify(result)))).findings, result.findings);
    });
  }
});

/** Findings that are about the whole rather than about exchanges. */
const WITHOUT_PROOF: readonly string[] = ['COLD_LATENCY_HIGH', 'UNEXPLORED'];

/** Whatever the servers say: one printable sentence each, and exchanges that are there. */
function checkForm(t: typeof t, { findings, exchanges }: TraversalResult): void {
  const ids = new Set(exchanges.map(({ id }) => id));
  for (const finding of findings) {
    t.match(finding.message, /^[ -~]+[:,;.] ?.*\.$/, finding.code);
    t.notMatch(finding.message, /undefined|NaN|\[object/, finding.code);
    t.ok(
      finding.exchanges.every((id) => ids.has(id)),
      finding.code,
    );
    t.equal(finding.exchanges.length === 0, WITHOUT_PROOF.includes(finding.code), finding.code);
  }
}

t.test('every code has a world that shows it, and one that nearly does', async (t) => {
  for (const code of Object.keys(CATALOGUE)) {
    const rows = ROWS.filter((row) => row.code === code);
    t.ok(
      rows.some(({ finds }) => finds.length > 0),
      `${code} is found`,
    );
    t.ok(
      rows.some(({ finds }) => finds.length === 0),
      `${code} is not found`,
    );
  }
});

t.test('a healthy world has no findings', async (t) => {
  t.same((await traverseWorld({})).findings, []);
});
