import type { Pausable } from '../base/pausable.ts';
import type { Saved } from '../document/read-result.ts';
import type { TraversalResult } from '../document/result.ts';
import { evaluateInSteps } from '../evaluate/evaluate.ts';
import { evaluateWhatIf, type WhatIfEvaluation } from '../evaluate/what-if.ts';
import type { WhatIf } from '../evaluate/world.ts';
import { reporting } from '../report/result/result.ts';
import { withResolvers } from './replay.ts';

/** The result of an imagined world, or why there is none. */
export type WhatIfReplay =
  | { readonly kind: 'imagined'; readonly result: TraversalResult }
  | Exclude<WhatIfEvaluation, { readonly kind: 'imagined' }>;

/** The result of a saved traversal in the world that it recorded with some differences: svc-model(7), WHAT IF. */
export function* replayWhatIf(saved: Saved, whatIf: WhatIf): Pausable<WhatIfReplay> {
  const { recording, circumstances } = saved;
  const recorded = yield* evaluateInSteps(recording);
  const imagined = yield* evaluateWhatIf(recording, recorded, whatIf, circumstances.options);
  if (imagined.kind !== 'imagined') return imagined;
  const { evaluation } = imagined;
  const result = yield* reporting(recording, recorded, circumstances, { whatIf, evaluation });
  return { kind: 'imagined', result: withResolvers(result, saved) };
}
