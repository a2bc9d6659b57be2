import type { TraversalResult, ValidatingRow } from '../../document/result.ts';
import { whatIfWords } from '../../reading/what-if-words.ts';
import type { Wording } from '../../reading/wording.ts';
import type { Rows } from '../table/table.ts';
import { comparisonRows } from './comparison-rows.ts';

/** What is imagined, and the shares before and after. All else that a text says of paths is said of that world. */
export function whatIfRows(result: TraversalResult, wording: Wording): Rows {
  const { whatIf, recorded, resolver, validating } = result;
  if (whatIf === undefined) return [];
  const title = `If ${whatIfWords(whatIf)}`;
  if (recorded === undefined) return [[{ text: title, style: 'strong' }]];
  const columns = [
    { head: 'first tries: now', view: recorded },
    { head: 'then', view: result },
    { head: 'resolvers: now', view: recorded.resolver },
    { head: 'then', view: resolver },
  ];
  return [
    ...comparisonRows(title, columns, wording),
    ...validatingRows(recorded.validating, validating, wording),
  ];
}

function validatingRows(
  now: ValidatingRow | undefined,
  then: ValidatingRow | undefined,
  wording: Wording,
): Rows {
  if (now === undefined || then === undefined) return [];
  const columns = [
    { head: 'retrying: now', view: now },
    { head: 'then', view: then },
    { head: 'first reply: now', view: now.firstTry },
    { head: 'then', view: then.firstTry },
  ];
  return comparisonRows('Validating resolvers get', columns, wording);
}
