import { Work } from '../base/work.ts';
import type { Behaviour } from '../explore/profiles/profile.ts';
import type { ProfileName } from '../explore/profiles/profiles.ts';
import type { Recording } from '../explore/recording.ts';
import { unexamined } from './end.ts';
import type { InTime } from './profiles/in-time.ts';
import {
  outcomesOfBehaviour,
  outcomesOfProducts,
  type ProductOutcomes,
  type ResolvedWalk,
} from './profiles/products.ts';
import { ResolverView } from './resolver-view.ts';
import type { Step } from './step.ts';
import { provingWalk, type ValidatingView } from './validating/validating-view.ts';
import { isElsewhere, ownSetOf } from './visit/arrivals.ts';
import { resolvingWithinWork } from './within-work.ts';
import { AS_RECORDED, type MainWalk } from './world.ts';

/** The outcomes of a product's users. */
export interface ProfileOutcomes extends ProductOutcomes {
  readonly name: ProfileName;
  /** Of those whose resolver knows the zones' own NS sets; absent: the same, or not examined. */
  readonly warm?: Omit<ProductOutcomes, 'deviations'>;
}

/**
 * What users of a resolver with any behaviour get, cold, that asks for no minimised names. Its replies are validated if the
 * recording was made to tell and the behaviour does. Undefined where that is too much work.
 */
export function outcomesWith(recording: Recording, behaviour: Behaviour): InTime | undefined {
  const main = { recording, world: AS_RECORDED } as const;
  const isProven = recording.scope.dnssec?.validation !== undefined && behaviour.validation !== undefined;
  return resolvingWithinWork({ ...main, start: { kind: 'cold' } }, (unfolded, mostWork) => {
    const work = new Work(mostWork);
    const resolverView = new ResolverView(work);
    for (const step of unfolded.steps) resolverView.fold(step);
    if (work.exceeded) return undefined;
    const proven = isProven ? provingWalk(main, 'delegated') : undefined;
    return outcomesOfBehaviour(behaviour, {
      ...main,
      sets: 'delegated',
      plain: { ...unfolded, resolverView },
      proven,
    });
  });
}

/** The walks that were folded for the abstract resolvers. */
interface KnownWalks {
  readonly cold: ResolvedWalk;
  readonly warm: { readonly resolved: ResolvedWalk; readonly steps: readonly Step[] } | undefined;
  readonly validating: ValidatingView | undefined;
}

/** The outcomes of each product's users, cold and warm: svc-model(7), PROFILES. Undefined where no profile was asked for. */
export function viewsOfProducts(
  main: Pick<MainWalk, 'recording' | 'world'>,
  { cold, warm, validating }: KnownWalks,
): readonly ProfileOutcomes[] | undefined {
  const { profiles } = main.recording.scope;
  if (profiles === undefined) return undefined;
  const coldOutcomes = outcomesOfProducts(profiles, {
    ...main,
    sets: 'delegated',
    plain: cold,
    proven: validating?.walk,
  });
  const warmOutcomes =
    warm === undefined || !warm.steps.some(leadsElsewhere)
      ? new Map<ProfileName, ProductOutcomes>()
      : outcomesOfProducts(profiles, {
          ...main,
          sets: 'own',
          plain: warm.resolved,
          proven: validating && provingWalk(main, 'own'),
        });
  return [...coldOutcomes].map(([name, outcomes]) => {
    const own = warmOutcomes.get(name);
    // A recording made before products were looked at warm lacks some questions of these walks alone.
    const isExamined = own !== undefined && (isKnown(own) || !isKnown(outcomes));
    return { name, ...outcomes, ...(isExamined && { warm: withoutDeviations(own) }) };
  });
}

function isKnown({ outcomes }: InTime): boolean {
  return outcomes.every(({ end }) => unexamined(end) === undefined);
}

function withoutDeviations({
  deviations: _,
  ...outcomes
}: ProductOutcomes): NonNullable<ProfileOutcomes['warm']> {
  return outcomes;
}

/** Whether some own set of a zone has other servers than its delegation, or other addresses. */
function leadsElsewhere(step: Step): boolean {
  return (
    step.otherwise !== undefined &&
    [...step.visits.values()].map(ownSetOf).some((own) => own?.kind === 'step' && isElsewhere(own.step, step))
  );
}
