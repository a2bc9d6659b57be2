import { useEffect, useRef } from 'preact/hooks';
import { QuestionForm } from '../form/question-form.tsx';
import { addressOf, type PageView, type WrittenQuestion } from '../parts/address.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { NameText } from '../parts/name-text.tsx';
import { announcementOf } from './announcement.ts';
import { JobBody } from './job-body.tsx';
import { titleOf } from './job-title.ts';
import { useStory } from './use-story.ts';

interface JobPageProps {
  readonly id: string;
  /** The question as the address has it, which need not be that of the job. */
  readonly asked: WrittenQuestion | undefined;
  readonly go: (view: PageView) => void;
}

/** A job: as it runs, and what came of it. */
export function JobPage({ id, asked, go }: JobPageProps) {
  const story = useStory(id);
  const { name, unicode, type, question } = titleOf(story, asked);
  const isThere = story.stage.kind !== 'gone' && story.stage.kind !== 'strange';
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    // Whoever opened a link without the question can send it on with it.
    if (question !== undefined) history.replaceState(undefined, '', addressOf({ kind: 'job', id, question }));
  }, [id, question?.name, question?.type]);
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
        {isThere && <CopyButton text={location.href} label="Copy link" />}
      </header>
      <p class="unseen" role="status">
        {announcementOf(story)}
      </p>
      <JobBody id={id} story={story} question={question} go={go} />
      <section class="again" aria-label="Another traversal">
        <h2>Ask again, or something else</h2>
        <QuestionForm question={question} go={go} />
      </section>
    </div>
  );
}
