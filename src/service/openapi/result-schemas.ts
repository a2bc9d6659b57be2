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
  TIME,
} from './schema.ts';

const EXACT = {
  probability: { type: 'number', minimum: 0, maximum: 1 },
  fraction: { type: 'string', description: 'The exact value.', examples: ['1/8'] },
};

/** Times a step is passed on average: more than once where lookups need it. */
const PASSES = { ...EXACT, probability: { type: 'number', minimum: 0 } };

const SHARE = { share: EXACT.probability, fraction: EXACT.fraction };

/** Schemas of a traversal's result. */
export const RESULT_SCHEMAS: Readonly<Record<string, Schema>> = {
  End: end({}),
  EndRow: end({ id: TEXT }),
  Outcome: end(EXACT),
  SummaryRow: described(
    record({ ...EXACT, kind: ref('EndKind') }, { answer: described(list(TEXT), 'Sorted record data.') }),
    'Outcomes grouped by kind, answers by their set of data.',
  ),
  EndKind: oneOf(
    'answer',
    'nodata',
    'nxdomain',
    'error',
    'lame',
    'malformed',
    'unreachable',
    'timeout',
    'unresolvable-ns',
    'no-glue',
    'loop',
    'alias-loop',
    'servfail',
    'blocked',
    'depth-limit',
    'query-limit',
    'time-limit',
    'work-limit',
    'pending',
  ),
  Options: record({
    families: list(oneOf(4, 6)),
    maxDepth: COUNT,
    maxQueries: COUNT,
    maxTimeMs: COUNT,
    maxWork: COUNT,
    timeoutMs: COUNT,
    retries: COUNT,
    rate: COUNT,
    port: COUNT,
    payloadSize: COUNT,
    edns: oneOf('on', 'off'),
    nameCase: oneOf('mixed', 'lower'),
    transport: oneOf('udp-then-tcp', 'tcp'),
    specialTargets: oneOf('blocked', 'allowed'),
  }),
  Delegation: record({
    id: TEXT,
    zone: ref('Name'),
    nameservers: list(record({ name: ref('Name'), glue: list(TEXT) })),
  }),
  LeadsTo: described(record({}, { step: TEXT, end: TEXT }), 'Another step, or an end, by its identifier.'),
  Step: record({
    id: TEXT,
    question: ref('Question'),
    zone: ref('Name'),
    delegation: TEXT,
    ...PASSES,
    nameservers: list(ref('Nameserver')),
  }),
  Nameserver: record(
    { name: ref('Name'), ...SHARE, source: oneOf('glue', 'lookup', 'none'), addresses: list(ref('Address')) },
    {
      lookups: list(record({ type: oneOf('A', 'AAAA') }, { step: TEXT, end: TEXT })),
      failures: list(record({ ...SHARE, end: TEXT })),
    },
  ),
  Address: record({ address: TEXT, ...SHARE, leadsTo: ref('LeadsTo') }, { exchange: TEXT, class: TEXT }),
  Finding: record(
    {
      id: TEXT,
      code: TEXT,
      severity: oneOf('critical', 'error', 'warning', 'notice', 'info'),
      message: TEXT,
      exchanges: list(TEXT),
    },
    {
      zone: ref('Name'),
      server: record({ name: ref('Name') }, { address: TEXT }),
      reference: TEXT,
      consequenceOf: TEXT,
    },
  ),
  Stats: record({
    exchanges: COUNT,
    packetsSent: COUNT,
    packetsReceived: COUNT,
    bytesSent: COUNT,
    bytesReceived: COUNT,
    timeouts: COUNT,
    servers: COUNT,
    zones: COUNT,
    paths: { type: 'string', pattern: '^[0-9]+$' },
  }),
  View: record({ outcomes: list(ref('Outcome')), summary: list(ref('SummaryRow')) }),
  Unasked: record({
    server: record({ address: TEXT, names: list(TEXT) }),
    question: ref('Question'),
    kind: oneOf('query-limit', 'time-limit'),
    limit: COUNT,
  }),
  Result: record({
    schema: { const: 2 },
    query: ref('Query'),
    options: ref('Options'),
    startedAt: TIME,
    finishedAt: TIME,
    durationMs: MILLISECONDS,
    complete: BOOLEAN,
    ending: oneOf('whole', 'query-limit', 'time-limit', 'cancelled'),
    ends: list(ref('EndRow')),
    outcomes: list(ref('Outcome')),
    summary: list(ref('SummaryRow')),
    resolver: ref('View'),
    coldLatencyMs: record({ best: MILLISECONDS, mean: MILLISECONDS, worst: MILLISECONDS }),
    zones: list(record({ zone: ref('Name'), delegations: list(TEXT) })),
    delegations: list(ref('Delegation')),
    steps: list(ref('Step')),
    exchanges: list(ref('Exchange')),
    unasked: list(ref('Unasked')),
    findings: list(ref('Finding')),
    stats: ref('Stats'),
  }),
};

/** Where a path stops; `kind` says which of the optional members there are. */
function end(more: Readonly<Record<string, Schema>>): Schema {
  return record(
    {
      kind: ref('EndKind'),
      question: ref('Question'),
      zone: ref('Name'),
      server: { anyOf: [record({ name: ref('Name'), address: TEXT }), { type: 'null' }] },
      ...more,
    },
    {
      rcode: TEXT,
      records: list(ref('Record')),
      aliases: list(ref('Name')),
      authoritative: BOOLEAN,
      target: ref('Name'),
      reason: oneOf('upward', 'self', 'sideways', 'empty'),
      referredTo: ref('Name'),
      nameserver: ref('Name'),
      cause: ref('End'),
      limit: COUNT,
    },
  );
}
