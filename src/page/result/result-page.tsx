import { useMemo, useState } from 'preact/hooks';
import type { TraversalResult } from '../../document/result.ts';
import type { ServerList } from '../../document/servers.ts';
import { wordingFor } from '../../reading/wording.ts';
import { type SwitchControl, useWhatIf } from '../what-if/use-what-if.ts';
import { WhatIfBar } from '../what-if/what-if-bar.tsx';
import { type Disclosed, Drawer } from './drawer.tsx';
import { Facts } from './facts.tsx';
import { Headline } from './headline.tsx';
import { judgeIn } from './judging.ts';
import { Outcomes } from './outcomes.tsx';
import { ServerByServer } from './server-by-server.tsx';
import { ServersRun } from './servers-run.tsx';
import { TakeAway } from './take-away.tsx';
import { WhatIsWrong } from './what-is-wrong.tsx';
import { WhatToDo } from './what-to-do.tsx';

export interface ResultPageProps {
  readonly result: TraversalResult;
  /** The software that the servers run; undefined until it is known. */
  readonly servers: ServerList | undefined;
  readonly switches: SwitchControl;
}

/** A result: the verdict, who gets what, what is wrong, the picture, and what if. */
export function ResultPage({ result: recorded, servers, switches }: ResultPageProps) {
  const whatIf = useWhatIf(recorded, switches);
  const { result, choice } = whatIf;
  const [disclosed, disclose] = useState<Disclosed>();
  const shown = useMemo(
    () => ({ result, judge: judgeIn(result), wording: wordingFor(result, 'terse') }),
    [result],
  );
  return (
    <div class="result">
      <WhatIfBar whatIf={whatIf} />
      {useMemo(
        () => [<Headline key="headline" {...shown} />, <Outcomes key="outcomes" {...shown} />],
        [shown],
      )}
      {useMemo(
        () => (
          <WhatIsWrong result={result} choice={choice} disclose={disclose} />
        ),
        [result, choice],
      )}
      {useMemo(
        () => (
          <ServerByServer {...shown} whatIf={whatIf} disclose={disclose} />
        ),
        [shown, whatIf],
      )}
      {useMemo(() => [<WhatToDo key="to-do" {...shown} />, <Facts key="facts" {...shown} />], [shown])}
      <ServersRun servers={servers} />
      <TakeAway result={result} />
      <Drawer disclosed={disclosed} close={() => disclose(undefined)} result={result} whatIf={whatIf} />
    </div>
  );
}
