import { type End, isUnknown } from '../../evaluate/end.ts';
import type { Advice } from './advice.ts';
import { explainAgreeing } from './agreeing.ts';
import { explainBogus } from './bogus.ts';
import { explainDelegationTrouble } from './delegation-trouble.ts';
import { explainNotExamined } from './not-examined.ts';
import type { Subject } from './people.ts';
import type { Scene } from './scene.ts';
import { explainServerTrouble } from './server-trouble.ts';

/** What an end means to users and what to do about it, for every kind of end. */
export function explainEnd({ end, servers }: Subject, scene: Scene): Advice {
  if (isUnknown(end)) return explainNotExamined({ end, servers });
  switch (end.kind) {
    case 'answer':
    case 'nodata':
    case 'nxdomain':
      return explainAgreeing({ end, servers }, scene);
    case 'timeout':
    case 'unreachable':
    case 'malformed':
    case 'error':
    case 'lame':
      return explainServerTrouble({ end, servers }, scene);
    case 'no-glue':
    case 'unresolvable-ns':
    case 'loop':
    case 'alias-loop':
    case 'servfail':
      return explainDelegationTrouble({ end, servers }, scene, (cause) => explainCause(cause, scene));
    case 'bogus':
      return explainBogus(end, scene);
  }
}

function explainCause(end: End, scene: Scene): Advice {
  return explainEnd({ end, servers: end.server === null ? [] : [end.server] }, scene);
}
