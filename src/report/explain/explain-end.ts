import { type End, isUnknown } from '../../evaluate/end.ts';
import type { Advice } from './advice.ts';
import { explainAgreeing } from './agreeing.ts';
import { explainBogus } from './bogus.ts';
import { explainDelegationTrouble } from './delegation-trouble.ts';
import type { Scene } from './known.ts';
import { explainNotExamined } from './not-examined.ts';
import type { Subject } from './people.ts';
import { explainServerTrouble } from './server-trouble.ts';

/** What an end means to users and what to do about it, for every kind of end. */
export function explainEnd({ end, servers }: Subject, context: Scene): Advice {
  if (isUnknown(end)) return explainNotExamined({ end, servers });
  switch (end.kind) {
    case 'answer':
    case 'nodata':
    case 'nxdomain':
      return explainAgreeing({ end, servers }, context);
    case 'timeout':
    case 'unreachable':
    case 'malformed':
    case 'error':
    case 'lame':
      return explainServerTrouble({ end, servers }, context);
    case 'no-glue':
    case 'unresolvable-ns':
    case 'loop':
    case 'alias-loop':
    case 'servfail':
      return explainDelegationTrouble({ end, servers }, context, (cause) => explainCause(cause, context));
    case 'bogus':
      return explainBogus(end, context);
  }
}

function explainCause(end: End, context: Scene): Advice {
  return explainEnd({ end, servers: end.server === null ? [] : [end.server] }, context);
}
