import type { ExchangeOptions } from '../../src/exchange/exchange.ts';
import {
  altered,
  framed,
  GOOD,
  good,
  goodTcp,
  hasEdns,
  QUIET,
  replyTo,
  type TcpScript,
  truncated,
  type UdpScript,
} from './servers.ts';

/** A server's behaviour, and the exchange that results. */
export interface Case {
  /** Absent: silent. */
  readonly udp?: UdpScript;
  /** Absent: refused. */
  readonly tcp?: TcpScript;
  readonly options?: Partial<ExchangeOptions>;
  /** "transport EDNS case outcome", one each. */
  readonly tries: readonly string[];
  readonly outcome: string;
}

export const UDP_CASES: Readonly<Record<string, Case>> = {
  'a plain reply': { udp: good, tries: ['udp edns mixed reply NOERROR'], outcome: 'NOERROR 192.0.2.1' },
  'a reply to the second try': {
    udp: (query, n) => (n === 1 ? [QUIET] : good(query)),
    tries: ['udp edns mixed timeout', 'udp edns mixed reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
  silence: {
    tries: ['udp edns mixed timeout', 'udp edns mixed timeout', 'udp edns mixed timeout'],
    outcome: 'timeout',
  },
  'silence without retries': {
    options: { retries: 0 },
    tries: ['udp edns mixed timeout'],
    outcome: 'timeout',
  },
  'an error without a question': {
    udp: (query) => [replyTo(query, { rcode: 5, question: 'left-out' })],
    tries: ['udp edns mixed reply REFUSED'],
    outcome: 'REFUSED',
  },
  'FORMERR to EDNS, without a question': {
    udp: (query) => (hasEdns(query) ? [replyTo(query, { rcode: 1, question: 'left-out' })] : good(query)),
    tries: ['udp edns mixed reply FORMERR', 'udp plain mixed reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
  'NOTIMP to everything': {
    udp: (query) => [replyTo(query, { rcode: 4 })],
    tries: ['udp edns mixed reply NOTIMP', 'udp plain mixed reply NOTIMP'],
    outcome: 'NOTIMP',
  },
  'FORMERR to EDNS, then silence': {
    udp: (query) => (hasEdns(query) ? [replyTo(query, { rcode: 1 })] : [QUIET]),
    options: { retries: 1 },
    tries: ['udp edns mixed reply FORMERR', 'udp plain mixed timeout', 'udp plain mixed timeout'],
    outcome: 'timeout',
  },
  'FORMERR without EDNS asked for': {
    udp: (query) => [replyTo(query, { rcode: 1 })],
    options: { edns: 'off' },
    tries: ['udp plain mixed reply FORMERR'],
    outcome: 'FORMERR',
  },
  'a server that changes the case': {
    udp: (query) => [replyTo(query, { ...GOOD, question: 'lower-case' })],
    tries: ['udp edns mixed case-mismatch', 'udp edns lower reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
  'a changed case goes before what the reply says': {
    udp: (query) => [replyTo(query, { rcode: 1, question: 'lower-case' })],
    tries: ['udp edns mixed case-mismatch', 'udp edns lower reply FORMERR', 'udp plain lower reply FORMERR'],
    outcome: 'FORMERR',
  },
  'lower case from the start': {
    udp: (query) => [replyTo(query, { ...GOOD, question: 'lower-case' })],
    options: { nameCase: 'lower' },
    tries: ['udp edns lower reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
  'every fallback after the other': {
    udp: (query) => [
      replyTo(query, { truncated: !hasEdns(query), rcode: hasEdns(query) ? 1 : 0, question: 'lower-case' }),
    ],
    tcp: goodTcp,
    tries: [
      'udp edns mixed case-mismatch',
      'udp edns lower reply FORMERR',
      'udp plain lower reply NOERROR tc',
      'tcp plain lower reply NOERROR',
    ],
    outcome: 'NOERROR 192.0.2.1',
  },
};

export const TCP_CASES: Readonly<Record<string, Case>> = {
  'truncated over UDP': {
    udp: truncated,
    tcp: goodTcp,
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
  'a reply split into single octets': {
    udp: truncated,
    tcp: (socket, query) => {
      socket.setNoDelay(true);
      for (const octet of framed(replyTo(query, GOOD))) socket.write(Uint8Array.of(octet));
    },
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
  'truncated over TCP too': {
    udp: truncated,
    tcp: (socket, query) => socket.write(framed(replyTo(query, { truncated: true }))),
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed reply NOERROR tc'],
    outcome: 'malformed (truncated over TCP)',
  },
  'TCP refused': {
    udp: truncated,
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed unreachable ECONNREFUSED'],
    outcome: 'unreachable (ECONNREFUSED)',
  },
  'TCP reset': {
    udp: truncated,
    tcp: (socket) => socket.resetAndDestroy(),
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed unreachable ECONNRESET'],
    outcome: 'unreachable (ECONNRESET)',
  },
  'TCP closed in the middle of the reply': {
    udp: truncated,
    tcp: (socket, query) => socket.end(framed(replyTo(query, GOOD)).subarray(0, 20)),
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed closed'],
    outcome: 'timeout (closed before a whole reply)',
  },
  'TCP accepted and silent: one try': {
    udp: truncated,
    tcp: () => QUIET,
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed timeout'],
    outcome: 'timeout',
  },
  'TCP silent in the middle of the reply': {
    udp: truncated,
    tcp: (socket, query) => {
      socket.write(framed(replyTo(query, GOOD)).subarray(0, 20));
      return QUIET;
    },
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed timeout'],
    outcome: 'timeout',
  },
  'a message to somebody else first': {
    udp: truncated,
    tcp: (socket, query) => {
      const reply = replyTo(query, GOOD);
      socket.write(Buffer.concat([framed(altered(reply, 0, (octet) => octet + 1)), framed(reply)]));
    },
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
  'a flood of empty messages': {
    udp: truncated,
    tcp: (socket) => socket.write(Buffer.alloc(1_000_000)),
    tries: ['udp edns mixed reply NOERROR tc', 'tcp edns mixed closed'],
    outcome: 'timeout (closed before a whole reply)',
  },
  'TCP from the start': {
    tcp: goodTcp,
    options: { transport: 'tcp' },
    tries: ['tcp edns mixed reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
  'TCP from the start, closed without a word twice': {
    tcp: (socket, query, n) => (n < 3 ? socket.end() : socket.write(framed(replyTo(query, GOOD)))),
    options: { transport: 'tcp' },
    tries: ['tcp edns mixed closed', 'tcp edns mixed closed', 'tcp edns mixed reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
  'TCP from the start, every fallback': {
    tcp: (socket, query) =>
      socket.write(
        framed(replyTo(query, { ...GOOD, rcode: hasEdns(query) ? 1 : 0, question: 'lower-case' })),
      ),
    options: { transport: 'tcp' },
    tries: ['tcp edns mixed case-mismatch', 'tcp edns lower reply FORMERR', 'tcp plain lower reply NOERROR'],
    outcome: 'NOERROR 192.0.2.1',
  },
};
