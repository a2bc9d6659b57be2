import type { Saved } from './document/read-result.ts';
import type { TraversalResult } from './document/result.ts';
import { evaluating } from './evaluate/evaluate.ts';
import { type Imagined, imagining } from './evaluate/what-if/imagining.ts';
import type { WhatIf } from './evaluate/what-if/what-if.ts';
import type { Pausable } from './pausable.ts';
import { withResolvers } from './replay.ts';
import { reporting } from './report/result/report.ts';

/** The result of an imagined world, or why there is none. */
export type ImaginedResult =
  | { readonly kind: 'imagined'; readonly result: TraversalResult }
  | Exclude<Imagined, { readonly kind: 'imagined' }>;

/** The result of a saved traversal in the world that it recorded with some differences: svc-model(7), WHAT IF. */
export function* imaginingResult(saved: Saved, whatIf: WhatIf): Pausable<ImaginedResult> {
  const { recording, circumstances } = saved;
  const recorded = yield* evaluating(recording);
  const imagined = yield* imagining(recording, recorded, whatIf, circumstances.options);
  if (imagined.kind !== 'imagined') return imagined;
  const { evaluation } = imagined;
  const result = yield* reporting(recording, recorded, circumstances, { whatIf, evaluation });
  return { kind: 'imagined', result: withResolvers(result, saved) };
}
