import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TraversalResult } from '../../document/result.ts';
import type { ServerOrAddress, WhatIf } from '../../evaluate/world.ts';
import type { WhatIfReplay } from '../../traversal/replay.ts';
import {
  NOTHING_OFF,
  type OffChoice,
  type OffMode,
  toggled,
  whatIfOf,
  whyNotPossible,
} from '../model/switched-off.ts';
import { askWorker, startWorker } from '../model/worker-scripts.ts';

/** Imagines servers of a result to be off, in a worker that is started for the first one. */
export function useWhatIf(recorded: TraversalResult, { choice, choose }: SwitchControl): WhatIfState {
  // The same object each time: without servers that are off nothing is drawn again.
  const asRecorded = useMemo(() => settled(recorded), [recorded]);
  const [came, setCame] = useState<Came>(asRecorded);
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
    const whatIf = whatIfOf(choice);
    if (whatIf === undefined) return setCame(asRecorded);
    setCame((before) => ({ ...before, progress: 'working' }));
    worker.current ??= started(recorded);
    return askWorker<WhatIfQuestion, WhatIfReply>(
      worker.current,
      { kind: 'what-if', number: asked, whatIf },
      (reply) => {
        const imagined = reply === 'failed' ? ({ kind: 'failed' } as const) : reply.imagined;
        if (imagined.kind === 'imagined') setCame(settled(imagined.result));
        else setCame(settled(recorded, imagined.kind === 'failed' ? FAILED : whyNotPossible(imagined)));
      },
    );
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

/** The servers that are switched off, and the result without them. */
export interface WhatIfState {
  readonly choice: OffChoice;
  /** The result to show: the recorded one, or that without the servers. */
  readonly result: TraversalResult;
  readonly progress: 'settled' | 'working';
  /** Why what was chosen cannot be imagined; else empty. */
  readonly objection: string;
  readonly toggle: (one: ServerOrAddress) => void;
  readonly setMode: (mode: OffMode) => void;
  readonly reset: () => void;
}

/** The servers that are switched off, and a way to switch others. */
export interface SwitchControl {
  readonly choice: OffChoice;
  readonly choose: (change: (before: OffChoice) => OffChoice) => void;
}

type Came = Pick<WhatIfState, 'result' | 'objection' | 'progress'>;

function settled(result: TraversalResult, objection = ''): Came {
  return { result, objection, progress: 'settled' };
}

const FAILED = 'This could not be worked out.';

function started(result: TraversalResult): Worker {
  const worker = startWorker('result');
  worker.postMessage({ kind: 'recorded', result } satisfies WhatIfRequest);
  return worker;
}

/** A message to the result worker: first the recorded result, then questions about it. */
export type WhatIfRequest = { readonly kind: 'recorded'; readonly result: TraversalResult } | WhatIfQuestion;

/** The change to evaluate. */
export interface WhatIfQuestion {
  readonly kind: 'what-if';
  readonly number: number;
  readonly whatIf: WhatIf;
}

/** A reply of the worker, with the number of its request. */
export interface WhatIfReply {
  readonly number: number;
  readonly imagined: WhatIfReplay | { readonly kind: 'failed' };
}
