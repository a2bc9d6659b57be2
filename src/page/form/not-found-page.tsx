import { useEffect } from 'preact/hooks';
import { type PageView, USUAL_CHOICES, type WrittenQuestion } from '../model/page-url.ts';
import { unknownAddress } from '../model/problem-texts.ts';
import { NOTHING_OFF } from '../model/switched-off.ts';
import { QuestionForm } from './question-form.tsx';
import { RunAgain } from './start-job.tsx';

interface NowhereProps {
  readonly path: string;
  /** The question in the address, if it has one. */
  readonly question: WrittenQuestion | undefined;
  readonly go: (view: PageView) => void;
}

/** An address at which there is nothing: what is wrong with it, and how to go on. */
export function NotFoundPage({ path, question, go }: NowhereProps) {
  const { why, advice, name } = unknownAddress(path);
  useEffect(() => {
    document.title = 'Not found · DNS traversal';
  }, []);
  const guessed = name === '' ? undefined : { name, type: 'A', choices: USUAL_CHOICES };
  return (
    <div class="start">
      <h1>There is no such page</h1>
      <div class="notice warn">
        <strong>
          <bdi>{why}</bdi>
        </strong>
        {advice}
        {question !== undefined && <RunAgain question={question} imagined={NOTHING_OFF} go={go} />}
      </div>
      <QuestionForm question={question ?? guessed} go={go} />
    </div>
  );
}
