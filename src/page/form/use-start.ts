import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ApiFailure } from '../../client/failure.ts';
import { withoutFinalDot } from '../../wire/name.ts';
import { requestTraversal } from '../api/jobs.ts';
import type { PageView } from '../parts/address.ts';
import { NOTHING_OFF, type OffChoice } from '../parts/off-choice.ts';
import { type RequestChoices, requestOptionsFor } from '../parts/request-choices.ts';
import type { ReadQuestion } from './read-written.ts';

/** The state of a request for a traversal. */
export type StartState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending' }
  /** `at`: when that was, of `performance.now`. */
  | { readonly kind: 'refused'; readonly failure: ApiFailure; readonly at: number };

type Question = Extract<ReadQuestion, { kind: 'question' }>;

/** Asks the service for traversals, and goes to their jobs. */
export function useStart(go: (view: PageView) => void) {
  const [state, setState] = useState<StartState>({ kind: 'idle' });
  const request = useRef(new AbortController());
  useEffect(() => () => request.current.abort(), []);
  const start = useCallback(
    async ({ name, type }: Question, choices: RequestChoices, imagined: OffChoice = NOTHING_OFF) => {
      setState({ kind: 'sending' });
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
