import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TraversalResult } from '../../document/result.ts';
import type { ServerOrAddress } from '../../evaluate/what-if/what-if.ts';
import { workerAddress } from '../api/worker-address.ts';
import { NOTHING_OFF, type OffChoice, type OffMode, toggled } from '../parts/off-choice.ts';
import type { ImagineReply, ImagineRequest } from './imagining.ts';
import { imaginedOf, whyNotImagined } from './what-if.ts';

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

/** What is chosen to be imagined, and how to choose something else. */
export interface Imagining {
  readonly choice: OffChoice;
  readonly choose: (change: (before: OffChoice) => OffChoice) => void;
}

/** Imagines servers of a result to be off, in a worker that is started for the first one. */
export function useWhatIf(recorded: TraversalResult, { choice, choose }: Imagining): WhatIfState {
  const [came, setCame] = useState<Came>({ result: recorded, objection: '', progress: 'settled' });
  const worker = useRef<Worker | undefined>(undefined);
  const number = useRef(0);
  useEffect(
    () => () => {
      worker.current?.terminate();
      worker.current = undefined;
    },
    [recorded],
  );
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
      toggle: (one) => choose((before) => toggled(before, one)),
      setMode: (mode) => choose(({ off }) => ({ mode, off })),
      reset: () => choose(() => NOTHING_OFF),
    }),
    [came, choice, choose],
  );
}

type Came = Pick<WhatIfState, 'result' | 'objection' | 'progress'>;

const FAILED = 'This could not be worked out.';

function started(result: TraversalResult): Worker {
  const worker = new Worker(workerAddress('imagine'), { type: 'module' });
  worker.postMessage({ kind: 'recorded', result } satisfies ImagineRequest);
  return worker;
}
