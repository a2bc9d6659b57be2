import { ROOT } from '../../dns/name.ts';
import type { TraversalResult } from '../../document/result.ts';
import type { View } from '../../document/views.ts';
import type { DangerRow } from '../../document/when.ts';
import { sentence } from '../../document/words/lists.ts';
import { plain } from '../../document/words/names.ts';
import { percentage } from '../../document/words/quantities.ts';
import { compare, type Fraction } from '../../evaluate/fraction.ts';
import { weightOf } from '../views/effects.ts';
import type { Comparison } from './old-ends.ts';

/** What no TTL ends: users whom a change leaves with SERVFAIL, or more of them than before. */
export function lastingDangers({ before, after, at }: Comparison): readonly DangerRow[] {
  const from = at.toISOString();
  const all = failingShare(after.resolver);
  const validating = validatingShare(after);
  const rows: DangerRow[] = [];
  if (compare(all, failingShare(before.resolver)) > 0)
    rows.push({
      kind: 'failure',
      ...lasting(after.resolver, 'users', 'its delegation or its servers'),
      from,
    });
  if (
    after.validating !== undefined &&
    compare(validating, all) > 0 &&
    compare(validating, validatingShare(before)) > 0
  ) {
    const whose = 'users of validating resolvers';
    rows.push({
      kind: 'validation',
      ...lasting(after.validating, whose, 'its DS records, keys or signatures'),
      from,
    });
  }
  return rows;
}

function lasting(
  view: Pick<View, 'outcomes'>,
  whose: string,
  remedy: string,
): Pick<DangerRow, 'zone' | 'until' | 'message'> {
  const [first] = failuresIn(view);
  const zone = first?.zone ?? ROOT;
  const share = percentage(failingShare(view));
  const message = `${share} of ${whose} get SERVFAIL for ${plain(zone)}: repair ${remedy}`;
  return { zone, until: null, message: sentence(message) };
}

function failuresIn({ outcomes }: Pick<View, 'outcomes'>) {
  return outcomes.filter(({ kind }) => kind === 'servfail');
}

function failingShare(view: Pick<View, 'outcomes'>): Fraction {
  return weightOf(failuresIn(view));
}

function validatingShare({ validating, resolver }: TraversalResult): Fraction {
  return failingShare(validating ?? resolver);
}
