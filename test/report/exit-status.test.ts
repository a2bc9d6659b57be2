import t from 'tap';
import { parseName, ROOT } from '../../src/dns/name.ts';
import type { OutcomeRow } from '../../src/document/ends.ts';
import type { FailOn, Finding } from '../../src/document/finding.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import type { EndKind } from '../../src/evaluate/end.ts';
import {
  conclusionOf,
  exitStatus,
  statusIn,
  verdictRow,
  withoutResult,
} from '../../src/report/views/conclusion.ts';
import { EXIT_STATUS } from '../../src/report/views/status.ts';
import { savedResult } from './graph-results.ts';

type View = TraversalResult['views']['resolver'];
type Concluded = Parameters<typeof statusIn>[0];

const AT = {
  question: { name: parseName('www.example'), type: 'A' },
  zone: parseName('example'),
  server: null,
};
const CERTAIN = { probability: 1, fraction: '1' };

const ANSWER = view({ ...AT, ...CERTAIN, kind: 'answer', records: [], authoritative: true });
const NODATA = view({ ...AT, ...CERTAIN, kind: 'nodata' });
const NXDOMAIN = view({ ...AT, ...CERTAIN, kind: 'nxdomain' });
const SERVFAIL = view({ ...AT, ...CERTAIN, kind: 'servfail' });
const BLOCKED = view({ ...AT, ...CERTAIN, kind: 'blocked' });
const DIFFERENT: View = {
  outcomes: [...ANSWER.outcomes, ...NXDOMAIN.outcomes],
};

function view(outcome: OutcomeRow): View {
  return { outcomes: [outcome] };
}

function limited(kind: Extract<EndKind, `${string}-limit`>): View {
  return view({ ...AT, ...CERTAIN, kind, limit: 1 });
}

/** An end that a limit is only the cause of. */
function causedBy(kind: Extract<EndKind, `${string}-limit`>): View {
  const cause = { ...AT, kind, limit: 1 };
  return view({ ...AT, ...CERTAIN, kind: 'unresolvable-ns', nameserver: ROOT, cause });
}

/** A basis with the path view as members of its own, and the resolver view. */
type More = Partial<Omit<Concluded, 'views'> & View & { readonly resolver: View }>;

function result({ outcomes = ANSWER.outcomes, resolver = ANSWER, ...more }: More = {}): Concluded {
  return {
    ending: 'whole',
    views: { 'first-tries': { outcomes }, resolver },
    exchanges: [],
    findings: [],
    ...more,
  };
}

function finding(severity: Finding['severity'], code = 'NS_REFUSED'): Finding {
  return { id: 'f1', code, severity, message: 'It is wrong.', advice: 'Mend it.', causes: [], evidence: [] };
}

function exchange(failure?: 'timeout' | 'unreachable' | 'malformed'): TraversalResult['exchanges'][number] {
  return {
    id: 'x1',
    server: { address: '192.0.2.1', names: [] },
    question: AT.question,
    transport: 'udp',
    attempts: 1,
    elapsedMs: 1,
    tries: [],
    traffic: { packetsSent: 1, packetsReceived: 0, bytesSent: 40, bytesReceived: 0 },
    ...(failure === undefined ? {} : { failure }),
  };
}

const ROWS: readonly (readonly [what: string, more: More, status: 0 | 1 | 3])[] = [
  ['one answer', {}, 0],
  ['one NODATA', { ...NODATA, resolver: NODATA }, 0],
  ['one NXDOMAIN', { ...NXDOMAIN, resolver: NXDOMAIN }, 0],
  ['an answer in one view, none in the other', { resolver: SERVFAIL }, 1],
  ['no answer in either view', { ...SERVFAIL, resolver: SERVFAIL }, 1],
  ['answers that differ', DIFFERENT, 1],
  ['answers that differ for resolvers alone', { resolver: DIFFERENT }, 1],
  ['policy forbids to ask anything', { ...BLOCKED, resolver: BLOCKED }, 3],
  ['policy forbids to ask some', { resolver: BLOCKED }, 1],
  [
    'policy forbids to ask anything, and the zone is to blame',
    { ...BLOCKED, resolver: BLOCKED, findings: [finding('error')] },
    1,
  ],
  ['a critical finding', { findings: [finding('critical')] }, 1],
  ['an error', { findings: [finding('error')] }, 1],
  ['lesser findings', { findings: [finding('warning'), finding('notice'), finding('info')] }, 0],
  ['cancelled', { ending: 'cancelled' }, 3],
  ['interception', { findings: [finding('critical', 'PATH_INTERCEPTED')] }, 3],
  ['nothing heard', { exchanges: [exchange('timeout'), exchange('unreachable')] }, 3],
  ['something heard, if only garbage', { exchanges: [exchange('timeout'), exchange('malformed')] }, 0],
  ['the query limit', limited('query-limit'), 3],
  ['the time limit', limited('time-limit'), 3],
  ['the work limit', limited('work-limit'), 3],
  ['the depth limit', limited('depth-limit'), 3],
  ['a limit as a cause', causedBy('depth-limit'), 3],
  ['a limit in the resolver view', { resolver: limited('work-limit') }, 3],
  ['a limit and trouble', { ...limited('query-limit'), findings: [finding('error')] }, 3],
];

t.test('the exit status for a result', async (t) => {
  for (const [what, more, status] of ROWS) t.equal(EXIT_STATUS[statusIn(result(more))], status, what);
});

t.test('the exit status where findings decide', async (t) => {
  const rows: readonly (readonly [what: string, more: More, failOn: FailOn, status: 0 | 1 | 3])[] = [
    ['no finding, whatever paths end in', { ...SERVFAIL, resolver: SERVFAIL }, 'notice', 0],
    ['a lesser finding', { findings: [finding('error')] }, 'critical', 0],
    ['one just as severe', { findings: [finding('error')] }, 'error', 1],
    ['one that is worse', { findings: [finding('critical'), finding('info')] }, 'notice', 1],
    ['an info is never trouble', { findings: [finding('info')] }, 'notice', 0],
    ['a limit', { ...limited('query-limit'), findings: [finding('error')] }, 'warning', 3],
    ['interception', { findings: [finding('critical', 'PATH_INTERCEPTED')] }, 'critical', 3],
  ];
  for (const [what, more, failOn, status] of rows) {
    const { findings, ...basis } = result(more);
    const verdict = {
      status: 'ok',
      text: '',
      severity: 'info',
      exitStatus: EXIT_STATUS[statusIn({ findings, ...basis })],
    } as const;
    t.equal(exitStatus({ verdict, findings }, failOn), status, what);
  }
});

t.test('what a traversal comes to', async (t) => {
  const findings = [finding('error'), finding('info'), finding('error')];
  const saved = savedResult('healthy');
  const whole = { ...saved, ...result({ findings }), durationMs: 5 };
  t.same(conclusionOf({ ...whole, verdict: verdictRow(whole) }), {
    status: 'complete',
    verdict: {
      status: 'slow',
      text: 'all users get the answer, but it is wrong',
      severity: 'error',
      exitStatus: 1,
    },
    users: saved.users,
    limits: [],
    findings: { critical: 0, error: 2, warning: 0, notice: 0, info: 1 },
    durationMs: 5,
  });
  const cut = { ...saved, ...result({ ending: 'cancelled', ...limited('time-limit') }), durationMs: 5 };
  t.match(conclusionOf({ ...cut, verdict: verdictRow(cut) }), {
    status: 'cancelled',
    limits: ['time-limit'],
    verdict: { status: 'unknown', exitStatus: 3 },
  });
  t.match(withoutResult('failed', 7), { status: 'failed', verdict: undefined, durationMs: 7 });
});
