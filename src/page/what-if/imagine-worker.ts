import { readResult, type Saved } from '../../document/read-result.ts';
import { imaginingResult } from '../../imagine.ts';
import { runThrough } from '../../pausable.ts';
import type { ImagineReply, ImagineRequest } from './imagining.ts';
import { provableHere } from './provable-here.ts';

let saved: Saved | undefined;

addEventListener('message', ({ data }: MessageEvent<ImagineRequest>) => {
  switch (data.kind) {
    case 'recorded':
      saved = provableHere(readResult(data.result));
      return;
    case 'imagine':
      postMessage({ number: data.number, imagined: imagine(data.whatIf) } satisfies ImagineReply);
  }
});

function imagine(whatIf: Extract<ImagineRequest, { kind: 'imagine' }>['whatIf']): ImagineReply['imagined'] {
  if (saved === undefined) return { kind: 'failed' };
  try {
    return runThrough(imaginingResult(saved, whatIf));
  } catch (error) {
    console.error(error);
    return { kind: 'failed' };
  }
}
