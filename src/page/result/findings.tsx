import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import type { TraversalResult } from '../../document/result.ts';
import { count } from '../../document/words/quantities.ts';
import { printable } from '../../document/words/shortened.ts';
import type { BoxServer } from '../../report/diagram.ts';
import { TO_DO } from '../../report/views/faults.ts';
import { nearWords } from '../../report/views/sticky.ts';
import type { Wording } from '../../report/views/wording.ts';
import { FirstFew } from '../elements.tsx';
import {
  type FindingView,
  POINTS_NOWHERE,
  type PointsAt,
  pointsAt,
  toDoViews,
} from '../model/evidence-views.ts';
import { fileNameFor } from '../model/exports.ts';
import { isOff, type OffChoice } from '../model/switched-off.ts';
import { Explained } from '../terms.tsx';
import type { Disclosed } from './drawer.tsx';
import { Picture } from './picture.tsx';

/** What to do, the worst first, and the picture that marks the servers. */
export function WhatToDo({ result, wording, choice, disclose }: WhatToDoProps) {
  const [pointsAt, point] = useState<PointsAt>(() => POINTS_NOWHERE);
  const pointAt = useCallback((at: PointsAt) => point(() => at), []);
  const findings = useMemo(() => toDoViews(result, wording), [result, wording]);
  const off = useCallback((server: BoxServer) => isOff(choice, server), [choice]);
  const choose = useCallback(
    (servers: readonly BoxServer[]) => disclose({ kind: 'servers', servers }),
    [disclose],
  );
  const near = useCallback((servers: readonly BoxServer[]) => nearWords(result, servers), [result]);
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
          isOff={off}
          choose={choose}
          near={near}
          fileName={fileNameFor(result)}
        />
      </section>
    </div>
  );
}

interface WhatToDoProps {
  readonly result: TraversalResult;
  readonly wording: Wording;
  readonly choice: OffChoice;
  readonly disclose: (what: Disclosed) => void;
}

interface FindingsProps {
  readonly findings: readonly FindingView[];
  readonly result: TraversalResult;
  /** Points servers out in the picture. */
  readonly pointAt: (at: PointsAt) => void;
  readonly disclose: (what: Disclosed) => void;
}

/** Things to do, each above what merely follows. */
function Findings({ findings, ...props }: FindingsProps) {
  const { result } = props;
  return (
    <section class="findings" aria-labelledby="findings-title">
      <h2 id="findings-title">{TO_DO[result.recorded === undefined ? 'seen' : 'imagined']}</h2>
      {findings.length === 0 && <p class="findings-none">Nothing is wrong with what was examined.</p>}
      <FirstFew
        items={findings}
        most={SHOWN}
        noun={['thing', 'things']}
        around={(shown) => <ol class="finding-list">{shown}</ol>}
        each={(family) => (
          <li key={family.findings[0].id} class="finding-family">
            <FindingItem finding={family} {...props} />
            {family.hence.length > 0 && (
              <ul class="finding-hence">
                {family.hence.map((finding) => (
                  <li key={finding.findings[0].id}>
                    <FindingItem finding={finding} hence {...props} />
                  </li>
                ))}
              </ul>
            )}
          </li>
        )}
      />
    </section>
  );
}

/** The most findings that are shown at first. */
const SHOWN = 20;

interface ItemProps extends Omit<FindingsProps, 'findings'> {
  readonly finding: FindingView;
  readonly hence?: true;
}

function FindingItem({ finding, hence, result, pointAt, disclose }: ItemProps) {
  const { severity, mark, code, place, problem, action, replies, exchanges, findings } = finding;
  const point = () => pointAt(pointsAt(findings, result));
  const article = useRef<HTMLElement>(null);
  const release = () => {
    if (!article.current?.contains(document.activeElement)) pointAt(POINTS_NOWHERE);
  };
  const showInPicture = () => {
    point();
    document.getElementById(PICTURE)?.scrollIntoView();
  };
  return (
    <article
      ref={article}
      class={`finding severity-${severity}`}
      onMouseEnter={point}
      onMouseLeave={release}
      onFocusIn={point}
      onFocusOut={() => pointAt(POINTS_NOWHERE)}
    >
      <h3 class="finding-head">
        <span class="severity">
          <span aria-hidden="true">{mark}</span> {severity}
        </span>
        <span class="finding-code">
          {hence && 'hence '}
          <Explained text={printable(code)} />
        </span>
      </h3>
      {place !== '' && <p class="finding-place">{printable(place)}</p>}
      {problem.map((sentence) => (
        <p key={sentence}>{printable(sentence)}</p>
      ))}
      {replies.length > 0 && (
        <table class="finding-replies">
          <caption class="unseen">Replies that differ</caption>
          <tbody>
            {replies.map(({ said, servers }) => (
              <tr key={said}>
                <th scope="row">{printable(said)}</th>
                <td>{printable(servers)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {action !== undefined && <p class="finding-action">{printable(action)}</p>}
      <p class="finding-links">
        {exchanges.length > 0 && (
          <button
            type="button"
            class="link-button"
            onClick={() => disclose({ kind: 'exchanges', title: code, ids: exchanges })}
          >
            Evidence: {count(exchanges.length, 'exchange')}
          </button>
        )}
        <button type="button" class="link-button finding-show" onClick={showInPicture}>
          Show in the picture
        </button>
      </p>
    </article>
  );
}

/** The heading of the picture. */
const PICTURE = 'picture-title';
