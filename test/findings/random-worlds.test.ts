import t from 'tap';
import { ROOT } from '../../src/dns/name.ts';
import { type Finding, onlyCauseOf } from '../../src/document/finding.ts';
import { identifiers } from '../../src/document/identifiers.ts';
import { readResult } from '../../src/document/read-result.ts';
import type { Outcome } from '../../src/evaluate/distribution.ts';
import { causeOf } from '../../src/evaluate/end.ts';
import { type Evaluation, evaluate, outcomesIn } from '../../src/evaluate/evaluate.ts';
import { changedWorld, evaluateWhatIf } from '../../src/evaluate/what-if.ts';
import type { ServerOrAddress } from '../../src/evaluate/world.ts';
import type { Recording } from '../../src/explore/recording.ts';
import { HEADINGS } from '../../src/findings/catalogue.ts';
import { findingsIn } from '../../src/findings/findings.ts';
import { gather } from '../../src/findings/gather.ts';
import { RouteSearch } from '../../src/findings/route-search.ts';
import { isSmoothThroughout } from '../../src/findings/smooth.ts';
import { showcases } from '../../src/lab/showcases.ts';
import { withNodeCrypto } from '../../src/traversal/node-replay.ts';
import { randomSignedWorld, runSignedWorld } from '../evaluate/signed/random-signed-world.ts';
import { showcaseResult } from '../lab/demo-result.ts';
import { healthyWorld, randomRecording } from './random-recordings.ts';
import { formMistakes, traverseWorld } from './world.ts';

t.test('healthy worlds have no findings, however much is asked', async (t) => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const { findings, figures } = await traverseWorld(healthyWorld(seed));
    t.same(
      { findings, isChecked: figures.checkExchanges > 0 },
      { findings: [], isChecked: true },
      `world ${seed}`,
    );
  }
});

/** What nobody can know who has not asked the zones about themselves. */
const ONLY_ASKED: readonly string[] = [
  'PARENT_CHILD_NS_DIFFER',
  'PARENT_CHILD_NS_DISJOINT',
  'CHILD_NS_SETS_DIFFER',
  'NS_TTL_SKEW',
  'GLUE_MISSING_FAMILY',
  'GLUE_EXTRA',
  'NS_NO_IPV6',
  'WARM_DIFFERS',
];

t.test('in random worlds, too, causes come first and are no consequences', async (t) => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= 60; seed += 1) {
    const { found, mistakes } = findingsOf(await randomRecording(seed));
    const early = found.filter(({ code }) => ONLY_ASKED.includes(code));
    t.same([...mistakes, ...early.map(({ code }) => `${code} without --check`)], [], `world ${seed}`);
    for (const finding of found) if (onlyCauseOf(finding) !== undefined) seen.add(finding.code);
  }
  t.ok(seen.size > 4, `consequences of many kinds: ${[...seen].join(' ')}`);
});

t.test('the same where zones were asked about themselves', async (t) => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= 60; seed += 1) {
    const { found, mistakes } = findingsOf(await randomRecording(seed, 'on'));
    t.same(mistakes, [], `world ${seed}`);
    for (const { code } of found) seen.add(code);
  }
  t.ok(seen.has('WARM_DIFFERS'), `findings of many kinds: ${[...seen].join(' ')}`);
});

t.test('the same where zones are signed, many of them badly', async (t) => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= 60; seed += 1) {
    const world = randomSignedWorld(seed);
    // Signatures are too long for a sentence, and cut short.
    if (world.question.type === 'RRSIG') continue;
    const { recording, evaluation } = await runSignedWorld(world);
    const { found, mistakes } = findingsOf(recording);
    for (const { code } of found) seen.add(code);
    const isBogus = outcomesIn(evaluation, 'validating').some(({ end }) => causeOf(end).kind === 'bogus');
    const isReported = found.some(({ code }) => code === 'DNSSEC_BOGUS' || code === 'PATH_INTERCEPTED');
    const silent = isBogus && !isReported ? ['users get SERVFAIL, and no finding says so'] : [];
    const vague = found.filter(({ code, message }) => code === 'DENIAL_BROKEN' && !LACKING.test(message));
    t.same([...mistakes, ...silent, ...vague], [], `world ${seed}`);
  }
  const missing = Object.keys(HEADINGS.DNSSEC).filter(
    (code) => !seen.has(code) && ![...RARE, ...NEVER].includes(code),
  );
  t.same(missing, [], 'findings of many kinds');
});

/** What signed worlds hardly ever have. */
const RARE: readonly string[] = [
  'RRSIG_EXPIRES_SOON',
  'DNSKEY_UNREACHABLE',
  'DNSKEY_INVALID',
  'ALGORITHM_INCOMPLETE',
  'ALGORITHM_WEAK',
  'KEY_ROLLOVER',
];

/** That a proof fails, and what it lacks. */
const LACKING =
  /without valid proof.*\. (?:The reply has no NSEC|The reply's NSEC|None of the reply's NSEC|The proof depends on )/;
/** What they never have: their proofs are missing or prove nothing, but none denies what exists. */
const NEVER: readonly string[] = ['NSEC_DENIES_EXISTING', 'CDS_DIFFERS'];

t.test('proofs that are right, missing or too weak deny nothing that exists', async (t) => {
  for (let seed = 1; seed <= 12; seed += 1) {
    const { recording } = await runSignedWorld(randomSignedWorld(seed), {
      change: { warm: 'on', check: 'on' },
    });
    const { found } = findingsOf(recording);
    t.same(
      found.filter(({ code }) => NEVER.includes(code)),
      [],
      `world ${seed}`,
    );
  }
});

interface Examined {
  readonly found: readonly Finding[];
  readonly mistakes: readonly string[];
}

function findingsOf(recording: Recording, evaluation: Evaluation = evaluate(recording)): Examined {
  const ids = identifiers(recording);
  const exchanges = [...recording.exchanges.values()].map((exchanged) => ({ id: ids(exchanged) }));
  const found = findingsIn(recording, evaluation, ids);
  const withAll = findingsIn(recording, evaluation, ids, 'all');
  // Checks that are left out where all went smoothly would have found nothing.
  const needed = JSON.stringify(withAll) === JSON.stringify(found) ? [] : [OTHERWISE];
  return { found, mistakes: [...needed, ...formMistakes({ findings: found, exchanges })] };
}

const OTHERWISE = 'other findings with all checks';

t.test('checks that healthy names do not need find nothing in them', async (t) => {
  let smooth = 0;
  const healthy = Array.from({ length: 20 }, (_, at) => traverseWorld(healthyWorld(at + 1)));
  const shown = showcases.map(showcaseResult);
  for (const result of await Promise.all([...healthy, ...shown])) {
    const { recording } = withNodeCrypto(readResult(result));
    const evaluation = evaluate(recording);
    t.notOk(findingsOf(recording, evaluation).mistakes.includes(OTHERWISE), result.query.name);
    const evidence = gather(recording, evaluation);
    if (isSmoothThroughout(evidence)) smooth += 1;
  }
  t.ok(smooth > 20, `${smooth} of them smooth`);
});

t.test('what follows from one server alone is gone without that server', async (t) => {
  const gone = new Map<string, number>();
  for (let seed = 1; seed <= 80; seed += 1) {
    const recordings = [await randomRecording(seed)];
    if (seed <= 80) recordings.push((await runSignedWorld(randomSignedWorld(seed))).recording);
    for (const recording of recordings) {
      const { found } = findingsOf(recording);
      for (const consequence of found.filter(({ code }) => MENDED.includes(code))) {
        const left = findingsWithout(recording, culpritOf(consequence, found));
        if (left === undefined) continue;
        t.notOk(left.includes(consequence.code), `world ${seed}: ${consequence.message}`);
        gone.set(consequence.code, (gone.get(consequence.code) ?? 0) + 1);
      }
    }
  }
  t.same(
    MENDED.filter((code) => !gone.has(code)),
    [],
    `often enough: ${[...gone].join(' ')}`,
  );
});

/** What is mended if the server at fault is in no delegation any more. */
const MENDED: readonly string[] = ['FIRST_TRY_FAILS', 'ANSWER_NOT_CERTAIN', 'DNSSEC_BOGUS'];

/** The server at which the only cause of a finding is; none where it names no server. */
function culpritOf(finding: Finding, found: readonly Finding[]): readonly ServerOrAddress[] {
  const server = found.find(({ id }) => id === onlyCauseOf(finding))?.server;
  return server === undefined ? [] : [{ kind: 'server', name: server.name }];
}

/** The codes of what would be found if these were in no delegation; undefined if that leaves one empty, or something unknown. */
function findingsWithout(
  recording: Recording,
  without: readonly ServerOrAddress[],
): readonly string[] | undefined {
  if (without.length === 0) return undefined;
  const asked = { families: recording.scope.families, timeoutMs: 1_000, retries: 0, maxQueries: 100_000 };
  const imagined = evaluateWhatIf(recording, evaluate(recording), { down: [], without, only: [] }, asked);
  if (imagined.kind !== 'imagined' || imagined.evaluation.coverage === 'limited') return undefined;
  const { evaluation } = imagined;
  return findingsIn(recording, evaluation, identifiers(recording)).map(({ code }) => code);
}

t.test('a server is needed exactly if the resolver view has no answer while it is down', async (t) => {
  const counts = { needed: 0, spare: 0 };
  for (let seed = 1; seed <= 60; seed += 1) {
    const recording = await randomRecording(seed);
    const evaluation = evaluate(recording);
    const { start } = evaluation;
    if (start.kind !== 'step' || !hasAnswer(outcomesIn(evaluation, 'resolver'))) continue;
    const wrong: string[] = [];
    const compare = (text: string, down: ServerOrAddress) => {
      const expected = hasAnswer(whileDown(recording, down)) ? 'spare' : 'needed';
      const part = { kind: down.kind, text, zone: ROOT };
      const found =
        new RouteSearch(new Set(['answer']), part).route(start.step) === undefined ? 'needed' : 'spare';
      counts[found] += 1;
      if (found !== expected) wrong.push(`${text} is ${expected}, not ${found}`);
    };
    for (const address of new Set([...recording.exchanges.values()].map((one) => one.address)))
      compare(address, { kind: 'address', address });
    for (const { name } of start.step.servers) compare(name, { kind: 'server', name });
    t.same(wrong, [], `world ${seed}`);
  }
  t.ok(counts.needed > 20 && counts.spare > 20, 'both often enough', counts);
});

function whileDown(recording: Recording, down: ServerOrAddress): readonly Outcome[] {
  const asked = { families: recording.scope.families, timeoutMs: 1_000, retries: 0, maxQueries: 100_000 };
  const world = changedWorld({ down: [down], without: [], only: [] }, asked);
  return outcomesIn(evaluate(recording, world), 'resolver');
}

function hasAnswer(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ end }) => end.kind === 'answer');
}
