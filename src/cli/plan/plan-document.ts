/* Describes the plan in JSON, its checks and its schema: svc-plan(1), THE PLAN. */

import { annotated, described, type Of, type Schema, turned } from '../../base/shape.ts';
import { closed, optional } from '../../base/shape-object.ts';
import { list, parsed, TEXT } from '../../base/shape-values.ts';
import type { Question } from '../../dns/message.ts';
import { isAtOrBelow, ROOT } from '../../dns/name.ts';
import { ADDRESS } from '../../document/common-shapes.ts';
import { EXPECTATIONS } from '../../traversal/configuration.ts';
import { readName, readQuestion } from '../flags/names.ts';

const NAME = parsed(readName, { examples: ['ns1.example.net'] });

const SERVER = closed({
  name: described(NAME, 'The name of the server.'),
  addresses: optional(
    described(list(ADDRESS), 'Its addresses, the glue at the parent: required for a server within the zone.'),
  ),
});

const ZONE = turned(
  closed({
    zone: described(NAME, 'The name of the zone.'),
    file: optional(described(TEXT, 'Its zone file, relative to the folder of the plan.')),
    servers: optional(
      described(
        list(SERVER),
        'The name servers to which the parent will delegate the zone. Absent: those of today and of the zone file.',
      ),
    ),
    ds: optional(
      described(
        list(TEXT),
        'The DS records that the parent will publish, each TAG,ALGORITHM,DIGEST,HEX or a file with DS or DNSKEY records; [] for none. Absent: those of today.',
      ),
    ),
  }),
  (read, pointer, note) => {
    const { zone, file, servers, ds } = read;
    if (file === undefined && servers === undefined && ds === undefined)
      return note(pointer, 'plans nothing: add file, servers or ds');
    if (zone === ROOT && (servers !== undefined || ds !== undefined))
      return note(pointer, 'the root has no parent: leave out servers and ds');
    if (servers?.length === 0) return note(`${pointer}/servers`, 'must hold at least one server');
    const bare = (servers ?? []).findIndex(
      ({ name, addresses = [] }) => addresses.length === 0 && isAtOrBelow(name, zone),
    );
    if (bare >= 0) return note(`${pointer}/servers/${bare}`, 'a name server within the zone needs addresses');
    return read;
  },
);

/** The shape of a plan in JSON. */
export const PLAN = closed({
  $schema: optional(described(TEXT, 'The address of this schema, for editors.')),
  zones: turned(
    described(annotated(list(ZONE), { minItems: 1 }), 'The planned zones.'),
    (zones, pointer, note) => {
      if (zones.length === 0) return note(pointer, 'must hold at least one zone');
      const names = zones.map(({ zone }) => zone);
      const twice = names.findIndex((zone, at) => names.indexOf(zone) < at);
      return twice < 0 ? zones : note(`${pointer}/${twice}`, 'this zone is planned already');
    },
  ),
  names: optional(
    turned(
      described(
        annotated(list(parsed(questionOf, { examples: ['www.example.com', 'example.com MX'] })), {
          minItems: 1,
        }),
        'The names to check, each with its type; without a type, A. Absent: the names of the zone files.',
      ),
      (names, pointer, note) =>
        names.length > 0
          ? names
          : note(pointer, 'must hold at least one name; leave it out to check the names of the zone files'),
    ),
  ),
  expectations: optional(EXPECTATIONS),
});

/** A plan in JSON. */
export type PlanDocument = Of<typeof PLAN>;

/** The JSON schema of plans, for editors and other programs. */
export function planSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A plan of svc plan',
    ...PLAN.schema(),
  };
}

function questionOf(text: string): Question {
  const [name = '', type = 'A', ...more] = text.trim().split(/\s+/);
  if (more.length > 0) throw new Error('must be a name, or a name and a type');
  return readQuestion(name, type);
}
