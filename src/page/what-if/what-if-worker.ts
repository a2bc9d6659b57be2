import { readResult, type Saved } from '../../document/read-result.ts';
import { imaginingResult } from '../../imagine.ts';
import { runThrough } from '../../pausable.ts';
import type { WhatIfQuestion, WhatIfReply, WhatIfRequest } from './imagining.ts';
import { provableHere } from './provable-here.ts';

let saved: Saved | undefined;

addEventListener('message', ({ data }: MessageEvent<WhatIfRequest>) => {
  switch (data.kind) {
    case 'recorded':
      saved = provableHere(readResult(data.result));
      return;
    case 'what-if':
      postMessage({ number: data.number, imagined: imagine(data.whatIf) } satisfies WhatIfReply);
  }
});

function imagine(whatIf: WhatIfQuestion['whatIf']): WhatIfReply['imagined'] {
  if (saved === undefined) return { kind: 'failed' };
  try {
    return runThrough(imaginingResult(saved, whatIf));
  } catch (error) {
    console.error(error);
    return { kind: 'failed' };
  }
}
