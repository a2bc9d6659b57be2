import { list } from '../shape/list.ts';
import { object, optional } from '../shape/object.ts';
import { described, named } from '../shape/schema.ts';
import { INVALID, type Shape, turned } from '../shape/shape.ts';
import { BOOLEAN, COUNT, choice, oneOf, parsed, TEXT } from '../shape/values.ts';
import { parseAddress } from '../wire/address.ts';
import type { Flag } from '../wire/message.ts';
import { type Name, parseName } from '../wire/name.ts';
import { fitsType, type ResourceRecord } from '../wire/record.ts';
import type { Records } from '../wire/records.ts';
import { typeCode } from '../wire/type.ts';

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
export const RECORD: Shape<ResourceRecord> = named(
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
