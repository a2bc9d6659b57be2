import { isAtOrBelow, isBelow, type Name } from '../../dns/name.ts';
import { answerData, type OutcomeRow } from '../../document/ends.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { ChangeRow } from '../../document/when.ts';
import { firstOfEach } from '../../document/words/lists.ts';
import { endKey } from '../../evaluate/end.ts';
import type { ProfileName } from '../../explore/profiles/profiles.ts';
import { isRotating, rotationIn } from '../views/rotation-changes.ts';
import { contentTerm } from '../views/wording.ts';
import { longest, shareLeft, type Uniforms } from './curve.ts';
import { copyRow, type Held, lastMs, longestTtl, timeLeftOf } from './held.ts';
import { profilesTold } from './lead-times.ts';
import { type Stay, stayAtAddress, stayAtAll } from './moves.ts';
import { type Way, wayIn, type ZoneOnWay } from './way.ts';

/** A result before a change and a result after it, and the copies that resolvers can hold according to each. */
export interface Comparison {
  readonly before: TraversalResult;
  readonly after: TraversalResult;
  readonly ways: { readonly before: Way; readonly after: Way };
  /** The moment of the change. */
  readonly at: Date;
  readonly profiles: readonly ProfileName[];
}

/** Compares two results for the same question, before and after a change that was made, or is planned, at the moment `at`. */
export function comparisonOf(before: TraversalResult, after: TraversalResult, at: Date): Comparison {
  const ways = { before: wayIn(before), after: wayIn(after) };
  return { before, after, ways, at, profiles: profilesTold(after) };
}

/** The answers and denials that a change replaces, and for how long users still get them. */
export function oldEnds(comparison: Comparison): readonly ChangeRow[] {
  const { before, after, profiles } = comparison;
  const kept = new Set(after.views.resolver.outcomes.map(contentTerm));
  // Of the data that a server rotates over, each traversal gets some.
  const rotation = rotationIn([before, after]);
  const rotating = (end: OutcomeRow) => (isRotating(end, rotation) ? [endKey(end)] : []);
  const keptRotating = new Set(after.views.resolver.outcomes.flatMap(rotating));
  const isKept = (end: OutcomeRow) =>
    kept.has(contentTerm(end)) || rotating(end).some((key) => keptRotating.has(key));
  const old = firstOfEach(before.views.resolver.outcomes, contentTerm).filter(
    (end) => HELD.has(end.kind) && !isKept(end),
  );
  const known = new Set(before.views.resolver.outcomes.map(contentTerm));
  const instead = firstOfEach(after.views.resolver.outcomes, contentTerm);
  const fresh = instead.filter((end) => !known.has(contentTerm(end)));
  return old.map((end) => ({
    before: end,
    after: fresh.length > 0 ? fresh : instead,
    profiles: profiles.map((name) => ({ name, ...timesOf(end, name, comparison) })),
  }));
}

/** The ends that resolvers cache for long; they forget failures within seconds. */
const HELD: ReadonlySet<string> = new Set<OutcomeRow['kind']>(['answer', 'nodata', 'nxdomain']);

function timesOf(
  end: OutcomeRow,
  profile: ProfileName,
  comparison: Comparison,
): Omit<ChangeRow['profiles'][number], 'name'> {
  const { ways, at } = comparison;
  const all = copyOf(end, ways.before);
  if (all === undefined) return { lastAt: at.toISOString(), points: [point(at, 0, 0)], why: [] };
  const held = ofThisEnd(end, all);
  const changed = changedCopies(end, held, ways);
  const [soonest = held] = [...changed].sort((a, b) => longestTtl(profile, a) - longestTtl(profile, b));
  const stay = stayAtOld(profile, held, comparison);
  const most = [...stay.most, soonest];
  const why = most.map((copy) => copyRow(profile, copy));
  const share = weightOf(held, profile) / (weightOf(all, profile) || 1);
  if (stay.usual === 'endless') {
    const late = at.getTime() + lastMs(profile, most);
    return { lastAt: null, points: [point(at, 0, share), point(at, late - at.getTime(), share)], why };
  }
  const stays = stay.usual.map((copy) => timeLeftOf(profile, copy));
  // The old end is gone once the first changed copy expires. The stay at old servers delays all copies alike.
  const times = (stays.length === 0 ? changed : [soonest]).map((copy) => [
    ...stays,
    timeLeftOf(profile, copy),
  ]);
  const lastAt = new Date(at.getTime() + lastMs(profile, most)).toISOString();
  return { lastAt, points: pointsOf(times, share, at), why };
}

/** The copy of the RRset or denial in which an end consists, with what other servers give in its place. */
function copyOf(end: OutcomeRow, { sets }: Way): Held | undefined {
  const owners = end.kind === 'answer' ? end.records.map(({ name }) => name) : [end.question.name];
  const kind = end.kind === 'answer' ? 'data' : 'denial';
  return sets
    .map(({ held }) => held)
    .find(
      (held) =>
        held.kind === kind && held.rrset.type === end.question.type && owners.includes(held.rrset.name),
    );
}

/** The same copy from only the servers that gave this end. */
function ofThisEnd(end: OutcomeRow, held: Held): Held {
  const data = answerData(end).join();
  const own = held.given.filter((given) => given.data.join() === data);
  return own.length === 0 ? held : { ...held, given: own };
}

/** The copies on the way to an end that have changed: of aliases, and of the end itself. */
function changedCopies(end: OutcomeRow, own: Held, { before, after }: Comparison['ways']): readonly Held[] {
  const now = new Set(after.sets.flatMap(({ held }) => contentsOf(held)));
  const isGone = (held: Held) => !contentsOf(held).some((content) => now.has(content));
  const aliases = before.sets.map(({ held }) => held).filter(({ rrset }) => ALIASES.has(rrset.type));
  const changed = aliases.filter((held) => held.rrset.type !== end.question.type && isGone(held));
  return isGone(own) || changed.length === 0 ? [...changed, own] : changed;
}

const ALIASES: ReadonlySet<string> = new Set(['CNAME', 'DNAME']);

function contentsOf({ kind, rrset, given }: Held): readonly string[] {
  return given.map(({ data }) => [kind, rrset.name, rrset.type, ...data].join('\n'));
}

/** The copies that keep resolvers at old name servers of the zone that gave a copy, or of zones above it. */
function stayAtOld(profile: ProfileName, held: Held, { ways }: Comparison): Stay {
  const home = ways.before.sets.find((set) => set.held.rrset.name === held.rrset.name)?.zone;
  const above = ways.before.zones.filter(({ zone }) => home !== undefined && isAtOrBelow(home, zone));
  const first = above.findIndex((zone) => moveOf(zone, ways.after) !== 'none');
  const moved = first === -1 ? undefined : above[first];
  if (moved === undefined) return { usual: [], most: [] };
  if (moveOf(moved, ways.after) === 'names') return stayAtAll(profile, above.slice(first));
  return stayAtAddress(profile, moved);
}

/** Whether a change took name servers from a zone: by their names, all of them with the delegation, or only by their addresses. */
export function moveOf(zone: ZoneOnWay, after: Way): 'none' | 'names' | 'addresses' {
  const now = after.zones.find((one) => one.zone === zone.zone);
  if (now === undefined) return isAnsweredAbove(zone.zone, after) ? 'names' : 'none';
  const names = new Set(now.servers.values());
  if ([...zone.servers.values()].some((name) => !names.has(name))) return 'names';
  return [...zone.servers.keys()].some((address) => !now.servers.has(address)) ? 'addresses' : 'none';
}

/** Whether names in a zone are now answered by a zone above it: its delegation has been removed. */
function isAnsweredAbove(zone: Name, { sets }: Way): boolean {
  return sets.some(({ zone: home, held }) => isAtOrBelow(held.rrset.name, zone) && isBelow(zone, home));
}

/** The number of busy users who hold a copy at a moment, up to a common factor. */
function weightOf({ kind, rrset, given }: Held, profile: ProfileName): number {
  return given.reduce((sum, one) => sum + one.share * longestTtl(profile, { kind, rrset, given: [one] }), 0);
}

/** The number of intervals in a curve: few enough to draw, enough to see the shape. */
const POINTS = 40;

function pointsOf(times: readonly (readonly Uniforms[])[], share: number, at: Date): readonly Point[] {
  const end = Math.min(...times.map(longest));
  return Array.from({ length: POINTS + 1 }, (_, step) => {
    const seconds = (end * step) / POINTS;
    const left = times.reduce((product, one) => product * shareLeft(one, seconds), share);
    return point(at, seconds * 1_000, left);
  });
}

type Point = ChangeRow['profiles'][number]['points'][number];

function point(at: Date, ms: number, share: number): Point {
  return { at: new Date(at.getTime() + ms).toISOString(), share: Math.round(share * 1e6) / 1e6 };
}
