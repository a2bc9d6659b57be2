import { BOGUS_REASONS } from '../../src/dns/dnssec/reasons.ts';
import { parseName } from '../../src/dns/name.ts';
import { answerData } from '../../src/document/ends.ts';
import type { End, EndKind } from '../../src/evaluate/end.ts';
import { ONE, share, ZERO } from '../../src/evaluate/fraction.ts';
import type { ResultContext } from '../../src/report/advice.ts';
import type { DecidingServer } from '../../src/report/views/deciders.ts';
import { ownEffect } from '../../src/report/views/effects.ts';

const ZONE = parseName('shop.example');
const QUESTION = { name: parseName('www.shop.example'), type: 'A' };
export const SERVER = { name: parseName('ns1.host.test'), address: '192.0.2.1' };
export const AT = { question: QUESTION, zone: ZONE, server: SERVER };
const NOBODY = { question: QUESTION, zone: ZONE, server: null };
export const NS = parseName('ns2.host.test');
const LOOKUP = { question: { name: NS, type: 'A' }, zone: parseName('host.test'), server: null };

/** A result of which nothing else is known. */
export const SCENE: ResultContext = {
  query: QUESTION,
  parentsOf: () => [parseName('example')],
  lostAt: () => ZERO,
  effectOf: ownEffect,
  usual: undefined,
  quote: (end) => answerData(end).join(', '),
  decidingServers: () => [],
  gainOf: () => undefined,
  isFound: () => false,
  isFoundIn: () => false,
  addressesOf: () => [],
  tooLargeForUdp: () => false,
  bogusServers: () => [],
  isHeardOver: () => true,
};

function answer(data: string, authoritative = true): End {
  const records = [{ name: QUESTION.name, type: 'A', ttl: 300, data }];
  return { kind: 'answer', records, authoritative, ...AT };
}

/** An end, and what its explanation says. */
interface Row {
  readonly end: End;
  readonly context?: Partial<ResultContext>;
  readonly means: RegExp;
  /** Who is to do something, in order; none where nothing is wrong. */
  readonly who: readonly string[];
  readonly what?: RegExp;
}

const GAIN = { path: share(8), resolver: share(4), failing: SERVER };

function decider(zone: string, how: DecidingServer['how']): DecidingServer {
  return { ...SERVER, zone: parseName(zone), how };
}

const OPERATOR = 'the operator of ns1.host.test';
const OWNER = 'the owner of shop.example';

/** Each kind has at least one row: a new kind does not compile here. */
export const ROWS: Readonly<Record<EndKind, readonly Row[]>> = {
  answer: [
    {
      end: answer('198.51.100.1'),
      means: /^$/,
      who: [],
    },
    {
      end: answer('192.0.2.9'),
      context: { effectOf: () => 'differs', decidingServers: () => [decider('shop.example', 'answers')] },
      means: /^Only ns1\.host\.test \(192\.0\.2\.1\) says so\.$/,
      who: [],
    },
    {
      end: answer('192.0.2.9'),
      context: { effectOf: () => 'differs', decidingServers: () => [decider('example', 'leads-on')] },
      means: /Only ns1\.host\.test \(192\.0\.2\.1\), a server of example, leads there\.$/,
      who: [],
    },
    {
      end: answer('192.0.2.9'),
      context: { effectOf: () => 'differs', gainOf: () => GAIN },
      means:
        /25 % instead of 12\.5 %: when ns1\.host\.test \(192\.0\.2\.1\) fails, it tries the other addresses of that name before other names\.$/,
      who: [],
    },
    {
      end: answer('198.51.100.1', false),
      means: /^$/,
      who: [OPERATOR],
      what: /no AA bit/,
    },
  ],
  nodata: [
    { end: { kind: 'nodata', ...AT }, means: /www\.shop\.example exists but has no A record/, who: [OWNER] },
  ],
  nxdomain: [
    {
      end: { kind: 'nxdomain', ...AT },
      means: /www\.shop\.example does not exist\.$/,
      who: [OWNER],
    },
    {
      end: { kind: 'nxdomain', ...AT },
      context: { query: { name: parseName('www.alias.example'), type: 'A' } },
      means: /www\.alias\.example is an alias of www\.shop\.example/,
      who: ['the owner of www.alias.example'],
      what: /correct the alias/,
    },
  ],
  timeout: [
    {
      end: { kind: 'timeout', ...AT },
      means: /ns1\.host\.test \(192\.0\.2\.1\) did not reply .* Resolvers move on to another server/,
      who: [OPERATOR, OWNER],
      what: /port 53.*should no longer serve shop\.example, remove it from the delegation \(at the registrar\)/s,
    },
    {
      end: { kind: 'timeout', ...AT },
      context: { isFound: (code) => code === 'NS_ADDR_NOT_GLOBAL' },
      means: /192\.0\.2\.1\) did not reply: the address is private/,
      who: [OWNER],
      what: /give ns1\.host\.test a public address, or remove it/,
    },
    {
      end: { kind: 'timeout', ...AT },
      context: { isFound: (code) => code === 'GLUE_MISMATCH', addressesOf: () => ['192.0.2.99'] },
      means: /192\.0\.2\.1\) did not reply/,
      who: [OWNER],
      what: /^correct the glue of ns1\.host\.test \(192\.0\.2\.1\) \(at the registrar\): the zone itself says 192\.0\.2\.99$/,
    },
    {
      end: { kind: 'timeout', ...AT, server: { ...SERVER, address: '2001:db8::1' } },
      context: { isFound: (code) => code === 'NS_V6_DEAD' },
      means: /2001:db8::1/,
      who: [OPERATOR],
      what: /repair IPv6 there/,
    },
    {
      end: { kind: 'timeout', ...AT, server: { ...SERVER, address: '2001:db8::1' } },
      means: /2001:db8::1/,
      who: [OPERATOR, OWNER],
    },
    {
      end: { kind: 'timeout', ...AT, server: { ...SERVER, address: '2001:db8::1' } },
      context: { isHeardOver: () => false },
      means: /2001:db8::1/,
      who: [OPERATOR, OWNER, 'you'],
      what: /IPv6 works from here/,
    },
    {
      end: { kind: 'timeout', ...AT },
      context: { lostAt: () => ONE },
      means: /No other server of shop\.example helps: every lookup fails/,
      who: [OPERATOR, OWNER],
    },
    {
      end: { kind: 'timeout', ...AT },
      context: { lostAt: () => share(4) },
      means: /lookups fail \(SERVFAIL\): 25 % \(1\/4\) of them/,
      who: [OPERATOR, OWNER],
    },
  ],
  unreachable: [
    {
      end: { kind: 'unreachable', ...AT },
      means: /cannot be reached/,
      who: [OPERATOR, OWNER],
      what: /port 53/,
    },
    {
      end: { kind: 'unreachable', ...AT },
      context: { tooLargeForUdp: () => true },
      means: /replied over UDP that the answer is too large for it, but cannot be reached over TCP\./,
      who: [OPERATOR],
      what: /let TCP through/,
    },
  ],
  malformed: [
    {
      end: { kind: 'malformed', ...AT },
      means: /broken or cut short/,
      who: [OPERATOR, OWNER],
      what: /software/,
    },
  ],
  error: [
    {
      end: { kind: 'error', rcode: 'REFUSED', ...AT },
      means: /REFUSED: usually the zone was never set up there/,
      who: [OPERATOR, OWNER],
      what: /set shop\.example up there/,
    },
    {
      end: {
        kind: 'error',
        rcode: 'REFUSED',
        ...AT,
        server: { ...SERVER, name: parseName('ns2.shop.example') },
      },
      means: /REFUSED/,
      who: [OWNER, 'the operator of ns2.shop.example', OWNER],
      what: /check the address of ns2\.shop\.example .*correct the glue.*if the address is right, set/s,
    },
    {
      end: { kind: 'error', rcode: 'SERVFAIL', ...AT },
      means: /not loaded, or has expired/,
      who: [OPERATOR, OWNER],
      what: /server's log/,
    },
    {
      end: { kind: 'error', rcode: 'RCODE17', ...AT },
      means: /replied with RCODE17/,
      who: [OPERATOR, OWNER],
    },
  ],
  lame: (['upward', 'self', 'sideways', 'empty'] as const).map((reason) => ({
    end: { kind: 'lame', reason, ...(reason === 'empty' ? {} : { referredTo: parseName('.') }), ...AT },
    means: {
      upward: /back up to the root/,
      self: /that same zone/,
      sideways: /not lead/,
      empty: /is empty/,
    }[reason],
    who: [OPERATOR, OWNER],
    what: /primary or a secondary/,
  })),
  servfail: [
    {
      end: { kind: 'servfail', ...NOBODY },
      means: /No name server of shop\.example/,
      who: [OWNER],
      what: /at least one/,
    },
    {
      end: { kind: 'servfail', ...NOBODY, cause: { kind: 'bogus', ...NOBODY, reason: 'expired' } },
      means: /No name server of shop\.example gives a reply that a validating resolver can use.*has expired/,
      who: [OWNER],
      what: /sign shop\.example again/,
    },
    {
      end: { kind: 'servfail', ...NOBODY, cause: { kind: 'timeout', ...NOBODY } },
      means: /No name server of shop\.example gives a usable reply \(timeout: no reply\)/,
      who: [OWNER],
    },
  ],
  bogus: BOGUS_REASONS.map((reason) => ({
    end: { kind: 'bogus', ...NOBODY, reason },
    means: /^What servers of shop\.example say about www\.shop\.example \(A\) does not verify: .*refuse it/,
    who: [OWNER],
  })),
  'alias-loop': [
    {
      end: { kind: 'alias-loop', target: parseName('a.example'), ...AT },
      means: /form a loop: looking up www\.shop\.example leads to a\.example again and again/,
      who: [`${OWNER} or of another zone in the loop`],
    },
  ],
  'no-glue': [
    {
      end: { kind: 'no-glue', nameserver: parseName('ns2.shop.example'), ...NOBODY },
      means:
        /ns2\.shop\.example is a name server of shop\.example and its name lies inside.* example does not send it/,
      who: [OWNER],
      what: /added as glue \(at the registrar, as host records\), so that example sends them along/,
    },
    {
      end: { kind: 'no-glue', nameserver: NS, cause: { kind: 'timeout', ...LOOKUP }, ...NOBODY },
      means: /Asking for it all the same failed: timeout: no reply \(ns2\.host\.test, at host\.test\)/,
      who: [OWNER],
    },
  ],
  'unresolvable-ns': [
    {
      end: { kind: 'unresolvable-ns', nameserver: NS, cause: { kind: 'nxdomain', ...LOOKUP }, ...NOBODY },
      means: /^ns2\.host\.test, a name server of shop\.example, cannot be resolved: NXDOMAIN/,
      who: [OWNER, 'the owner of host.test'],
      what: /if its domain is not registered, anyone can register it/,
    },
    {
      end: { kind: 'unresolvable-ns', nameserver: NS, cause: { kind: 'nodata', ...LOOKUP }, ...NOBODY },
      means: /NODATA/,
      who: [OWNER, 'the owner of host.test'],
      what: /address record/,
    },
    {
      end: {
        kind: 'unresolvable-ns',
        nameserver: NS,
        cause: { kind: 'loop', nameserver: NS, ...LOOKUP },
        ...NOBODY,
      },
      means: /cannot be resolved: its own address is needed to look it up\./,
      who: [OWNER, 'the owners of the zones'],
      what: /break the ring/,
    },
    {
      end: {
        kind: 'unresolvable-ns',
        nameserver: NS,
        cause: { kind: 'timeout', ...LOOKUP, server: SERVER },
        ...NOBODY,
      },
      means: /timeout: no reply \(ns2\.host\.test, at ns1\.host\.test \(192\.0\.2\.1\)\)/,
      who: [OWNER, OPERATOR, 'the owner of host.test'],
      what: /port 53/,
    },
    {
      end: {
        kind: 'unresolvable-ns',
        nameserver: NS,
        cause: { kind: 'query-limit', limit: 9, ...LOOKUP },
        ...NOBODY,
      },
      means: /could not be determined\. The traversal was limited to 9 questions/,
      who: ['you'],
      what: /--max-queries/,
    },
  ],
  loop: [
    {
      end: { kind: 'loop', nameserver: NS, ...NOBODY },
      means: /address of ns2\.host\.test is needed to look it up/,
      who: ['the owners of the zones'],
    },
  ],
  blocked: [
    {
      end: { kind: 'blocked', reason: 'special-purpose', ...AT },
      means: /was not asked: the address is private/,
      who: [OWNER, 'you'],
      what: /--allow-special-targets/,
    },
    {
      end: { kind: 'blocked', reason: 'denied', ...AT },
      means: /ns1\.host\.test \(192\.0\.2\.1\) was not asked about www\.shop\.example: the deny list/,
      who: ['you'],
      what: /from elsewhere/,
    },
  ],
  'depth-limit': [
    {
      end: { kind: 'depth-limit', limit: 30, ...NOBODY },
      means: /more than 30 referrals/,
      who: ['you', OWNER],
      what: /--max-depth/,
    },
  ],
  'query-limit': [
    {
      end: { kind: 'query-limit', limit: 9, ...AT },
      means: /limited to 9 questions, and this one was not asked/,
      who: ['you'],
      what: /--max-queries/,
    },
    {
      end: { kind: 'query-limit', limit: 900, unit: 'packets', ...AT },
      means: /limited to 900 packets, and this question was not asked/,
      who: ['you'],
      what: /--max-packets/,
    },
    {
      end: { kind: 'query-limit', limit: 524_288, unit: 'octets', ...AT },
      means: /limited to 512 KiB of large replies/,
      who: ['you'],
      what: /--max-depth/,
    },
  ],
  'time-limit': [
    {
      end: { kind: 'time-limit', limit: 9, ...AT },
      means: /limited to 9ms, and this was not answered in time/,
      who: ['you'],
      what: /--max-time/,
    },
    {
      end: { kind: 'time-limit', limit: 9, reason: 'cancelled', ...AT },
      means: /was cancelled before this was answered/,
      who: ['you'],
      what: /^let it run to its end$/,
    },
  ],
  'work-limit': [
    {
      end: { kind: 'work-limit', limit: 9, ...AT },
      means: /after 9 of them/,
      who: ['you'],
      what: /--max-depth/,
    },
  ],
};
