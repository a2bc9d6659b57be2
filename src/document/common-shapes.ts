/* Shapes that several parts of the documents share: names, questions, records, shares. */

import { annotated, described, INVALID, named, type Of, type Shape, turned } from '../base/shape.ts';
import { object, optional } from '../base/shape-object.ts';
import { BOOLEAN, COUNT, choice, list, matching, NUMBER, oneOf, parsed, TEXT } from '../base/shape-values.ts';
import { parseAddress } from '../dns/address.ts';
import { typeCode } from '../dns/codes.ts';
import type { Flag } from '../dns/message.ts';
import { type Name, parseName } from '../dns/name.ts';
import { fitsType, type Records, type ResourceRecord } from '../dns/record.ts';

/** A domain name. */
export const NAME: Shape<Name> = named(
  'Name',
  described(
    parsed(parseName, { pattern: '\\.$', examples: ['www.example.com.'] }),
    'A domain name, absolute and lower-case, with the escapes of RFC 1035 5.1.',
  ),
);

/** A record type. */
export const TYPE: Shape<string> = named(
  'Type',
  described(
    parsed(
      (text) => {
        if (typeCode(text) === undefined) throw new Error('must be a record type');
        return text;
      },
      { examples: ['A'] },
    ),
    'The mnemonic of a type, or "TYPE65280".',
  ),
);

/** An address in canonical text (RFC 5952). */
export const ADDRESS: Shape<string> = parsed((text) => {
  const address = parseAddress(text);
  if (address === undefined) throw new Error('must be an IPv4 or IPv6 address');
  return address;
});

const ASKED = { name: NAME, type: TYPE };

/** A question: name and type. */
export const QUESTION = named('Question', object(ASKED));

/** The question of a traversal. */
export const QUERY = named('Query', object({ ...ASKED, class: oneOf('IN') }));

/** A flag of a message's header. */
export const FLAG: Shape<Flag> = choice<Flag>({
  qr: true,
  aa: true,
  tc: true,
  rd: true,
  ra: true,
  ad: true,
  cd: true,
});

/** What an OPT record said. */
export const EDNS = named(
  'Edns',
  object({
    version: COUNT,
    payloadSize: COUNT,
    do: BOOLEAN,
    options: list(object({ code: COUNT, data: described(TEXT, 'Hexadecimal.') })),
  }),
);

/** A resource record. Data that the program reads names or addresses from are what the type says, or say nothing. */
const RECORD: Shape<ResourceRecord> = named(
  'Record',
  turned(
    object({
      name: NAME,
      type: TYPE,
      class: optional(described(TEXT, 'Absent: IN.')),
      ttl: COUNT,
      data: described(TEXT, 'In zone-file presentation format.'),
    }),
    (record, pointer, note) => {
      const data = dataShape(record).read(record.data, `${pointer}/data`, note);
      if (data === INVALID) return INVALID;
      return data === record.data ? record : { ...record, data };
    },
  ),
);

/** The records of a section, or of an answer. */
export const RECORDS: Shape<Records> = list(RECORD);

/** What the program takes the data for. */
function dataShape(record: ResourceRecord): Shape<string> {
  if (!fitsType(record)) return TEXT;
  switch (record.type) {
    case 'NS':
    case 'CNAME':
    case 'DNAME':
      return NAME;
    case 'A':
    case 'AAAA':
      return record.class === undefined ? ADDRESS : TEXT;
    default:
      return TEXT;
  }
}

/** Milliseconds, whole or not. */
export const MILLISECONDS: Shape<number> = NUMBER;

/** An exact number, as text. */
export const FRACTION = described(
  matching(/^\d+(?:\/[1-9]\d*)?$/, 'a fraction', { examples: ['1/8'] }),
  'The exact value.',
);

/** A number from 0 to 1. */
export const PROBABILITY = annotated(NUMBER, { maximum: 1 });

/** An exact probability: as the nearest double, and as text ("1/8"). */
export const EXACT_FIELDS = { probability: PROBABILITY, fraction: FRACTION };

/** An exact probability. */
export type Exact = Of<typeof EXACT>;

const EXACT = object(EXACT_FIELDS);

/** How often something happens on average, which can be more than once. */
export const PASSES_FIELDS = { probability: NUMBER, fraction: FRACTION };

/** A part of a step, as number and as text; those of a step sum to 1. */
export const SHARE_FIELDS = { share: PROBABILITY, fraction: FRACTION };

const SHARE = object(SHARE_FIELDS);

/** A name server's share of a step. */
export type Share = Of<typeof SHARE>;
