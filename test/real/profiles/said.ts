import { NODE_CRYPTO } from '../../../src/dns/dnssec/node-crypto.ts';
import { trustFromAnchors } from '../../../src/dns/dnssec/trust-anchors.ts';
import { type Name, parseName, ROOT } from '../../../src/dns/name.ts';
import type { End } from '../../../src/evaluate/end.ts';
import { type EvaluatedView, evaluate } from '../../../src/evaluate/evaluate.ts';
import { toNumber } from '../../../src/evaluate/fraction.ts';
import { createExchange } from '../../../src/exchange/exchange.ts';
import { delegationOf } from '../../../src/explore/delegation.ts';
import { Explorer } from '../../../src/explore/explore.ts';
import { type ProfileName, todaysProfile } from '../../../src/explore/profiles/profiles.ts';
import { type Recording, type Scope, validatingScope } from '../../../src/explore/recording.ts';
import { type Copy, meantMs, versionWith } from './copies.ts';
import { isDual } from './fault-world.ts';
import type { Said } from './judge.ts';
import type { Surroundings } from './look-ups.ts';

/** Traverses the copy for these profiles. */
export async function recordingOf(
  copy: Copy,
  { lab, anchor }: Pick<Surroundings, 'lab' | 'anchor'>,
  profiles: readonly ProfileName[],
): Promise<Recording> {
  const { name, type, world } = copy;
  const hints = new Map<Name, readonly string[]>(lab.roots.map((root) => [root.name, root.addresses]));
  const scope: Scope = {
    question: { name: parseName(name), type },
    hints: delegationOf(ROOT, hints),
    families: isDual(world) ? [4, 6] : [4],
    maxDepth: 30,
    maxWork: 10_000_000,
    specialTargets: 'allowed',
    warm: world.before === 'own NS records' ? 'on' : 'off',
    check: 'off',
    profiles,
    ...(anchor !== '' && { dnssec: dnssecFrom(anchor) }),
  };
  const explorer = new Explorer(scope, { maxQueries: 1000, maxTimeMs: 60_000 });
  const exchange = asMeant(createExchange({ timeoutMs: TIMEOUT_MS, retries: 0 }), copy);
  const { recording } = await explorer.run(exchange, new AbortController().signal);
  return recording;
}

/** With the times that the servers of the copy are meant to take: a busy machine adds to them. */
function asMeant(exchange: ReturnType<typeof createExchange>, copy: Copy): ReturnType<typeof createExchange> {
  return async (query, ...others) => {
    const exchanged = await exchange(query, ...others);
    const { outcome } = exchanged;
    const rttMs = meantMs(copy, query.address, query.question.name);
    if (outcome.kind !== 'reply') return exchanged;
    return { ...exchanged, elapsedMs: rttMs, outcome: { ...outcome, rttMs } };
  };
}

function dnssecFrom(anchor: string): NonNullable<Scope['dnssec']> {
  const anchors = trustFromAnchors(anchor.trim().split('\n'));
  return validatingScope(NODE_CRYPTO, { time: Math.floor(Date.now() / 1000), anchors });
}

/**
 * What each profile says that its users get, whose programs ask for validation; with the zones' own NS records if these make a
 * difference. An earlier version that does as today's is not listed.
 */
export function saidBy(recording: Recording): ReadonlyMap<ProfileName, Said> {
  const { profiles = [] } = recording.scope;
  const { views } = evaluate(recording);
  return new Map(
    profiles.flatMap((profile) => {
      const today = todaysProfile(profile) ?? profile;
      const all = [`${profile}/warm`, `${today}/warm`, profile, today] as const;
      const [said] = all.flatMap((name) => views.get(name) ?? []);
      return said === undefined ? [] : [[profile, saidIn(said)]];
    }),
  );
}

function saidIn({ asking, deviations = [], ...others }: EvaluatedView): Said {
  const { outcomes, late } = asking ?? others;
  const shares = new Map<string, number>();
  for (const { end, probability } of outcomes) {
    const what = outcomeOf(end);
    shares.set(what, (shares.get(what) ?? 0) + toNumber(probability));
  }
  return {
    shares,
    late: late === undefined ? 0 : toNumber(late),
    deviations: deviations.map(({ text }) => text),
  };
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
