import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pause } from '../../base/abort.ts';
import { CopyButton, NameText } from '../elements.tsx';
import { rememberJob } from '../form/earlier-result.tsx';
import { QuestionForm } from '../form/question-form.tsx';
import { RunAgain } from '../form/start-job.tsx';
import { HistoryOfWritten } from '../history-place.tsx';
import { type FollowTools, followJob } from '../model/follow-job.ts';
import { announcementOf, JobStory, titleOf } from '../model/job-story.ts';
import { addressOf, type JobAddress, type PageView, type WrittenQuestion } from '../model/page-url.ts';
import { Redraws } from '../model/redraws.ts';
import type { SwitchControl } from '../result/use-what-if.ts';
import { fetchJob, fetchServers, openJobStream } from '../service-api.ts';
import { EndedJob } from './ended-job.tsx';
import { LiveView } from './live-view.tsx';

/** The page of one job: while it runs, and its result. */
export function JobPage({ view: { id, question: asked, imagined }, go }: JobPageProps) {
  const story = useStory(id);
  const [choice, choose] = useState(imagined);
  const switches = useMemo(() => ({ choice, choose }), [choice]);
  const { name, unicode, type, question } = titleOf(story, asked);
  const isThere = story.stage.kind !== 'gone' && story.stage.kind !== 'strange';
  const heading = useRef<HTMLHeadingElement>(null);
  // Whoever opened a link without the question can send it on with it, and with what is imagined.
  const address = addressOf({ kind: 'job', id, question, imagined: choice });
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => history.replaceState(undefined, '', address), [address]);
  useEffect(() => {
    if (isThere && question !== undefined) rememberJob(question, id);
  }, [address, isThere]);
  useEffect(() => {
    document.title = `${name} ${type} · DNS traversal`;
  }, [name, type]);
  return (
    <div class="job">
      <header class="job-head">
        <div>
          <h1 tabIndex={-1} ref={heading}>
            <NameText name={name} /> <span class="job-type">{type}</span>
          </h1>
          {unicode !== undefined && (
            <p class="muted">
              <NameText name={unicode} />
            </p>
          )}
        </div>
        {isThere && (
          <p class="buttons">
            {story.stage.kind === 'ended' && question !== undefined && (
              <RunAgain question={question} imagined={choice} go={go} label="Check again" />
            )}
            <CopyButton text={new URL(address, location.href).href} label="Copy link" />
          </p>
        )}
      </header>
      <p class="unseen" role="status">
        {announcementOf(story)}
      </p>
      <JobBody id={id} story={story} question={question} switches={switches} go={go} />
      <section class="again" aria-label="Another traversal">
        <h2>Ask something else</h2>
        <QuestionForm question={question} go={go} />
      </section>
    </div>
  );
}

interface JobPageProps {
  /** The job as the address has it; its question need not be that of the job. */
  readonly view: JobAddress;
  readonly go: (view: PageView) => void;
}

interface JobBodyProps {
  readonly id: string;
  readonly story: JobStory;
  readonly question: WrittenQuestion | undefined;
  readonly switches: SwitchControl;
  readonly go: (view: PageView) => void;
}

/** The contents of the job page at the job's stage. */
function JobBody({ id, story, question, switches, go }: JobBodyProps) {
  const { stage } = story;
  switch (stage.kind) {
    case 'unknown':
      return <Waiting words={story.connection === 'lost' ? LOST : 'Loading…'} />;
    case 'queued':
    case 'running':
    case 'ending':
      return <LiveView id={id} story={story} />;
    case 'ended':
      return <EndedJob id={id} story={story} stage={stage} switches={switches} />;
    case 'gone':
      return (
        <>
          <div class="notice warn">
            <strong>This traversal is no longer kept.</strong>
            Services forget traversals after a while, or when they are restarted.{' '}
            {question === undefined ? (
              'You can start another one below.'
            ) : (
              <RunAgain question={question} imagined={switches.choice} go={go} label="Run it again" />
            )}
          </div>
          {question !== undefined && <HistoryOfWritten question={question} />}
        </>
      );
    case 'strange':
      return (
        <div class="notice bad">
          <strong>The service answers strangely.</strong>
          Perhaps it has just been replaced by another version: load this page again.
        </div>
      );
  }
}

const LOST = 'The service cannot be reached. Trying again…';

function Waiting({ words }: { readonly words: string }) {
  return <p class="hold">{words}</p>;
}

const TOOLS: FollowTools = {
  fetchJob,
  fetchServers,
  openStream: openJobStream,
  pause,
  now: () => performance.now(),
};

/** The story of a job, which is followed as long as it is shown. Draws it anew when it has changed. */
function useStory(id: string): JobStory {
  const [, draw] = useState(0);
  const redraws = useRef<Redraws | undefined>(undefined);
  redraws.current ??= new Redraws(() => draw((times) => times + 1));
  const { current } = redraws;
  const kept = useRef<JobStory | undefined>(undefined);
  kept.current ??= new JobStory(() => current.ask());
  const story = kept.current;
  useLayoutEffect(() => current.drawn());
  useEffect(() => {
    const stop = new AbortController();
    void followJob(id, TOOLS, story, stop.signal);
    return () => {
      stop.abort();
      current.stop();
    };
  }, [id, story, current]);
  return story;
}
