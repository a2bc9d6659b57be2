import type { EvaluatedView, Evaluation } from '../../src/evaluate/evaluate.ts';
import { PROFILE_NAMES, type ProfileName } from '../../src/explore/profiles/profiles.ts';

/** What users of a product get, and those whose resolver knows the zones' own NS sets if that is told apart. */
export interface ProductViews extends EvaluatedView {
  readonly name: ProfileName;
  readonly warm: EvaluatedView | undefined;
}

/** The views of products that an evaluation has. */
export function productsIn({ views }: Evaluation): readonly ProductViews[] {
  return PROFILE_NAMES.flatMap((name) => {
    const cold = views.get(name);
    return cold === undefined ? [] : [{ name, ...cold, warm: views.get(`${name}/warm`) }];
  });
}
