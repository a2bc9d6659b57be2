import { useEffect, useState } from 'preact/hooks';
import { failureWords } from './failure-words.ts';
import type { StartState } from './use-start.ts';

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
