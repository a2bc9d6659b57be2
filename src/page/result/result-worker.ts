/* The program of the worker that reads large results, and evaluates one again with servers switched off. */

import { readResult, type Saved } from '../../document/read-result.ts';
import { replayWhatIf } from '../../traversal/replay.ts';
import { withBrowserCrypto } from '../model/browser-crypto.ts';
import { type ReadReply, type ReadRequest, readJob } from '../model/read-job.ts';
import type { WhatIfQuestion, WhatIfReply, WhatIfRequest } from './use-what-if.ts';

let saved: Saved | undefined;

addEventListener('message', ({ data }: MessageEvent<ReadRequest | WhatIfRequest>) => {
  switch (data.kind) {
    case 'read':
      postMessage({ number: data.number, answer: readJob(data.reply) } satisfies ReadReply);
      return;
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
    return replayWhatIf(saved, whatIf);
  } catch (error) {
    console.error(error);
    return { kind: 'failed' };
  }
}
