import { useEffect, useMemo, useState } from 'preact/hooks';
import type { TraversalResult } from '../../document/result.ts';
import type { ServerList } from '../../document/servers.ts';
import { sentence } from '../../document/words/lists.ts';
import { printable } from '../../document/words/shortened.ts';
import { FORMATS } from '../../report/formats.ts';
import { factRows } from '../../report/text/fact-rows.ts';
import { serverRows } from '../../report/text/server-rows.ts';
import type { Cell, Rows } from '../../report/text/table.ts';
import { MARKS, STATUS_EFFECT } from '../../report/views/effects.ts';
import { softwareLine, wordingFor } from '../../report/views/wording.ts';
import { CopyButton, saveFile, useLoaded } from '../elements.tsx';
import { commandLine, EXPORT_FORMATS, type ExportFormat, exported, fileNameFor } from '../model/exports.ts';
import { resultTitle } from '../model/job-story.ts';
import { effectOfEnds } from '../model/outcome-views.ts';
import { timeWords } from '../model/past-results.ts';
import { serviceFacts } from '../service-api.ts';
import { type Disclosed, Drawer } from './drawer.tsx';
import { WhatToDo } from './findings.tsx';
import { FirstTries, Outcomes, type ShownResult } from './outcomes.tsx';
import { ServerByServer } from './server-tables.tsx';
import { snapshotOf } from './snapshot.ts';
import { IfYouChangeThis } from './times.tsx';
import { type SwitchControl, useWhatIf } from './use-what-if.ts';
import { WhatIfBar } from './what-if-bar.tsx';

/** A result: the verdict, who gets what, what is wrong, the picture, and what if. */
export function ResultPage({ result: recorded, servers, switches }: ResultPageProps) {
  const whatIf = useWhatIf(recorded, switches);
  const { result, choice } = whatIf;
  const [disclosed, disclose] = useState<Disclosed>();
  const shown = useMemo(
    () => ({ result, effectOf: effectOfEnds(result), wording: wordingFor(result, 'terse') }),
    [result],
  );
  useResultTitle(result);
  return (
    <div class="result">
      <WhatIfBar whatIf={whatIf} />
      {useMemo(
        () => [<Headline key="headline" {...shown} />, <Outcomes key="outcomes" {...shown} />],
        [shown],
      )}
      {useMemo(
        () => (
          <WhatToDo {...shown} choice={choice} disclose={disclose} />
        ),
        [shown, choice],
      )}
      {useMemo(
        () => (
          <ServerByServer {...shown} whatIf={whatIf} disclose={disclose} />
        ),
        [shown, whatIf],
      )}
      {useMemo(
        () => [
          <LoadedChain key="chain" {...shown} />,
          <FirstTries key="first-tries" {...shown} />,
          <IfYouChangeThis key="times" {...shown} history={serviceFacts().history} />,
          <Facts key="facts" {...shown} />,
        ],
        [shown],
      )}
      <ServersRun servers={servers} />
      <TakeAway result={result} />
      <Drawer disclosed={disclosed} close={() => disclose(undefined)} result={result} whatIf={whatIf} />
    </div>
  );
}

/** The DNSSEC chain, as soon as what shows it is loaded: it stands far down the page. */
function LoadedChain(shown: ShownResult) {
  const loaded = useLoaded(loadChain);
  if (loaded === undefined) return null;
  if (loaded === 'failed')
    return <p class="section-note">The DNSSEC chain could not be loaded: load the page again.</p>;
  return <loaded.DnssecChain {...shown} />;
}

function loadChain() {
  return import('./chain.tsx');
}

export interface ResultPageProps {
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
export function Headline({ result }: { readonly result: TraversalResult }) {
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
      <p class="headline-when">
        Seen at <time dateTime={finishedAt}>{timeWords(finishedAt)}</time>
      </p>
    </header>
  );
}

export function Facts({ result }: { readonly result: TraversalResult }) {
  return (
    <section class="facts" aria-labelledby="facts-title">
      <h2 id="facts-title">In figures</h2>
      <dl>
        {factRows(result).map(([term, words]) => (
          <div key={words?.text} class="fact">
            <dt>{term?.text}</dt>
            <dd>{printable(words?.text ?? '')}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The software that the servers run, as soon as it is known. */
export function ServersRun({ servers }: { readonly servers: ServerList | undefined }) {
  return (
    <section class="software" aria-labelledby="software-title" aria-busy={servers === undefined}>
      <h2 id="software-title">What the servers run</h2>
      {servers === undefined ? (
        <p class="section-note">The servers are being asked …</p>
      ) : (
        <details>
          <summary>{printable(softwareLine(servers.servers)) || 'No server was met.'}</summary>
          <div class="scrolled">
            <RowsTable
              rows={serverRows(servers.servers, 'full', Number.POSITIVE_INFINITY)}
              caption="Servers"
            />
          </div>
        </details>
      )}
    </section>
  );
}

/** Rows of a text as a table: the first has the titles of its columns. */
export function RowsTable({ rows, caption }: { readonly rows: Rows; readonly caption: string }) {
  const [titles = [], ...others] = rows;
  return (
    <table class="rows">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {titles.map((cell) => (
            <th key={cell.text} scope="col" class={classOf(cell)}>
              {printable(cell.text.trim())}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {others.map((row) => (
          <tr key={row.map(({ text }) => text).join('\n')}>
            {row.map((cell, at) => (
              <td key={at} class={classOf(cell)}>
                {printable(cell.text.trim())}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The class of a cell of a text. */
export function classOf({ style = 'plain', align }: Cell): string {
  return `text-${style}${align === 'right' ? ' number' : ''}`;
}

/** Files with what is shown, and the command that gives the same. */
export function TakeAway({ result }: { readonly result: TraversalResult }) {
  const command = commandLine(result, { url: location.origin, usual: serviceFacts().usual });
  const save = async (format: ExportFormat) => {
    const { ending, mediaType } = FORMATS[format];
    saveFile(`${fileNameFor(result)}.${ending}`, mediaType, await exported(format, result));
  };
  const savePage = () => saveFile(`${fileNameFor(result)}.html`, 'text/html', snapshotOf(document));
  return (
    <section class="take-away" aria-labelledby="take-away-title">
      <h2 id="take-away-title">Save or share</h2>
      <p class="buttons">
        {EXPORT_FORMATS.map((format) => (
          <button key={format} type="button" class="button" onClick={() => void save(format)}>
            {FORMATS[format].label}
          </button>
        ))}
        <button type="button" class="button" onClick={savePage}>
          This page
        </button>
      </p>
      <h3>The same on a command line</h3>
      <div class="command">
        <code>{command}</code>
        <CopyButton text={command} label="Copy" />
      </div>
    </section>
  );
}
