/* Starting a job from the page: running a lost job again, the request, and why the service refused it. */

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { withoutFinalDot } from '../../dns/name.ts';
import type { RunFailure } from '../../document/run-answer.ts';
import type { PageView, WrittenQuestion } from '../model/page-url.ts';
import { failureWords } from '../model/problem-texts.ts';
import { type ReadQuestion, readWritten } from '../model/question-input.ts';
import { type RequestChoices, requestOptionsFor } from '../model/request-choices.ts';
import { NOTHING_OFF, type OffChoice } from '../model/switched-off.ts';
import { requestTraversal } from '../service-api.ts';

/** Runs a traversal again whose job is gone, if its question, which comes out of an address, is one. */
export function RunAgain({ question, imagined, go, label }: RunAgainProps) {
  const { state, start } = useStart(go);
  const asked = readWritten(question);
  if (asked.kind === 'wrong') return <>What it looked up is not in the link.</>;
  const isSending = state.kind === 'sending';
  return (
    <span class="run-again">
      <button
        class="button"
        type="button"
        disabled={isSending}
        onClick={() => start(asked, question.choices, imagined)}
      >
        {isSending ? 'Starting…' : label}
      </button>
      <StartProblem state={state} />
    </span>
  );
}

interface RunAgainProps {
  /** What its button says. */
  readonly label: string;
  readonly question: WrittenQuestion;
  /** The servers to switch off again. */
  readonly imagined: OffChoice;
  readonly go: (view: PageView) => void;
}

/** Says why the service did not take a traversal, and counts down until it will. */
export function StartProblem({ state }: { readonly state: StartState }) {
  return <div role="status">{state.kind === 'refused' && <Refused key={state.at} {...state} />}</div>;
}

function Refused({ failure, at }: Extract<StartState, { kind: 'refused' }>) {
  const { title, advice, waitMs } = failureWords(failure);
  return (
    <div class="notice bad">
      <strong>{title}</strong> {advice} {waitMs !== undefined && <Countdown until={at + waitMs} />}
    </div>
  );
}

/** The seconds until a moment of `performance.now`. Not for screen readers, which would read out each. */
function Countdown({ until }: { readonly until: number }) {
  const [now, setNow] = useState(performance.now());
  const seconds = Math.ceil((until - now) / 1_000);
  useEffect(() => {
    if (seconds <= 0) return undefined;
    const timer = setTimeout(() => setNow(performance.now()), 250);
    return () => clearTimeout(timer);
  }, [seconds, now]);
  if (seconds <= 0) return <b>You can try again now.</b>;
  return (
    <span aria-live="off">
      Try again in <b class="count">{spanWords(seconds)}</b>.
    </span>
  );
}

function spanWords(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The state of a request for a traversal. */
type StartState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending' }
  /** `at`: when that was, of `performance.now`. */
  | { readonly kind: 'refused'; readonly failure: RunFailure; readonly at: number };

type Question = Extract<ReadQuestion, { kind: 'question' }>;

/** Asks the service for traversals, and goes to their jobs. */
export function useStart(go: (view: PageView) => void) {
  const [state, setState] = useState<StartState>({ kind: 'idle' });
  const request = useRef(new AbortController());
  useEffect(() => () => request.current.abort(), []);
  const start = useCallback(
    async (asked: Question, chosen: RequestChoices, imagined: OffChoice = NOTHING_OFF) => {
      setState({ kind: 'sending' });
      const { name, type } = asked;
      const choices = { ...chosen, ...asked.choices };
      const options = requestOptionsFor(choices);
      const body = { name, type, ...(options && { options }) };
      const answer = await requestTraversal(body, request.current.signal);
      if (request.current.signal.aborted) return;
      if (answer.kind === 'failed') {
        setState({ kind: 'refused', failure: answer.failure, at: performance.now() });
        return;
      }
      setState({ kind: 'idle' });
      const question = { name: withoutFinalDot(name), type, choices };
      go({ kind: 'job', id: answer.value, question, imagined });
    },
    [go],
  );
  return { state, start };
}
