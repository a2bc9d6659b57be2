/* Finds the servers that decide which of several answers users get. */

import { getOrMake } from '../../base/memo.ts';
import type { StepRow } from '../../document/steps.ts';
import type { End, PickedServer } from '../../evaluate/end.ts';
import { contentKey, ownEffect } from './effects.ts';
import { mainWalk, type Next, type ResultIndex } from './result-index.ts';

/** A pick that decides which answer users get: all answers behind it are the same, while its step leads to several. */
export interface DecidingServer extends PickedServer {
  /** Whether it gives the answer itself or refers to servers that do. */
  readonly how: 'answers' | 'leads-on';
}

/** Finds the picks that decide on the answer of an end. */
export function decidingServersIn(index: ResultIndex): (end: End) => readonly DecidingServer[] {
  const contents = contentsBehind(index);
  const behind = (next: Next) => contentsAfter(next, contents);
  const deciders = new Map<string, DecidingServer[]>();
  for (const [step, several] of contents) {
    if (several.size < 2) continue;
    for (const { name, addresses } of step.nameservers) {
      for (const { address, leadsTo } of addresses) {
        const next = index.next(leadsTo);
        const [only, ...others] = behind(next);
        if (only === undefined || others.length > 0) continue;
        const how = next.kind === 'end' ? 'answers' : 'leads-on';
        getOrMake(deciders, only, () => []).push({ name, address, how });
      }
    }
  }
  return (end) => deciders.get(contentKey(end)) ?? [];
}

type Contents = ReadonlyMap<StepRow, ReadonlySet<string>>;

/** The answers and denials behind each step of the main walk; failures do not count. */
function contentsBehind(index: ResultIndex): Contents {
  const contents = new Map<StepRow, ReadonlySet<string>>();
  // A step follows all that lead to it, so what is behind it is known first.
  for (const step of [...mainWalk(index).steps].reverse()) {
    const behind = step.nameservers.flatMap(({ addresses }) =>
      addresses.flatMap(({ leadsTo }) => [...contentsAfter(index.next(leadsTo), contents)]),
    );
    contents.set(step, new Set(behind));
  }
  return contents;
}

function contentsAfter(next: Next, contents: Contents): ReadonlySet<string> {
  if (next.kind === 'step') return contents.get(next.step) ?? new Set();
  return new Set(ownEffect(next.end) === 'ends-well' ? [contentKey(next.end)] : []);
}
