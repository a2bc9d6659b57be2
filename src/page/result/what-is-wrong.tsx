import { useCallback, useMemo, useState } from 'preact/hooks';
import type { TraversalResult } from '../../document/result.ts';
import type { OffChoice } from '../parts/off-choice.ts';
import { Picture } from '../picture/picture.tsx';
import { isOff } from '../what-if/what-if.ts';
import type { Disclosed } from './drawer.tsx';
import { fileNameFor } from './exports.ts';
import { findingViews, POINTS_NOWHERE, type PointsAt } from './finding-views.ts';
import { Findings, PICTURE } from './findings.tsx';

interface WhatIsWrongProps {
  readonly result: TraversalResult;
  readonly choice: OffChoice;
  readonly disclose: (what: Disclosed) => void;
}

/** The findings, and the picture that marks their servers. */
export function WhatIsWrong({ result, choice, disclose }: WhatIsWrongProps) {
  const [pointsAt, point] = useState<PointsAt>(() => POINTS_NOWHERE);
  const pointAt = useCallback((at: PointsAt) => point(() => at), []);
  const findings = useMemo(() => findingViews(result), [result]);
  return (
    <div class="result-evidence">
      {useMemo(
        () => (
          <Findings findings={findings} result={result} pointAt={pointAt} disclose={disclose} />
        ),
        [findings, result, disclose],
      )}
      <section class="result-picture" aria-labelledby={PICTURE}>
        <h2 id={PICTURE}>The paths</h2>
        <Picture
          result={result}
          isPointedAt={pointsAt}
          isOff={(server) => isOff(choice, server)}
          choose={(servers) => disclose({ kind: 'servers', servers })}
          fileName={fileNameFor(result)}
        />
      </section>
    </div>
  );
}
