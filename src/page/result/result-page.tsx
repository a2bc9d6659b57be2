import { useEffect, useMemo, useState } from 'preact/hooks';
import type { TraversalResult } from '../../document/result.ts';
import type { ServerList } from '../../document/servers.ts';
import { sentence } from '../../document/words/lists.ts';
import { printable } from '../../document/words/shortened.ts';
import { MARKS, STATUS_EFFECT } from '../../report/views/effects.ts';
import { isIntercepted, nothingHeard } from '../../report/views/findings.ts';
import { wordingFor } from '../../report/views/wording.ts';
import { resultTitle } from '../model/job-story.ts';
import { timeWords } from '../model/past-results.ts';
import { Details } from './details.tsx';
import { type Disclosed, Drawer } from './drawer.tsx';
import { Picture } from './picture.tsx';
import { Repairs } from './repairs.tsx';
import { TakeAway } from './take-away.tsx';
import { IfYouChangeThis } from './times.tsx';
import { type SwitchControl, useWhatIf } from './use-what-if.ts';
import { Users } from './users.tsx';
import { WhatIfBar } from './what-if-bar.tsx';

/** A result: the verdict, what to do, who gets what, the picture, and all else in one closed section. */
export function ResultPage({ id, result: recorded, servers, switches }: ResultPageProps) {
  const whatIf = useWhatIf(recorded, switches);
  const { result } = whatIf;
  const [disclosed, disclose] = useState<Disclosed>();
  const shown = useMemo(() => ({ result, wording: wordingFor(result, 'terse') }), [result]);
  // Then what the servers seem to say is not theirs: the sentence and what to do about it are all there is to tell.
  const isUnheard = isIntercepted(result) || nothingHeard(result);
  useResultTitle(result);
  return (
    <div class="result">
      <WhatIfBar whatIf={whatIf} />
      {useMemo(
        () => (
          <>
            <Headline result={result} />
            <div class="columns">
              <Repairs shown={shown} disclose={disclose} />
              {result.users.length > 0 && <Users shown={shown} />}
            </div>
            {!isUnheard && (
              <Picture shown={shown} choose={(server) => disclose({ kind: 'server', server })} />
            )}
          </>
        ),
        [shown],
      )}
      {useMemo(
        () => (
          <>
            <Details shown={shown} servers={servers} />
            {!isUnheard && <IfYouChangeThis result={result} />}
            <TakeAway id={id} result={result} />
          </>
        ),
        [shown, servers],
      )}
      <Drawer disclosed={disclosed} close={() => disclose(undefined)} result={result} whatIf={whatIf} />
    </div>
  );
}

export interface ResultPageProps {
  /** Of the job. */
  readonly id: string;
  readonly result: TraversalResult;
  /** The software that the servers run; undefined until it is known. */
  readonly servers: ServerList | undefined;
  readonly switches: SwitchControl;
}

/** Gives the window the title of a result for as long as the result is shown. */
function useResultTitle(result: TraversalResult): void {
  useEffect(() => {
    const before = document.title;
    document.title = resultTitle(result);
    return () => {
      document.title = before;
    };
  }, [result]);
}

/** The verdict. */
function Headline({ result }: { readonly result: TraversalResult }) {
  const { finishedAt, verdict } = result;
  const effect = STATUS_EFFECT[verdict.status];
  return (
    <header class={`headline effect-${effect}`}>
      <h2 class="headline-verdict">
        <span class="effect-mark" aria-hidden="true">
          {MARKS[effect] || '✓'}
        </span>
        {sentence(printable(verdict.text))}
      </h2>
      <p class="note">
        Seen at <time dateTime={finishedAt}>{timeWords(finishedAt)}</time>
      </p>
    </header>
  );
}
