import { LIMITS, type LimitName } from './limits.ts';
import { list, someOf } from './shape/list.ts';
import { object, optional } from './shape/object.ts';
import { described, named } from './shape/schema.ts';
import type { Of, Shape } from './shape/shape.ts';
import { BOOLEAN, integer, oneOf, TEXT, TIME } from './shape/values.ts';

/** The option `check`. */
export const CHECK = described(
  BOOLEAN,
  "Whether the zones' own name servers are walked too, and what else findings need is asked.",
);

/** The option `dnssec`. */
export const DNSSEC = described(
  BOOLEAN,
  "Whether signatures are asked for, and what a validating resolver's users get is told too.",
);

/** Every option of a traversal that has an effect on it. */
export const OPTION_FIELDS = {
  families: described(someOf(4, 6), 'IP versions used to ask name servers.'),
  maxDepth: limited('maxDepth'),
  maxQueries: limited('maxQueries'),
  maxTimeMs: limited('maxTimeMs'),
  maxWork: limited('maxWork'),
  maxPackets: optional(limited('maxPackets')),
  timeoutMs: limited('timeoutMs'),
  retries: limited('retries'),
  rate: limited('rate'),
  port: limited('port'),
  payloadSize: limited('payloadSize'),
  edns: described(oneOf('on', 'off'), 'Whether queries carry EDNS (RFC 6891).'),
  nameCase: described(oneOf('mixed', 'lower'), 'Case of the names asked: random (0x20) or lower.'),
  transport: oneOf('udp-then-tcp', 'tcp'),
  specialTargets: described(
    oneOf('blocked', 'allowed'),
    'Whether addresses that are not globally reachable are asked.',
  ),
  check: optional(CHECK),
  dnssec: optional(DNSSEC),
  at: optional(
    described(TIME, 'The time at which signatures are judged; absent: when the traversal was started.'),
  ),
  trustAnchors: optional(
    described(
      list(described(TEXT, 'In zone-file presentation format.')),
      'With `dnssec`: the DS and DNSKEY records of the root that validating begins with; absent: those built in.',
    ),
  ),
  shareReferrals: optional(
    described(
      oneOf(true),
      'Referrals by servers of the root and of top-level domains stand for all names below the same zone cut.',
    ),
  ),
};

/** What a result lists as its `options`. */
export const OPTIONS = named('Options', object(OPTION_FIELDS));

/** The options of a traversal. */
export type TraversalOptions = Of<typeof OPTIONS>;

/** The options that apply unless changed. */
export const DEFAULT_OPTIONS: TraversalOptions = {
  families: [4, 6],
  maxDepth: LIMITS.maxDepth.default,
  maxQueries: LIMITS.maxQueries.default,
  maxTimeMs: LIMITS.maxTimeMs.default,
  maxWork: LIMITS.maxWork.default,
  timeoutMs: LIMITS.timeoutMs.default,
  retries: LIMITS.retries.default,
  rate: LIMITS.rate.default,
  port: LIMITS.port.default,
  payloadSize: LIMITS.payloadSize.default,
  edns: 'on',
  nameCase: 'mixed',
  transport: 'udp-then-tcp',
  specialTargets: 'blocked',
};

/**
 * The default options, some of them changed. Safer than a changed copy of `DEFAULT_OPTIONS`, in which
 * TypeScript takes `specialTargets: 'allowed'` for any string.
 */
export function traversalOptions(changed: Partial<TraversalOptions>): TraversalOptions {
  return { ...DEFAULT_OPTIONS, ...changed };
}

function limited(name: LimitName): Shape<number> {
  const { least, most, meaning } = LIMITS[name];
  return described(integer(least, most), meaning);
}
