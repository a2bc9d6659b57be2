/* Variants of products: earlier versions, and settings. They are evaluated where they can come to something else. */

import { isSameData } from '../../base/same-data.ts';
import { queryKey } from '../../exchange/query.ts';
import { meaningFor } from '../../explore/classify.ts';
import type { NsSets } from '../../explore/main-walks.ts';
import type { Profile } from '../../explore/profiles/profile.ts';
import {
  DEFAULT_PROFILES,
  PROFILES,
  type ProfileName,
  todaysProfile,
  usualProfile,
} from '../../explore/profiles/profiles.ts';
import { replyKind } from '../../explore/profiles/reactions.ts';
import { minimisedQuestions } from '../../explore/profiles/stages.ts';
import type { Step } from '../step.ts';
import { mainSteps } from '../step-order.ts';
import type { Unfolded } from '../within-work.ts';
import { AS_RECORDED, type MainWalk } from '../world.ts';

/** The profile of which this one is a variant, unless that was asked for by its name. */
export function variedBy(name: ProfileName, profiles: readonly ProfileName[]): ProfileName | undefined {
  const areAll = DEFAULT_PROFILES.every((usual) => profiles.includes(usual));
  return todaysProfile(name) ?? (areAll ? usualProfile(name) : undefined);
}

/** A main walk of products. */
interface Walk extends Pick<MainWalk, 'recording' | 'world'> {
  readonly sets: NsSets;
  /** Without minimised questions. */
  readonly plain: Unfolded;
}

/** Whether a variant can do otherwise on a walk than what it varies, by the data of both and what servers replied there. */
export function mayResolveOtherwise(name: ProfileName, walk: Walk): boolean {
  if (walk.world !== AS_RECORDED) return true;
  const today = todaysProfile(name);
  const met = metOn(walk, PROFILES[name]);
  if (today === undefined) return [...met.minimised].some((kind) => !LEADS_ON.has(kind));
  return !isSameData(decisive(PROFILES[name], met), decisive(PROFILES[today], met));
}

/** After these replies to a minimised question every setting goes on with the next label. */
const LEADS_ON: ReadonlySet<Kind> = new Set([
  'answer',
  'answer-without-aa',
  'alias',
  'nodata',
  'nodata-without-aa',
  'nodata-without-soa',
  'referral',
]);

type Kind = ReturnType<typeof replyKind>;

/** What a resolver meets on a walk. */
interface Met {
  readonly whole: ReadonlySet<Kind>;
  readonly minimised: ReadonlySet<Kind>;
  /** Some server has an address that is looked up. */
  readonly isLookedUp: boolean;
  /** The zones' own sets are asked. */
  readonly isOwn: boolean;
  /** Some server was asked more than once, or may be taken for silent. */
  readonly isAskedAgain: boolean;
}

/** A reply this late may come after a resolver's patience. */
const LATE_MS = 300;

function metOn({ plain, recording, sets }: Walk, { minimisation: { style } }: Profile): Met {
  const whole = new Set<Kind>();
  const minimised = new Set<Kind>();
  let isLookedUp = false;
  let isAskedAgain = false;
  for (const { delegation, question, servers, visits } of mainSteps(plain.start)) {
    isLookedUp ||= servers.some(isWithLookup);
    const series = minimisedQuestions(style, delegation.zone, question);
    for (const [address, visit] of visits) {
      const asked = visit.kind === 'asked' ? [visit.exchanged] : [];
      const more = series.flatMap(
        (shorter) => recording.exchanges.get(queryKey({ address, question: shorter })) ?? [],
      );
      for (const exchanged of asked) whole.add(replyKind(meaningFor(exchanged, delegation.zone), exchanged));
      for (const exchanged of more)
        minimised.add(replyKind(meaningFor(exchanged, delegation.zone), exchanged));
      isAskedAgain ||= [...asked, ...more].some(
        ({ outcome, tries }) => outcome.kind !== 'reply' || tries.length > 1 || outcome.rttMs > LATE_MS,
      );
    }
  }
  return { whole, minimised, isLookedUp, isOwn: sets === 'own', isAskedAgain };
}

function isWithLookup(server: Step['servers'][number]): boolean {
  return server.kind !== 'glue' || server.lookedUp !== undefined;
}

/** The data of a profile that decide anything where no more is met than this. */
function decisive({ minimisation, picks, glue, ...profile }: Profile, met: Met): object {
  const { whole, tries, fallbacks, tcp, aliases, families, time, ownSet, validation } = profile;
  const { lookedUpJoin, gluedFirst, ...order } = picks;
  const { lookups, ...taken } = glue;
  const { reactions, ...minimising } = minimisation;
  return {
    whole: [...met.whole].map((kind) => (kind === 'referral' || kind === 'alias' ? kind : whole[kind])),
    minimised: [...met.minimised].map((kind) => (kind === 'referral' ? kind : reactions[kind])),
    ...{ minimising, order, taken, aliases, families, time, validation },
    ...(met.isOwn && { ownSet }),
    ...(met.isLookedUp && { lookedUpJoin, gluedFirst, lookups }),
    ...(met.isAskedAgain ? { tries, fallbacks, tcp } : { tries: { ...tries, packets: 1 } }),
  };
}
