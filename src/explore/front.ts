import type { Exchanged } from '../exchange/exchanged.ts';
import { Exploration } from './exploration.ts';
import type { Policy } from './policy/policy.ts';
import type { WantedQuery } from './questions.ts';
import type { Scope } from './recording.ts';
import type { MainWalkKind } from './warm.ts';

/** One walk while it is explored: what it has come to know. */
export class Front {
  readonly exploration: Exploration;
  /** By key: every question that paths of the walk contain, as far as they are known. */
  readonly known = new Map<string, WantedQuery>();

  constructor(scope: Scope, policy: Policy, kind: MainWalkKind) {
    this.exploration = new Exploration(scope, policy, kind);
  }

  /** The questions of the walk that became known since the last call. */
  takeWanted(): readonly WantedQuery[] {
    const wanted = this.exploration.takeWanted();
    for (const one of wanted) this.known.set(one.key, one);
    return wanted;
  }

  learn(exchanged: Exchanged): void {
    this.exploration.learn(exchanged);
  }
}
