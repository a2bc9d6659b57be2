import { parseName } from '../../src/dns/name.ts';
import type { ExchangeEvent, JobEvent } from '../../src/document/events.ts';
import { DEFAULT_OPTIONS } from '../../src/document/options.ts';

/** What is particular about an exchange; all else does not matter. */
interface Told extends Partial<Pick<ExchangeEvent, 'class' | 'data' | 'rcode' | 'attempts' | 'transport'>> {
  readonly zone: string;
  readonly address: string;
  readonly names?: readonly string[];
  readonly question?: string;
  readonly target?: string;
  readonly referredTo?: string;
}

/** An event about `www.example.com A`, unless it asks something else. */
export function exchange({
  zone,
  address,
  names = [],
  question,
  target,
  referredTo,
  ...told
}: Told): ExchangeEvent {
  return {
    event: 'exchange',
    id: 'x1',
    server: { address, names: names.map(parseName) },
    question: { name: parseName(question ?? 'www.example.com'), type: 'A' },
    transport: 'udp',
    attempts: 1,
    elapsedMs: 7,
    zone: parseName(zone),
    class: 'answer',
    ...told,
    ...(target === undefined ? {} : { target: parseName(target) }),
    ...(referredTo === undefined ? {} : { referredTo: parseName(referredTo) }),
  };
}

/** The beginning of a traversal of `www.example.com A`. */
export const STARTED: Extract<JobEvent, { readonly event: 'started' }> = {
  event: 'started',
  query: { name: parseName('www.example.com'), type: 'A', class: 'IN' },
  options: DEFAULT_OPTIONS,
  startedAt: '2026-01-01T00:00:00.000Z',
};

/** Some exchanges have ended, and some have not. */
export const HALFWAY = {
  event: 'progress',
  exchanges: 3,
  pending: 2,
  elapsedMs: 1_234,
} as const satisfies JobEvent;

/** All paths have an answer. */
export const COMPLETE = {
  event: 'complete',
  status: 'complete',
  verdict: { status: 'ok', text: 'all users get the answer', severity: 'info', exitStatus: 0 },
  limits: [],
  findings: { critical: 0, error: 0, warning: 0, notice: 0, info: 0 },
  durationMs: 2_000,
} as const satisfies JobEvent;
