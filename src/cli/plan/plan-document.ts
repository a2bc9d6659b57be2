/* Describes plans in JSON: svc-plan(1), THE PLAN. */

import { described, type Of, type Schema, turned } from '../../base/shape.ts';
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
    described(
      list(ADDRESS),
      'Its addresses, as the parent zone is going to have them: needed within the zone.',
    ),
  ),
});

const ZONE = turned(
  closed({
    zone: described(NAME, 'The name of the zone.'),
    file: optional(described(TEXT, 'Its zone file, relative to the folder of the plan.')),
    servers: optional(
      described(
        list(SERVER),
        'The servers that it is going to be delegated to. Absent: those of today and of the file.',
      ),
    ),
    ds: optional(
      described(
        list(TEXT),
        'The DS records that its parent is going to have, each TAG,ALGORITHM,DIGEST,HEX or a file with DS or DNSKEY records; none: []. Absent: those of today.',
      ),
    ),
  }),
  (read, pointer, note) => {
    const { zone, file, servers, ds } = read;
    if (file === undefined && servers === undefined && ds === undefined)
      return note(pointer, 'plans nothing: it needs file, servers or ds');
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

/** A plan, as its file has it. */
export const PLAN = closed({
  $schema: optional(described(TEXT, 'The address of this schema, for editors.')),
  zones: turned(described(list(ZONE), 'The zones that are planned.'), (zones, pointer, note) => {
    if (zones.length === 0) return note(pointer, 'must hold at least one zone');
    const names = zones.map(({ zone }) => zone);
    const twice = names.findIndex((zone, at) => names.indexOf(zone) < at);
    return twice < 0 ? zones : note(`${pointer}/${twice}`, 'this zone is planned already');
  }),
  names: optional(
    described(
      list(parsed(questionOf, { examples: ['www.example.com', 'example.com MX'] })),
      'The names to check, each with a type unless that is A. Absent: those of the zone files.',
    ),
  ),
  expectations: optional(EXPECTATIONS),
});

/** A plan, as its file has it. */
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
