import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import { decodeMessage } from '../../src/dns/decode.ts';
import { encodeMessage } from '../../src/dns/encode.ts';
import { parseName, ROOT } from '../../src/dns/name.ts';
import { encodeRdata } from '../../src/dns/rdata/rdata.ts';
import { DEFAULT_OPTIONS } from '../../src/document/options.ts';
import { readResult } from '../../src/document/read-result.ts';
import type { Exchange } from '../../src/exchange/exchanged.ts';
import { parseRootHints } from '../../src/explore/root-hints.ts';
import { replay, withNodeCrypto } from '../../src/traversal/node-replay.ts';
import { orderOf } from '../../src/traversal/threads/evaluation-order.ts';
import { orderedIn } from '../../src/traversal/threads/evaluation-worker.ts';
import { recordTraversal } from '../../src/traversal/traverse.ts';
import { ALL_VIEWS, demoResult } from '../lab/demo-result.ts';

const SERVERS = 8;
const RECORDS = 4_000;
const NAME = parseName('www.example');
const QUESTION = { name: NAME, type: 'A' };

function collected(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage().heapUsed;
}

/** Every server answers with thousands of addresses that no other gives. */
function message(server: number): Uint8Array {
  const answer = Array.from({ length: RECORDS }, (_, at) => {
    const rdata = encodeRdata('A', `198.${server}.${at >> 8}.${at & 255}`, ROOT);
    return { name: NAME, type: 'A', ttl: 60, rdata };
  });
  const questions = [{ ...QUESTION, nameAsSent: NAME, class: 'IN' }];
  return encodeMessage(
    { id: 1, flags: ['qr', 'aa'], rcode: 'NOERROR', questions, answer, authority: [], additional: [] },
    65_535,
  );
}

t.test('thousands of records are kept as the octets that were heard, not as objects', async (t) => {
  const messages = Array.from({ length: SERVERS }, (_, at) => message(at + 1));
  const heard = messages.reduce((sum, { length }) => sum + length, 0);
  const exchange: Exchange = async (query) => {
    const bytes = messages[Number(query.address.split('.').at(-1)) - 1];
    if (bytes === undefined) throw new Error('no such server');
    const { rcode, flags, answer, authority, additional } = decodeMessage(bytes);
    const outcome = { kind: 'reply', rcode, flags, rttMs: 1, bytes: bytes.length } as const;
    const traffic = { packetsSent: 1, packetsReceived: 1, bytesSent: 50, bytesReceived: bytes.length };
    const sections = { answer, authority, additional };
    return {
      ...query,
      outcome: { ...outcome, ...sections },
      transport: 'tcp',
      tries: [],
      elapsedMs: 1,
      traffic,
    };
  };
  const numbers = Array.from({ length: SERVERS }, (_, at) => at + 1);
  const hints = parseRootHints(
    numbers.map((n) => `. 3600 NS n${n}.root.\nn${n}.root. 3600 A 203.0.113.${n}\n`).join(''),
  );
  const options = {
    ...DEFAULT_OPTIONS,
    views: ['resolver'] as const,
    families: [4] as const,
    specialTargets: 'allowed' as const,
  };
  const before = collected();
  const { signal } = new AbortController();
  const { recording, circumstances } = await recordTraversal(
    { question: QUESTION, options, hints },
    { exchange, emit: () => {}, signal },
  );
  const saved = { recording, circumstances };
  t.equal(recording.exchanges.size, SERVERS);
  const explored = collected() - before;
  // As objects they take more than ten times the octets; other tests in this process may keep some meanwhile.
  t.ok(explored < 4 * heard, `${explored} octets of objects once ${heard} were heard`);
  const {
    views: {
      'first-tries': { outcomes },
    },
  } = replay(saved);
  t.equal(outcomes.length, SERVERS, 'and are there when they are needed');
  const order = orderOf({ kind: 'result' }, saved);
  t.ok(order.octets.length < 2 * heard, 'nor are they objects on the way to another thread');
  t.same(replay(orderedIn(order).saved).views['first-tries'].outcomes, outcomes);
});

t.test('signatures that one thread has checked are not checked in the next', async (t) => {
  const saved = withNodeCrypto(readResult(await demoResult('www.unsigned.example', 'A', ALL_VIEWS)));
  const result = replay(saved);
  const arrived = orderedIn(orderOf({ kind: 'result' }, saved)).saved;
  const found = () => arrived.recording.scope.dnssec?.validation?.checks.found.size ?? 0;
  const before = found();
  t.ok(before > 0, `${before} signatures`);
  t.same(replay(arrived), result);
  t.equal(found(), before);
});
