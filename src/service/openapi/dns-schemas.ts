import {
  BOOLEAN,
  COUNT,
  described,
  list,
  MILLISECONDS,
  oneOf,
  record,
  ref,
  type Schema,
  TEXT,
} from './schema.ts';

/** Schemas of what servers were asked and said. */
export const DNS_SCHEMAS: Readonly<Record<string, Schema>> = {
  Name: {
    type: 'string',
    pattern: '\\.$',
    description: 'A domain name, absolute and lower-case, with the escapes of RFC 1035 5.1.',
    examples: ['www.example.com.'],
  },
  Type: { type: 'string', description: 'The mnemonic of a type, or "TYPE65280".', examples: ['A'] },
  Question: record({ name: ref('Name'), type: ref('Type') }),
  Query: record({ name: ref('Name'), type: ref('Type'), class: { const: 'IN' } }),
  Record: record(
    {
      name: ref('Name'),
      type: ref('Type'),
      ttl: COUNT,
      data: described(TEXT, 'In zone-file presentation format.'),
    },
    { class: described(TEXT, 'Absent: IN.') },
  ),
  Edns: record({
    version: COUNT,
    payloadSize: COUNT,
    do: BOOLEAN,
    options: list(record({ code: COUNT, data: described(TEXT, 'Hexadecimal.') })),
  }),
  ExchangeHead: exchange({}),
  Exchange: exchange({ tries: list(ref('Try')), traffic: ref('Traffic') }),
  Try: record({
    transport: oneOf('udp', 'tcp'),
    edns: BOOLEAN,
    nameCase: oneOf('mixed', 'lower'),
    sentMs: MILLISECONDS,
    elapsedMs: MILLISECONDS,
    outcome: record(
      { kind: oneOf('reply', 'case-mismatch', 'timeout', 'closed', 'unreachable') },
      { rcode: TEXT, truncated: BOOLEAN, bytes: COUNT, code: TEXT },
    ),
    ignored: list(ref('Ignored')),
  }),
  Ignored: described(
    record(
      {
        reason: oneOf('wrong-id', 'wrong-question', 'undecodable', 'not-a-reply'),
        bytes: COUNT,
        head: described(TEXT, 'Its first octets, hexadecimal.'),
      },
      { detail: TEXT },
    ),
    'A message that did not count.',
  ),
  Traffic: record({ packetsSent: COUNT, packetsReceived: COUNT, bytesSent: COUNT, bytesReceived: COUNT }),
};

/** Both forms of an exchange: in events without, in results with what `more` holds and the records. */
function exchange(more: Readonly<Record<string, Schema>>): Schema {
  const whole = Object.keys(more).length > 0;
  const records = list(ref('Record'));
  return record(
    {
      id: { type: 'string', pattern: '^x[1-9][0-9]*$' },
      server: record({ address: TEXT, names: list(ref('Name')) }),
      question: ref('Question'),
      transport: oneOf('udp', 'tcp'),
      attempts: described(COUNT, 'Queries sent.'),
      elapsedMs: MILLISECONDS,
      ...more,
    },
    {
      rcode: TEXT,
      flags: list(oneOf('qr', 'aa', 'tc', 'rd', 'ra', 'ad', 'cd')),
      rttMs: MILLISECONDS,
      bytes: COUNT,
      edns: ref('Edns'),
      failure: oneOf('malformed', 'unreachable', 'timeout'),
      failureDetail: TEXT,
      ...(whole ? { answer: records, authority: records, additional: records } : {}),
    },
  );
}
