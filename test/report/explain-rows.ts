import type { End, EndKind } from '../../src/evaluate/end.ts';
import { ONE, share } from '../../src/evaluate/fraction.ts';
import type { Scene } from '../../src/report/explain/scene.ts';
import { parseName } from '../../src/wire/name.ts';
import { AT, answer, LOOKUP, NOBODY, NS, SERVER } from './explain-scene.ts';

/** An end, and what its explanation says. */
export interface Row {
  readonly end: End;
  readonly scene?: Partial<Scene>;
  readonly means: RegExp;
  /** Who is to do something, in order; none where nothing is wrong. */
  readonly who: readonly string[];
  readonly what?: RegExp;
}

const OPERATOR = 'the operator of ns1.host.test';
const OWNER = 'the owner of shop.example';

/** Each kind has at least one row: a new kind does not compile here. */
export const ROWS: Readonly<Record<EndKind, readonly Row[]>> = {
  answer: [
    { end: answer('198.51.100.1'), means: /^Users get 198\.51\.100\.1\. There is nothing to do\.$/, who: [] },
    {
      end: answer('192.0.2.9'),
      scene: { differs: () => true },
      means:
        /Only those get this whose resolver picks ns1\.host\.test \(192\.0\.2\.1\); most get 198\.51\.100\.1/,
      who: [OWNER, OPERATOR],
      what: /same version of the zone/,
    },
    {
      end: answer('192.0.2.9'),
      scene: { differs: () => true, usual: [], rivalAbove: () => parseName('example') },
      means: /nothing tells which is right/,
      who: ['the registry of example'],
      what: /some of them do not delegate shop\.example/,
    },
    {
      end: answer('198.51.100.1', false),
      means: /^Users get 198\.51\.100\.1\.$/,
      who: [OPERATOR],
      what: /no AA bit/,
    },
  ],
  nodata: [
    { end: { kind: 'nodata', ...AT }, means: /www\.shop\.example exists and has no A record/, who: [OWNER] },
  ],
  nxdomain: [
    {
      end: { kind: 'nxdomain', ...AT },
      scene: { agreed: true },
      means: /no such name as www\.shop\.example\. All paths end so/,
      who: [OWNER],
    },
    {
      end: { kind: 'nxdomain', ...AT },
      scene: { query: { name: parseName('www.alias.example'), type: 'A' } },
      means: /www\.alias\.example is an alias of www\.shop\.example/,
      who: ['the owner of www.alias.example'],
      what: /correct the alias/,
    },
  ],
  timeout: [
    {
      end: { kind: 'timeout', ...AT },
      means: /ns1\.host\.test \(192\.0\.2\.1\) did not reply .* goes on with another server/,
      who: [OPERATOR, OWNER],
      what: /port 53.*remove the server from the delegation/s,
    },
    {
      end: { kind: 'timeout', ...AT, server: { ...SERVER, address: '2001:db8::1' } },
      means: /2001:db8::1/,
      who: [OPERATOR, OWNER, 'you'],
      what: /IPv6 works from here/,
    },
    {
      end: { kind: 'timeout', ...AT },
      scene: { lostAt: () => ONE },
      means: /No other server of shop\.example helps: all users get an error/,
      who: [OPERATOR, OWNER],
    },
    {
      end: { kind: 'timeout', ...AT },
      scene: { lostAt: () => share(4) },
      means: /users get an error \(SERVFAIL\): 25 % \(1\/4\) of them/,
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
      scene: { tooLargeForUdp: () => true },
      means: /cannot be reached over TCP, which a reply of this size takes: /,
      who: [OPERATOR, OWNER],
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
      means: /error REFUSED: most often the zone was never set up there/,
      who: [OPERATOR, OWNER],
      what: /set shop\.example up there/,
    },
    {
      end: { kind: 'error', rcode: 'SERVFAIL', ...AT },
      means: /not loaded, or expired/,
      who: [OPERATOR, OWNER],
      what: /server's log/,
    },
    { end: { kind: 'error', rcode: 'RCODE17', ...AT }, means: /error RCODE17/, who: [OPERATOR, OWNER] },
  ],
  lame: (['upward', 'self', 'sideways', 'empty'] as const).map((reason) => ({
    end: { kind: 'lame', reason, ...(reason === 'empty' ? {} : { referredTo: parseName('.') }), ...AT },
    means: {
      upward: /back up, to the root/,
      self: /very same zone/,
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
  ],
  'alias-loop': [
    {
      end: { kind: 'alias-loop', target: parseName('a.example'), ...AT },
      means: /whoever looks up www\.shop\.example comes back to a\.example/,
      who: [`${OWNER} or of another zone in the circle`],
    },
  ],
  'no-glue': [
    {
      end: { kind: 'no-glue', nameserver: parseName('ns2.shop.example'), ...NOBODY },
      means:
        /ns2\.shop\.example is a name server of shop\.example and lies inside it.* example does not send it/,
      who: [OWNER],
      what: /to the registrar as host records, so that example sends them along/,
    },
    {
      end: { kind: 'no-glue', nameserver: NS, cause: { kind: 'timeout', ...LOOKUP }, ...NOBODY },
      means: /Asking for it nonetheless failed: timeout: no reply \(ns2\.host\.test, at host\.test\)/,
      who: [OWNER],
    },
  ],
  'unresolvable-ns': [
    {
      end: { kind: 'unresolvable-ns', nameserver: NS, cause: { kind: 'nxdomain', ...LOOKUP }, ...NOBODY },
      means: /The address of ns2\.host\.test, a name server of shop\.example, is not to be found: NXDOMAIN/,
      who: [OWNER, 'the owner of host.test'],
      what: /if nobody has registered its domain, anybody can/,
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
      means: /one has to know it already \(the search comes back to ns2\.host\.test\)/,
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
      means: /was not found out\. The traversal was to ask no more than 9 questions/,
      who: ['you'],
      what: /--max-queries/,
    },
  ],
  loop: [
    {
      end: { kind: 'loop', nameserver: NS, ...NOBODY },
      means: /address of ns2\.host\.test, one has to know it already/,
      who: ['the owners of the zones'],
    },
  ],
  blocked: [
    {
      end: { kind: 'blocked', ...AT },
      means: /was not asked/,
      who: [OWNER, 'you'],
      what: /--allow-special-targets/,
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
      means: /more than 9 questions/,
      who: ['you'],
      what: /--max-queries/,
    },
  ],
  'time-limit': [
    {
      end: { kind: 'time-limit', limit: 9, ...AT },
      means: /time was over/,
      who: ['you'],
      what: /--max-time/,
    },
  ],
  'work-limit': [
    {
      end: { kind: 'work-limit', limit: 9, ...AT },
      means: /after 9 steps/,
      who: ['you'],
      what: /--max-depth/,
    },
  ],
  pending: [{ end: { kind: 'pending', ...AT }, means: /not done/, who: ['you'] }],
};
