import { useEffect, useRef, useState } from 'preact/hooks';
import { abandonJob } from '../api/jobs.ts';

/** Cancels a job. What comes of it is told by its events. */
export function CancelButton({ id }: { readonly id: string }) {
  const [state, setState] = useState<'idle' | 'sending' | 'failed'>('idle');
  const request = useRef(new AbortController());
  useEffect(() => () => request.current.abort(), []);
  const cancel = async () => {
    setState('sending');
    const { kind } = await abandonJob(id, request.current.signal);
    if (kind === 'failed') setState('failed');
  };
  return (
    <div class="cancel">
      <button class="button" type="button" disabled={state === 'sending'} onClick={cancel}>
        {state === 'sending' ? 'Cancelling…' : 'Cancel'}
      </button>
      {state === 'failed' && <p role="status">That did not reach the service. Try again.</p>}
    </div>
  );
}
