import type { NotChecked } from '../../document/result.ts';
import { grouped, listed } from '../../document/words/lists.ts';

/** The views that were left out, each reason once: "DNSSEC: --trust-anchor is needed with these root hints"; else empty. */
export function notCheckedWords(notChecked: readonly NotChecked[] = []): string {
  const shown = notChecked.filter(({ view }) => VIEW_NAMES[view] !== undefined);
  return grouped(shown, ({ reason }) => reason)
    .map((alike) => `${listed(alike.flatMap(({ view }) => VIEW_NAMES[view] ?? []))}: ${alike[0].reason}`)
    .join('; ');
}

/** What each view is called; the audit (`--check`) is no view of users, and is not missed. */
const VIEW_NAMES: Readonly<Record<NotChecked['view'], string | undefined>> = {
  warm: "the zones' own NS records",
  validating: 'DNSSEC',
  profiles: 'resolver products',
  rotation: 'rotation',
  audit: undefined,
};
