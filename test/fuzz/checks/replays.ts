import { isDeepStrictEqual } from 'node:util';
import { readShape } from '../../../src/base/shape.ts';
import { readResult } from '../../../src/document/read-result.ts';
import { RESULT, type TraversalResult } from '../../../src/document/result.ts';
import { replay } from '../../../src/traversal/node-replay.ts';
import { must } from '../subject.ts';

/** A result is what its description says, and comes to the same when it is saved and evaluated again. */
export function replaysTheSame(result: TraversalResult): void {
  const saved: unknown = JSON.parse(JSON.stringify(result));
  must(isDeepStrictEqual(readShape(RESULT, saved), saved), 'its shape leaves something out');
  const again: unknown = JSON.parse(JSON.stringify(replay(readResult(saved))));
  must(isDeepStrictEqual(again, saved), 'evaluated again it is another');
}
