// Asks more questions at once than this process has descriptors for, and prints how they ended.
import { parseName } from '../../src/dns/name.ts';
import { type Attempt, attempt } from '../../src/exchange/attempt.ts';
import { systemRandom } from '../../src/exchange/compose.ts';
import { openUdp } from '../../src/exchange/udp.ts';

const QUESTIONS = 40;
/** Between two looks more time passes than anybody waits for descriptors. */
const STEP_MS = 60_000;

let now = 0;
const clock = {
  now: () => {
    now += STEP_MS;
    return now;
  },
  after: (_ms: number, then: () => void) => {
    const timer = setTimeout(then, 50);
    return () => clearTimeout(timer);
  },
};
const expected = {
  id: 1,
  sent: new Uint8Array(20),
  name: parseName('a'),
  type: 'A',
  class: 'IN',
  accept: 'any-case',
} as const;
const endpoint = { address: '127.0.0.1', port: 9 };
const sending = { endpoint, expected, timeoutMs: 1_000, clock, random: systemRandom };
const { signal } = new AbortController();
const ended = await Promise.all(
  Array.from({ length: QUESTIONS }, () => attempt(openUdp, sending, signal).then(tell)),
);
process.stdout.write([...new Set(ended)].sort().join());

function tell({ ending }: Attempt): string {
  return ending.kind === 'unreachable' ? ending.code : ending.kind;
}
