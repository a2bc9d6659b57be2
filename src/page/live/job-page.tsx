import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { QuestionForm } from '../form/question-form.tsx';
import { addressOf, type JobAddress, type PageView } from '../parts/address.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { NameText } from '../parts/name-text.tsx';
import { announcementOf } from './announcement.ts';
import { JobBody } from './job-body.tsx';
import { titleOf } from './job-title.ts';
import { useStory } from './use-story.ts';

interface JobPageProps {
  /** The job as the address has it; its question need not be that of the job. */
  readonly view: JobAddress;
  readonly go: (view: PageView) => void;
}

/** A job: as it runs, and what came of it. */
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
        {isThere && <CopyButton text={new URL(address, location.href).href} label="Copy link" />}
      </header>
      <p class="unseen" role="status">
        {announcementOf(story)}
      </p>
      <JobBody id={id} story={story} question={question} switches={switches} go={go} />
      <section class="again" aria-label="Another traversal">
        <h2>Ask again, or something else</h2>
        <QuestionForm question={question} go={go} />
      </section>
    </div>
  );
}
