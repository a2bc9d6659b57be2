import type { Exchanged } from '../exchange/exchanged.ts';
import { givesOrDenies } from '../explore/meaning.ts';
import { meaningFor } from '../explore/meaning-for.ts';
import { isBelow, type Name } from '../wire/name.ts';

/** What a reply says of the name asked, whatever the type. */
export type Existence = 'exists' | 'denied';

/** What a reply says with authority of the name asked, which must lie below the zone; undefined if nothing. */
export function existenceIn(exchanged: Exchanged, zone: Name): Existence | undefined {
  if (!isBelow(exchanged.question.name, zone) || !isAuthoritative(exchanged)) return undefined;
  const meaning = meaningFor(exchanged, zone);
  if (!givesOrDenies(meaning)) return undefined;
  switch (meaning.kind) {
    case 'nxdomain':
      return 'denied';
    case 'nodata':
      return 'exists';
    case 'answer':
    case 'alias':
    case 'alias-loop':
      return isRedirected(exchanged) ? undefined : 'exists';
  }
}

/** Without the AA bit a reply is hearsay, which may be of another age. */
function isAuthoritative({ outcome }: Exchanged): boolean {
  return outcome.kind === 'reply' && outcome.flags.includes('aa');
}

/** A DNAME says nothing of the names below its owner (RFC 6672 2.3). */
function isRedirected({ outcome }: Exchanged): boolean {
  return outcome.kind === 'reply' && outcome.answer.some(({ type }) => type === 'DNAME');
}
