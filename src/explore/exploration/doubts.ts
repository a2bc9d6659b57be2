import { getOrMake } from '../../base/memo.ts';
import { questionKey } from '../../dns/message.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { meaningFor } from '../classify.ts';
import type { Chain } from '../delegation.ts';
import { type StepRole, wholeQuestion } from '../main-walks.ts';
import type { Meaning } from '../meaning.ts';
import type { Scope } from '../recording.ts';
import { saysTheSame } from '../same-reply.ts';
import type { ExploredStep, ExploredVisit } from './explored-steps.ts';

/**
 * The zones whose servers do not all say the same, or fail: it matters there which addresses of them a resolver takes. The
 * replies to the whole name decide.
 */
export class Doubts {
  readonly #zones = new Map<Chain, Map<string, ZoneInDoubt>>();
  /** Only products tell addresses apart by where they come from. */
  readonly #profiles: Scope['profiles'];

  constructor({ profiles }: Pick<Scope, 'profiles'>) {
    this.#profiles = profiles;
  }

  /** Takes in a step. Returns whether its zone is in doubt already. */
  meet(step: ExploredStep): boolean {
    if (!this.#matters(step.role)) return false;
    const zone = this.#zone(step);
    if (zone.isInDoubt) return true;
    zone.steps.push(step);
    return false;
  }

  /** Takes in a reply. Returns the steps whose zone is in doubt from now on. */
  hear({ step }: ExploredVisit, exchanged: Exchanged): readonly ExploredStep[] {
    const { chain, role } = step;
    if (!this.#matters(role) || (role.kind === 'minimised' && role.ahead !== undefined)) return [];
    const zone = this.#zone(step);
    const meaning = meaningFor(exchanged, chain.delegation.zone);
    zone.first ??= meaning;
    if (zone.isInDoubt || saysTheSame(zone.first, meaning)) return [];
    zone.isInDoubt = true;
    return zone.steps.splice(0);
  }

  /** Who knows the zones' own NS sets takes all addresses. */
  #matters(role: StepRole): boolean {
    if (this.#profiles === undefined) return false;
    return (role.kind === 'minimised' || role.kind === 'validating') && role.sets === 'delegated';
  }

  #zone({ chain, question, role }: ExploredStep): ZoneInDoubt {
    const zones = getOrMake(this.#zones, chain, () => new Map<string, ZoneInDoubt>());
    return getOrMake(
      zones,
      questionKey(wholeQuestion(question, role)),
      (): ZoneInDoubt => ({ steps: [], first: undefined, isInDoubt: false }),
    );
  }
}

/** What is known of a zone that a whole name is asked at. */
interface ZoneInDoubt {
  /** Those met while it was not in doubt. */
  readonly steps: ExploredStep[];
  first: Meaning | undefined;
  isInDoubt: boolean;
}
