import { JsonError, parseJson } from '../../../src/base/json.ts';
import { ShapeError } from '../../../src/base/shape.ts';
import { readResult } from '../../../src/document/read-result.ts';
import type { TraversalResult } from '../../../src/document/result.ts';
import { replay } from '../../../src/traversal/node-replay.ts';
import { savedFiles } from '../arbitraries/saved-files.ts';
import { replaysTheSame } from '../checks/replays.ts';
import { reportsArePrintable } from '../checks/reports.ts';
import { sumToOne } from '../checks/sums.ts';
import { withinCpu } from '../cpu.ts';
import { must, subject } from '../subject.ts';

const MOST_MS = 10_000;

/** A file is refused with what is wrong and where, or it comes to a result like any other. */
export const saved = subject('saved', 250, savedFiles, (octets) => {
  withinCpu(MOST_MS, () => {
    const result = replayed(octets);
    if (result === undefined) return;
    sumToOne(result);
    replaysTheSame(result);
    reportsArePrintable(result, octets.length);
  });
});

function replayed(octets: Buffer): TraversalResult | undefined {
  try {
    return replay(readResult(parseJson(octets)));
  } catch (error) {
    must(error instanceof JsonError || error instanceof ShapeError, `threw ${error}`);
    return undefined;
  }
}
