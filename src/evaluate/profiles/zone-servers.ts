/* The servers of a zone as a resolver product finds them: their addresses, its stages of minimisation, where replies lead. */

import { getOrMake } from '../../base/memo.ts';
import { type Work, workOf } from '../../base/work.ts';
import type { MinimisedReaction, Profile, WholeReaction } from '../../explore/profiles/profile.ts';
import { reactionToMinimised, reactionToWhole } from '../../explore/profiles/reactions.ts';
import type { Distribution } from '../distribution.ts';
import type { End } from '../end.ts';
import { type Fraction, multiply, ONE } from '../fraction.ts';
import { type AddressWay, addressWays } from '../resolver-view.ts';
import { type Step, type StepServer, type Visit, visitAt, type Walk, walkAfter } from '../step.ts';

/** What it takes to say what a resolver finds at the servers of a zone. */
export interface VisitTools {
  readonly profile: Profile;
  /** Where lookups end. */
  readonly lookups: (walk: Walk) => Distribution;
  readonly work: Work;
}

/** The questions that a resolver may put to the servers of a zone, one after another: the minimised ones, the whole name last. */
export type Stages = readonly Step[];

/** What a resolver does about what it hears from an address at one stage. */
export interface Behaviour {
  /** When it hears; undefined: never. */
  readonly heardMs: number | undefined;
  readonly reaction: 'follow' | WholeReaction | MinimisedReaction;
  /** Nothing listens there, and the resolver notices at once. */
  readonly closed?: true;
  /** The reply is an error rather than of no use. */
  readonly error?: true;
}

/** Addresses of a zone's servers that behave alike, or of one of its names, where the name matters. */
export interface ServerClass {
  readonly atHand: boolean;
  /** By stage. */
  readonly stages: readonly Behaviour[];
  /** The name that the addresses belong to, where it matters which; else empty. */
  readonly name: string;
  /** The same for classes that differ only in the name, if all addresses of these names behave alike. */
  readonly alike: string;
  readonly members: readonly AddressOfZone[];
}

/** An address of a name server of the zone; undefined: a limit ended the look-up of that name. */
interface AddressOfZone {
  readonly server: number;
  readonly address: string | undefined;
  readonly limited?: End;
}

/** The stages from a step on, and how far it is to the whole name. */
export function stagesFrom(step: Step): Stages {
  const stages = [step];
  for (let at = step.minimised?.nextLabel; at?.kind === 'step'; at = at.step.minimised?.nextLabel)
    stages.push(at.step);
  return stages;
}

/** Where a resolver goes that takes what an address replies at a stage. */
export function takenAt(
  step: Step,
  { server: index, address, limited }: AddressOfZone,
  reaction: Behaviour['reaction'],
): Walk {
  if (limited !== undefined) return { kind: 'cut', end: limited };
  const server = step.servers[index];
  if (server === undefined || address === undefined)
    throw new Error('the servers of a zone are the same at each stage');
  const visit = visitAt(server, address);
  // Who takes a reply that says nothing of use takes it for a denial.
  if (reaction === 'end' && visit.kind === 'asked' && visit.meaning.kind === 'lame')
    return { kind: 'cut', end: step.ends.denial(server.name, address) };
  const walk = reaction === 'follow' ? walkAfter(visit) : undefined;
  return walk ?? { kind: 'cut', end: step.ends.afterVisit(visit, server.name, address) };
}

/** Each way in which the look-ups of the servers can come out, with its probability. Void where that is more work than there may be. */
export function serverClasses(
  stages: Stages,
  { profile, lookups, work }: VisitTools,
): readonly { readonly weight: Fraction; readonly classes: readonly ServerClass[] }[] {
  const [step] = stages;
  if (step === undefined) return [];
  const ways = step.servers.map((server) => addressWays(server, lookups));
  if (work.spend(workOf('address', stages.length * addressesCombined(ways))) === 'exceeded') return [];
  return combinations(ways).map(({ weight, sets }) => ({
    weight,
    classes: classesOf(stages, step.servers, sets, profile),
  }));
}

/** How many addresses all combinations of ways have together. */
function addressesCombined(all: readonly (readonly AddressWay[])[]): number {
  const combinations = all.reduce((product, ways) => product * ways.length, 1);
  const addresses = (way: AddressWay) => (way.kind === 'addresses' ? way.set.length : 1);
  return all.reduce(
    (sum, ways) => sum + ways.reduce((of, way) => of + addresses(way), 0) * (combinations / ways.length),
    combinations,
  );
}

interface Combination {
  readonly weight: Fraction;
  readonly sets: readonly AddressWay[];
}

function combinations(all: readonly (readonly AddressWay[])[]): readonly Combination[] {
  return all.reduce<readonly Combination[]>(
    (sofar, ways) =>
      sofar.flatMap(({ weight, sets }) =>
        ways.map((way) => ({ weight: multiply(weight, way.weight), sets: [...sets, way] })),
      ),
    [{ weight: ONE, sets: [] }],
  );
}

function classesOf(
  stages: Stages,
  servers: readonly StepServer[],
  sets: readonly AddressWay[],
  profile: Profile,
): readonly ServerClass[] {
  const { by } = profile.picks;
  const seen = new Set<string>();
  const classes = new Map<string, ServerClass & { readonly members: AddressOfZone[] }>();
  // An address under several names counts once, under one that is up, if there is any.
  const order = servers.map((_, i) => i).sort((a, b) => Number(isUp(stages, b)) - Number(isUp(stages, a)));
  for (const server of order) {
    const all = addressesOf(server, sets[server]).filter(({ address }) => {
      if (by === 'name' || address === undefined) return true;
      if (seen.has(address)) return false;
      seen.add(address);
      return true;
    });
    const behaviours = all.map((one) => stages.map((step) => behaviourAt(step, one, profile)));
    const texts = behaviours.map((one) => JSON.stringify(one));
    const atHand = by === 'name' || servers[server]?.kind === 'glue';
    const nameMatters = by === 'name' || !atHand;
    const name = nameMatters ? String(server) : '';
    const ofName = nameMatters ? [...texts].sort().join() : '';
    all.forEach((one, i) => {
      const text = texts[i] ?? '';
      const alike = `${atHand} ${text} ${ofName}`;
      const made = (): ServerClass & { readonly members: AddressOfZone[] } => {
        return { atHand, stages: behaviours[i] ?? [], name, alike, members: [] };
      };
      getOrMake(classes, `${name} ${alike}`, made).members.push(one);
    });
  }
  return [...classes.values()];
}

function addressesOf(server: number, way: AddressWay | undefined): readonly AddressOfZone[] {
  if (way === undefined) return [];
  if (way.kind === 'limited') return [{ server, address: undefined, limited: way.end }];
  return way.set.map((address) => ({ server, address }));
}

function isUp([step]: Stages, server: number): boolean {
  return step?.servers[server]?.visits === step?.visits;
}

function behaviourAt(step: Step, { server: index, address }: AddressOfZone, profile: Profile): Behaviour {
  const server = step.servers[index];
  if (server === undefined || address === undefined) return { heardMs: 0, reaction: 'end' };
  const visit = visitAt(server, address);
  if (visit.kind === 'not-asked') return { heardMs: 0, reaction: 'end' };
  const reaction =
    step.minimised === undefined
      ? reactionToWhole(profile, visit.meaning, visit.exchanged)
      : reactionToMinimised(profile, visit.meaning, visit.exchanged);
  if (visit.meaning.kind === 'unreachable')
    return { heardMs: undefined, reaction, ...(profile.time.closedPort === 'noticed' && { closed: true }) };
  return { heardMs: heardMs(visit), reaction, ...(visit.meaning.kind === 'error' && { error: true }) };
}

/** To the tenth of a second from 100 ms on, so that few differ: nobody notices less. */
function heardMs({ exchanged }: Extract<Visit, { kind: 'asked' }>): number | undefined {
  const { outcome, tries } = exchanged;
  if (outcome.kind === 'timeout') return undefined;
  const ms = outcome.kind === 'reply' ? outcome.rttMs : (tries.at(-1)?.elapsedMs ?? 0);
  return ms < FINE_MS ? Math.round(ms / FINE_STEP_MS) * FINE_STEP_MS : Math.round(ms / FINE_MS) * FINE_MS;
}

const FINE_MS = 100;
const FINE_STEP_MS = 10;
