import type { PageView, WrittenQuestion } from '../parts/address.ts';
import type { OffChoice } from '../parts/off-choice.ts';
import { readWritten } from './read-written.ts';
import { StartProblem } from './start-problem.tsx';
import { useStart } from './use-start.ts';

interface RunAgainProps {
  readonly question: WrittenQuestion;
  /** The servers to switch off again. */
  readonly imagined: OffChoice;
  readonly go: (view: PageView) => void;
}

/** Runs a traversal again whose job is gone, if its question, which comes out of an address, is one. */
export function RunAgain({ question, imagined, go }: RunAgainProps) {
  const { state, start } = useStart(go);
  const asked = readWritten(question);
  if (asked.kind === 'wrong') return <>What it looked up is not in the link.</>;
  const isSending = state.kind === 'sending';
  return (
    <div class="run-again">
      <button
        class="button first"
        type="button"
        disabled={isSending}
        onClick={() => start(asked, question.choices, imagined)}
      >
        {isSending ? 'Starting…' : 'Run it again'}
      </button>
      <StartProblem state={state} />
    </div>
  );
}
