import type { Probed, ProbeKind } from '../exchange/probed.ts';
import { object } from '../shape/object.ts';
import { described, named } from '../shape/schema.ts';
import { INVALID, type Of, type Shape } from '../shape/shape.ts';
import { choice, matching } from '../shape/values.ts';
import { RECORDED } from './exchanges.ts';
import { SAVED_EXCHANGE } from './saved-exchanges.ts';

const KIND = {
  kind: choice<ProbeKind>({
    tcp: true,
    'no-edns': true,
    'edns-version': true,
    'edns-option': true,
    recursion: true,
    'other-type': true,
    ancestor: true,
    'own-name': true,
  }),
};

/** A probe as recorded. */
export const PROBE = named(
  'Probe',
  described(
    object({ id: matching(/^p[1-9][0-9]*$/, 'an identifier of a probe'), ...KIND, ...RECORDED }),
    'A question that was put to a server only to find out how it behaves.',
  ),
);

/** A row of the list `probes`. */
export type ProbeRow = Of<typeof PROBE>;

/** A row of the list `probes`, to be read back: none if its records were left out. */
export const SAVED_PROBE: Shape<readonly Probed[]> = {
  ...PROBE,
  read: (value, pointer, note) => {
    const kind = KIND_ONLY.read(value, pointer, note);
    const saved = SAVED_EXCHANGE.read(value, pointer, note);
    if (kind === INVALID || saved === INVALID) return INVALID;
    return saved.kind === 'whole' ? [{ ...saved.exchanged, probe: kind.kind }] : [];
  },
};

const KIND_ONLY = object(KIND);
