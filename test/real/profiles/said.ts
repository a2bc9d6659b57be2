import type { ProfileName } from '../../../src/base/profile-names.ts';
import { type Name, parseName, ROOT } from '../../../src/dns/name.ts';
import type { End } from '../../../src/evaluate/end.ts';
import { evaluate } from '../../../src/evaluate/evaluate.ts';
import { toNumber } from '../../../src/evaluate/fraction.ts';
import { createExchange } from '../../../src/exchange/exchange.ts';
import { delegationOf } from '../../../src/explore/delegation.ts';
import { Explorer } from '../../../src/explore/explore.ts';
import type { Recording, Scope } from '../../../src/explore/recording.ts';
import type { Lab } from '../../../src/lab/lab.ts';
import { type Copy, versionWith } from './copies.ts';
import type { Said } from './judge.ts';

/** Traverses the copy for these profiles. */
export async function recordingOf(
  { name }: Copy,
  lab: Lab,
  profiles: readonly ProfileName[],
): Promise<Recording> {
  const hints = new Map<Name, readonly string[]>(lab.roots.map((root) => [root.name, root.addresses]));
  const scope: Scope = {
    question: { name: parseName(name), type: 'A' },
    hints: delegationOf(ROOT, hints),
    families: [4],
    maxDepth: 30,
    maxWork: 1_000_000,
    specialTargets: 'allowed',
    warm: 'off',
    check: 'off',
    profiles,
  };
  const explorer = new Explorer(scope, { maxQueries: 1000, maxTimeMs: 60_000 });
  const exchange = createExchange({ timeoutMs: TIMEOUT_MS, retries: 0 });
  const { recording } = await explorer.run(exchange, new AbortController().signal);
  return recording;
}

/** What each profile says that its users get. */
export function saidBy(recording: Recording): ReadonlyMap<ProfileName, Said> {
  return new Map(
    (evaluate(recording).profiles ?? []).map(({ name: profile, outcomes, late }) => {
      const shares = new Map<string, number>();
      for (const { end, probability } of outcomes) {
        const what = outcomeOf(end);
        shares.set(what, (shares.get(what) ?? 0) + toNumber(probability));
      }
      return [profile, { shares, late: late === undefined ? 0 : toNumber(late) }];
    }),
  );
}

/** Longer than any server of these worlds takes. */
const TIMEOUT_MS = 3000;

/** An end as a user sees it. */
function outcomeOf(end: End): string {
  switch (end.kind) {
    case 'answer': {
      const [data] = end.records.filter(({ type }) => type === 'A').map((record) => record.data);
      return data === undefined ? 'nodata' : `answer ${versionWith(data) ?? 'unknown'}`;
    }
    case 'nxdomain':
    case 'nodata':
      return end.kind;
    case 'timeout':
      return end.server === null ? 'timeout' : 'servfail';
    default:
      return 'servfail';
  }
}
