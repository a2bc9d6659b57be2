import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TraversalResult } from '../../document/result.ts';
import type { ServerOrAddress } from '../../evaluate/what-if/what-if.ts';
import { workerAddress } from '../api/worker-address.ts';
import type { ImagineReply, ImagineRequest } from './imagining.ts';
import { imaginedOf, NOTHING_OFF, type OffChoice, type OffMode, toggled, whyNotImagined } from './what-if.ts';

/** What is imagined, and what comes of it. */
export interface WhatIfState {
  readonly choice: OffChoice;
  /** What to show: the world that was recorded, or the one that is imagined. */
  readonly result: TraversalResult;
  readonly progress: 'settled' | 'working';
  /** Why what was chosen cannot be imagined; else empty. */
  readonly objection: string;
  readonly toggle: (one: ServerOrAddress) => void;
  readonly setMode: (mode: OffMode) => void;
  readonly reset: () => void;
}

/** Imagines servers of a result to be off, in a worker that is started for the first one. */
export function useWhatIf(recorded: TraversalResult): WhatIfState {
  const [choice, setChoice] = useState(NOTHING_OFF);
  const [came, setCame] = useState<Came>({ result: recorded, objection: '', progress: 'settled' });
  const worker = useRef<Worker | undefined>(undefined);
  const number = useRef(0);
  useEffect(() => {
    setChoice(NOTHING_OFF);
    return () => {
      worker.current?.terminate();
      worker.current = undefined;
    };
  }, [recorded]);
  useEffect(() => {
    const asked = ++number.current;
    const settle = (result: TraversalResult, objection = '') =>
      setCame({ result, objection, progress: 'settled' });
    const whatIf = imaginedOf(choice);
    if (whatIf === undefined) return settle(recorded);
    setCame((before) => ({ ...before, progress: 'working' }));
    worker.current ??= started(recorded);
    const fail = () => settle(recorded, FAILED);
    const hear = ({ data }: MessageEvent<ImagineReply>) => {
      if (data.number !== asked) return;
      if (data.imagined.kind === 'imagined') settle(data.imagined.result);
      else if (data.imagined.kind === 'failed') fail();
      else settle(recorded, whyNotImagined(data.imagined));
    };
    const { current } = worker;
    current.addEventListener('message', hear);
    current.addEventListener('error', fail);
    current.postMessage({ kind: 'imagine', number: asked, whatIf } satisfies ImagineRequest);
    return () => {
      current.removeEventListener('message', hear);
      current.removeEventListener('error', fail);
    };
  }, [choice, recorded]);
  return useMemo(
    () => ({
      ...came,
      choice,
      toggle: (one) => setChoice((before) => toggled(before, one)),
      setMode: (mode) => setChoice(({ off }) => ({ mode, off })),
      reset: () => setChoice(NOTHING_OFF),
    }),
    [came, choice],
  );
}

type Came = Pick<WhatIfState, 'result' | 'objection' | 'progress'>;

const FAILED = 'This could not be worked out.';

function started(result: TraversalResult): Worker {
  const worker = new Worker(workerAddress('imagine'), { type: 'module' });
  worker.postMessage({ kind: 'recorded', result } satisfies ImagineRequest);
  return worker;
}
