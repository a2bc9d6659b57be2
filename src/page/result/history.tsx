/* What a name gave before, and what changed between: on services that let anybody ask for it. */

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Question } from '../../dns/message.ts';
import type { PastJob } from '../../document/api/history.ts';
import type { TraversalResult } from '../../document/result.ts';
import { sentence } from '../../document/words/lists.ts';
import { printable } from '../../document/words/shortened.ts';
import { changeBlocks, serverChangeRows } from '../../report/changes-text.ts';
import type { Rows } from '../../report/text/table.ts';
import { changeLine, changesBetween } from '../../report/views/changes.ts';
import { MARKS } from '../../report/views/effects.ts';
import { Scrolled, useLoaded } from '../elements.tsx';
import { addressOf } from '../model/page-url.ts';
import { type PastRow, pastRows, seenFirst, timeWords } from '../model/past-results.ts';
import { NOTHING_OFF } from '../model/switched-off.ts';
import { fetchHistory, fetchJob } from '../service-api.ts';
import { classOf } from './details.tsx';

export interface HistoryProps {
  readonly question: Pick<Question, 'name' | 'type'>;
  /** The job on the page, and its result, which others are compared with. */
  readonly shown?: { readonly id: string; readonly result: TraversalResult | undefined };
}

/** The results of a name that the service keeps, the last first. */
export function History({ question, shown }: HistoryProps) {
  const { past, readMore } = usePast(question);
  const [compared, compare] = useState<string>();
  if (past.kind === 'failed')
    return <p class="note">The history of this name cannot be read now: load the page again.</p>;
  const all = pastRows(past.jobs);
  // What says the same as the one before is no news.
  const rows = all.filter(
    ({ id, change }, at) => change !== 'same' || id === shown?.id || at === all.length - 1,
  );
  const isAlone = past.kind === 'read' && past.next === undefined && all.every(({ id }) => id === shown?.id);
  return (
    <section class="card history" aria-labelledby="history-title" aria-busy={past.kind === 'reading'}>
      <h2 id="history-title">What changed before</h2>
      {isAlone && (
        <p class="note">
          {shown === undefined
            ? 'This service keeps no result of this name and type.'
            : 'This service keeps no other result of this name and type.'}
        </p>
      )}
      {!isAlone && (
        <ol class="past">
          {rows.map((row) => (
            <li key={row.id} class={`past-row effect-${row.effect}`}>
              <PastLine row={row} question={question} isShown={row.id === shown?.id}>
                {shown?.result !== undefined && row.hasResult && row.id !== shown.id && (
                  <button
                    type="button"
                    class="button"
                    aria-expanded={compared === row.id}
                    aria-label={`Compare with the result of ${timeWords(row.finishedAt)}`}
                    onClick={() => compare(compared === row.id ? undefined : row.id)}
                  >
                    Compare
                  </button>
                )}
              </PastLine>
              {compared === row.id && shown?.result !== undefined && (
                <Comparison id={row.id} shown={{ id: shown.id, result: shown.result }} rows={all} />
              )}
            </li>
          ))}
        </ol>
      )}
      {past.next !== undefined && (
        <p>
          <button type="button" class="button" disabled={past.kind === 'reading'} onClick={readMore}>
            Show earlier results
          </button>
        </p>
      )}
    </section>
  );
}

/** The part of a history that was read, and the path of what is left. */
interface Past {
  readonly kind: 'reading' | 'read' | 'failed';
  readonly jobs: readonly PastJob[];
  readonly next?: string | undefined;
}

/** Reads the history of a question, and more of it when asked to. */
function usePast({ name, type }: HistoryProps['question']) {
  const [past, setPast] = useState<Past>({ kind: 'reading', jobs: [] });
  const [path, readFrom] = useState<string>();
  useEffect(() => {
    const stop = new AbortController();
    setPast((before) => ({ ...before, kind: 'reading' }));
    void fetchHistory(path === undefined ? { name, type } : { path }, stop.signal).then((answer) => {
      if (stop.signal.aborted) return;
      if (answer.kind === 'failed') return setPast({ kind: 'failed', jobs: [] });
      const { traversals, next } = answer.value;
      setPast(({ jobs }) => ({ kind: 'read', jobs: [...jobs, ...traversals], next }));
    });
    return () => stop.abort();
  }, [name, type, path]);
  return { past, readMore: () => readFrom(past.next) };
}

interface PastLineProps {
  readonly row: PastRow;
  readonly question: HistoryProps['question'];
  readonly isShown: boolean;
  readonly children: ComponentChildren;
}

function PastLine({ row, question: { name, type }, isShown, children }: PastLineProps) {
  const { id, finishedAt, words, effect, change } = row;
  const question = { name: printable(name), type, choices: {} };
  const time = <time dateTime={finishedAt}>{timeWords(finishedAt)}</time>;
  return (
    <div class="past-line">
      <span class="past-when">
        {isShown ? (
          <strong aria-current="true">{time} (shown)</strong>
        ) : (
          <a href={addressOf({ kind: 'job', id, question, imagined: NOTHING_OFF })}>{time}</a>
        )}
      </span>
      <span class="past-words">
        <span class="effect-mark" aria-hidden="true">
          {MARKS[effect] || '✓'}
        </span>
        {sentence(words)}
        {change !== undefined && (
          <span class={`past-change ${change}`}>{change === 'changed' ? 'Changed' : 'As before'}</span>
        )}
      </span>
      {children}
    </div>
  );
}

interface ComparisonProps {
  readonly id: string;
  readonly shown: PastResult;
  readonly rows: readonly PastRow[];
}

/** A result that the service keeps. */
interface PastResult {
  readonly id: string;
  readonly result: TraversalResult;
}

/** What changed between another result and that on the page, the earlier one first. */
function Comparison({ id, shown, rows }: ComparisonProps) {
  const result = useResult(id);
  if (result === undefined) return <p class="note">Loading…</p>;
  if (result === 'none') return <p class="note">This result cannot be read now, or is no longer kept.</p>;
  const other = { id, result };
  const [before, after] = result.finishedAt < shown.result.finishedAt ? [other, shown] : [shown, other];
  return (
    <div class="comparison">
      <Changes before={before.result} after={after.result} />
      <SinceChange before={before} after={after} first={seenFirst(rows, before.id, after.id)} />
    </div>
  );
}

interface Compared {
  readonly before: TraversalResult;
  readonly after: TraversalResult;
}

function Changes({ before, after }: Compared) {
  const changes = changesBetween(before, after);
  const blocks = [
    ...changeBlocks(changes, [before, after], { detail: 'terse' }),
    serverChangeRows(changes.servers),
  ];
  return (
    <div role="status">
      <p>
        From {timeWords(before.finishedAt)} to {timeWords(after.finishedAt)}:{' '}
        {printable(changeLine(changes, before, after))}
      </p>
      {blocks.map((rows, at) => (
        <ChangeBlock key={at} rows={rows} />
      ))}
    </div>
  );
}

interface SinceChangeProps {
  readonly before: PastResult;
  readonly after: PastResult;
  /** The first result that says the same as `after`. */
  readonly first: string;
}

/** Who still gets the old answers since the first result that had the new ones. */
function SinceChange({ before, after, first }: SinceChangeProps) {
  const loaded = useLoaded(loadOldAnswers);
  const fetched = useResult(first === after.id ? undefined : first);
  const changed = first === after.id || fetched === 'none' ? after.result : fetched;
  if (loaded === undefined || changed === undefined) return null;
  if (loaded === 'failed')
    return <p class="note">The times of old answers could not be loaded: load the page again.</p>;
  return <loaded.OldAnswers before={before.result} after={changed} />;
}

function loadOldAnswers() {
  return import('./old-answers.tsx');
}

/** A result that the service keeps: undefined until it is there, or without an identifier. */
function useResult(id: string | undefined): TraversalResult | 'none' | undefined {
  const [result, setResult] = useState<TraversalResult | 'none'>();
  useEffect(() => {
    if (id === undefined) return;
    const stop = new AbortController();
    void fetchJob(id, stop.signal).then((answer) => {
      if (!stop.signal.aborted)
        setResult(answer.kind === 'failed' ? 'none' : (answer.value.result ?? 'none'));
    });
    return () => stop.abort();
  }, [id]);
  return result;
}

/** A block of rows: its first row is the title. */
function ChangeBlock({ rows }: { readonly rows: Rows }) {
  const [title, ...others] = rows;
  if (title === undefined) return null;
  const columns = Math.max(...others.map(({ length }) => length));
  return (
    <Scrolled label={printable(title.map(({ text }) => text).join(' '))}>
      <table class="rows">
        <caption>{printable(title.map(({ text }) => text).join(' '))}</caption>
        <tbody>
          {others.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column} class={classOf(cell)} colSpan={row.length === 1 ? columns : 1}>
                  {printable(cell.text.trim())}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}
