/* The program of the worker that evaluates a result again with servers switched off. */

import { runThrough } from '../../base/pausable.ts';
import { readResult, type Saved } from '../../document/read-result.ts';
import { replayWhatIf } from '../../traversal/replay.ts';
import { withBrowserCrypto } from '../model/browser-crypto.ts';
import type { WhatIfQuestion, WhatIfReply, WhatIfRequest } from './use-what-if.ts';

let saved: Saved | undefined;

addEventListener('message', ({ data }: MessageEvent<WhatIfRequest>) => {
  switch (data.kind) {
    case 'recorded':
      saved = withBrowserCrypto(readResult(data.result));
      return;
    case 'what-if':
      postMessage({ number: data.number, imagined: imagine(data.whatIf) } satisfies WhatIfReply);
  }
});

function imagine(whatIf: WhatIfQuestion['whatIf']): WhatIfReply['imagined'] {
  if (saved === undefined) return { kind: 'failed' };
  try {
    return runThrough(replayWhatIf(saved, whatIf));
  } catch (error) {
    console.error(error);
    return { kind: 'failed' };
  }
}
