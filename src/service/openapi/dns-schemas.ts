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
  ExchangeEvent: exchange({
    zone: ref('Name'),
    class: described(TEXT, 'What the reply means to the step that asked first.'),
  }),
  Exchange: exchange(
    { tries: list(ref('Try')), traffic: ref('Traffic') },
    { answer: list(ref('Record')), authority: list(ref('Record')), additional: list(ref('Record')) },
  ),
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

type Members = Readonly<Record<string, Schema>>;

/** An exchange as events or results have it: each has members of its own. */
function exchange(required: Members, optional: Members = {}): Schema {
  return record(
    {
      id: { type: 'string', pattern: '^x[1-9][0-9]*$' },
      server: record({ address: TEXT, names: list(ref('Name')) }),
      question: ref('Question'),
      transport: oneOf('udp', 'tcp'),
      attempts: described(COUNT, 'Queries sent.'),
      elapsedMs: MILLISECONDS,
      ...required,
    },
    {
      rcode: TEXT,
      flags: list(oneOf('qr', 'aa', 'tc', 'rd', 'ra', 'ad', 'cd')),
      rttMs: MILLISECONDS,
      bytes: COUNT,
      edns: ref('Edns'),
      failure: oneOf('malformed', 'unreachable', 'timeout'),
      failureDetail: TEXT,
      ...optional,
    },
  );
}
