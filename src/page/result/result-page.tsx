import { useCallback, useMemo, useState } from 'preact/hooks';
import type { TraversalResult } from '../../document/result.ts';
import type { ServerList } from '../../document/servers.ts';
import { wordingFor } from '../../reading/wording.ts';
import { Picture } from '../picture/picture.tsx';
import { type Disclosed, Drawer } from './drawer.tsx';
import { fileNameFor } from './exports.ts';
import { Facts } from './facts.tsx';
import { findingViews, POINTS_NOWHERE, type PointsAt } from './finding-views.ts';
import { Findings } from './findings.tsx';
import { Headline } from './headline.tsx';
import { judgeIn } from './judging.ts';
import { Outcomes } from './outcomes.tsx';
import { ServerByServer } from './server-by-server.tsx';
import { ServersRun } from './servers-run.tsx';
import { TakeAway } from './take-away.tsx';
import { useWhatIf } from './use-what-if.ts';
import { isOff } from './what-if.ts';
import { WhatIfBar } from './what-if-bar.tsx';
import { WhatToDo } from './what-to-do.tsx';

/** What is to be shown of a traversal that has ended. */
export interface ResultPageProps {
  readonly result: TraversalResult;
  /** What software the servers run; undefined until that is known. */
  readonly servers: ServerList | undefined;
  /** Of the job. */
  readonly id: string;
}

/** A result: the verdict, who gets what, what is wrong, the picture, and what if. */
export function ResultPage({ result: recorded, servers }: ResultPageProps) {
  const whatIf = useWhatIf(recorded);
  const { result, choice } = whatIf;
  const [pointsAt, point] = useState<PointsAt>(() => POINTS_NOWHERE);
  const [disclosed, disclose] = useState<Disclosed>();
  const wording = useMemo(() => wordingFor(result, 'terse'), [result]);
  const judge = useMemo(() => judgeIn(result), [result]);
  const findings = useMemo(() => findingViews(result), [result]);
  const pointAt = useCallback((one: PointsAt) => point(() => one), []);
  const told = { result, judge, wording };
  return (
    <div class="result">
      <Headline result={result} />
      <WhatIfBar whatIf={whatIf} />
      <Outcomes {...told} />
      <div class="result-evidence">
        <Findings findings={findings} result={result} pointAt={pointAt} disclose={disclose} />
        <section class="result-picture" aria-labelledby="picture-title">
          <h2 id="picture-title">The paths</h2>
          <Picture
            result={result}
            isPointedAt={pointsAt}
            isOff={(server) => isOff(choice, server)}
            choose={(chosen) => disclose({ kind: 'servers', servers: chosen })}
            fileName={fileNameFor(result)}
          />
        </section>
      </div>
      <ServerByServer {...told} whatIf={whatIf} disclose={disclose} />
      <WhatToDo result={result} wording={wording} />
      <ServersRun servers={servers} />
      <Facts result={result} />
      <TakeAway result={result} />
      <Drawer disclosed={disclosed} close={() => disclose(undefined)} {...told} whatIf={whatIf} />
    </div>
  );
}
