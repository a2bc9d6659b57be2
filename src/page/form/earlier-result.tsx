/* Offers the result of an earlier job in this browser for the same question. */

import { useEffect, useState } from 'preact/hooks';
import { browserStorage } from '../elements.tsx';
import { type EarlierJob, jobFor, withJob } from '../model/earlier-jobs.ts';
import { addressOf, type WrittenQuestion } from '../model/page-url.ts';
import { NOTHING_OFF } from '../model/switched-off.ts';
import { hasJob } from '../service-api.ts';

const KEY = 'jobs';

/** Remembers in this browser that a job was shown, for `EarlierResult`. */
export function rememberJob(question: WrittenQuestion, id: string): void {
  const storage = browserStorage();
  storage?.setItem(KEY, withJob(storage.getItem(KEY), question, id, new Date()));
}

/** A link to the result that this browser has shown for the question, if the service still has it. */
export function EarlierResult({ question }: { readonly question: WrittenQuestion }) {
  const [job, setJob] = useState<EarlierJob>();
  const address = addressOf({ kind: 'start', question });
  useEffect(() => {
    const stop = new AbortController();
    const known = jobFor(browserStorage()?.getItem(KEY) ?? null, question);
    setJob(undefined);
    if (known !== undefined)
      void hasJob(known.id, stop.signal).then((isThere) => {
        if (isThere && !stop.signal.aborted) setJob(known);
      });
    return () => stop.abort();
  }, [address]);
  return (
    <p role="status">
      {job !== undefined && (
        <a href={addressOf({ kind: 'job', id: job.id, question, imagined: NOTHING_OFF })}>
          Show the earlier result of {question.name} {question.type}, from {momentWords(job.seenAt)}
        </a>
      )}
    </p>
  );
}

function momentWords(moment: string): string {
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(moment));
}
