/* The options of a traversal, with their limits and defaults. */

import { keysOf, type Limit, OPTION_LIMITS, type OptionHeading, type Reach } from '../base/limits.ts';
import { described, named, type Of, readShape, type Shape } from '../base/shape.ts';
import { fieldsNamed, isRecord, object, optional, withDefaults } from '../base/shape-object.ts';
import { BOOLEAN, integer, list, matching, oneOf, someOf, TEXT, TIME } from '../base/shape-values.ts';
import { IANA_TRUST_ANCHORS } from '../dns/dnssec/trust-anchors.ts';
import { CHOSEN_VIEWS, type ChosenView, QUICK_VIEWS } from '../evaluate/views.ts';
import { PROFILE_NAMES } from '../explore/profiles/profiles.ts';

/** How the command line sets an option. */
export type OptionFlag =
  /** With a number or a duration, within a limit. */
  | { readonly kind: 'limit'; readonly spelling: string; readonly limit: Limit }
  /** The flag stands for one value. */
  | { readonly kind: 'value'; readonly spelling: string; readonly value: unknown; readonly help: string }
  /** Values of which several can be given. */
  | { readonly kind: 'items'; readonly spelling: string; readonly value: string; readonly help: string }
  /** Some of a few names, between commas, or a word for every name or for none. */
  | {
      readonly kind: 'names';
      readonly spelling: string;
      readonly names: readonly string[];
      readonly every: 'all' | 'none';
      readonly help: string;
    }
  /** A flag for each IP version. */
  | { readonly kind: 'families'; readonly spelling: string }
  /** The command line has code of its own for it. */
  | { readonly kind: 'own'; readonly spelling: string };

/** What the table says of an option beside its shape. */
interface OptionRow<R extends Reach = Reach> {
  readonly flag: OptionFlag;
  readonly heading: OptionHeading;
  readonly reach: R;
  /** Why requests to a service cannot set it, if not because its operator does. */
  readonly why?: string;
  /** Absent: the option is, unless somebody sets it. */
  readonly default?: unknown;
}

type LimitFields = {
  readonly [K in keyof typeof OPTION_LIMITS]: Shape<number> & OptionRow<(typeof OPTION_LIMITS)[K]['reach']>;
};

const limits = fieldsNamed<LimitFields>(keysOf(OPTION_LIMITS), (name) => {
  const { least, most, meaning, heading, reach, flag, default: usual } = OPTION_LIMITS[name];
  const shape = described(integer(least, most), meaning);
  const limit = { kind: 'limit', spelling: flag, limit: OPTION_LIMITS[name] } as const;
  return { ...shape, flag: limit, heading, reach, default: usual };
});

/** An item of `expect`. */
const ITEM = matching(/^.{1,1000}$/, 'an address, a prefix, a name, record data, "nxdomain" or "nodata"');

/** The items of `expect`. */
export const EXPECTED_ITEMS = list(ITEM);

const EXPECT_MEANING =
  'Addresses, prefixes, names, record data, "nxdomain" or "nodata": an answer is expected if each of its records matches an item, or any record matches an item that begins with "+". A finding reports any other answer that users get.';

/** The code of a finding. */
const CODE = matching(/^[A-Z][A-Z0-9_]{0,62}$/, 'the code of a finding, such as NS_COUNT_LOW');

/**
 * Every option of a traversal, a row each: the shape of its value, what it is by default, how the command line spells
 * it and who may set it. Flags, the checks of requests and saved results, OpenAPI, the page's command line and
 * complaints follow from it. Options that are numbers are in `OPTION_LIMITS`.
 */
export const OPTION_FIELDS = {
  families: {
    ...described(someOf(4, 6), 'IP versions used to ask name servers.'),
    flag: { kind: 'families', spelling: '-4 or -6' },
    heading: 'how-to-ask',
    reach: 'request',
    default: [4, 6],
  },
  ...limits,
  /** Only a service has one by default. */
  maxPackets: { ...optional(limits.maxPackets), ...rowOf(limits.maxPackets) },
  edns: {
    ...described(oneOf('on', 'off'), 'Whether queries carry EDNS (RFC 6891).'),
    flag: { kind: 'value', spelling: '--no-edns', value: 'off', help: 'ask without EDNS0' },
    heading: 'how-to-ask',
    reach: 'request',
    default: 'on',
  },
  nameCase: {
    ...described(oneOf('mixed', 'lower'), 'Case of the names asked: random (0x20) or lower.'),
    flag: {
      kind: 'value',
      spelling: '--no-0x20',
      value: 'lower',
      help: 'do not mix upper and lower case in the names asked for',
    },
    heading: 'how-to-ask',
    reach: 'request',
    default: 'mixed',
  },
  transport: {
    ...oneOf('udp-then-tcp', 'tcp'),
    flag: { kind: 'value', spelling: '--tcp', value: 'tcp', help: 'ask over TCP only' },
    heading: 'how-to-ask',
    reach: 'request',
    default: 'udp-then-tcp',
  },
  specialTargets: {
    ...described(oneOf('blocked', 'allowed'), 'Whether addresses that are not globally reachable are asked.'),
    flag: {
      kind: 'value',
      spelling: '--allow-special-targets',
      value: 'allowed',
      help: 'also ask private, loopback and other special-purpose addresses',
    },
    heading: 'how-to-ask',
    reach: 'operator',
    default: 'blocked',
  },
  views: {
    ...optional(
      described(
        list(oneOf(...CHOSEN_VIEWS)),
        'The views to make; those of the cold walk, "first-tries" and "resolver", are always made. The default is all.',
      ),
    ),
    flag: {
      kind: 'names',
      spelling: '--views',
      names: CHOSEN_VIEWS,
      every: 'all',
      help: `make only these views, some of ${CHOSEN_VIEWS.join(', ')} (default: all)`,
    },
    heading: 'how-far',
    reach: 'request',
  },
  profiles: {
    ...optional(
      described(
        list(oneOf(...PROFILE_NAMES)),
        'The resolver products for whose users outcomes are computed. The default is all of them, and none if `views` lacks "profiles".',
      ),
    ),
    flag: {
      kind: 'names',
      spelling: '--profiles',
      names: PROFILE_NAMES,
      every: 'none',
      help: 'show what users of these resolver products get (see svc help profiles), or none',
    },
    heading: 'how-far',
    reach: 'request',
  },
  check: {
    ...optional(
      described(
        BOOLEAN,
        'Whether every server is asked about its zones and probed, to find further faults. The warm view is made, too.',
      ),
    ),
    flag: {
      kind: 'value',
      spelling: '--check',
      value: true,
      help: "ask every server for NS, SOA, CDS and name servers' addresses, and probe it",
    },
    heading: 'how-far',
    reach: 'request',
  },
  at: {
    ...optional(
      described(TIME, 'The time as of which signatures are validated; absent: the start of the traversal.'),
    ),
    flag: { kind: 'own', spelling: '--at' },
    heading: 'how-far',
    reach: 'one-name',
    why: 'which validates signatures as of now',
  },
  trustAnchors: {
    ...optional(
      described(
        list(described(TEXT, 'In zone-file presentation format.')),
        'The DS and DNSKEY records of the root that are the trust anchors; absent: the built-in trust anchors, which need the built-in root hints.',
      ),
    ),
    flag: { kind: 'own', spelling: '--trust-anchor' },
    heading: 'how-far',
    reach: 'operator',
  },
  expect: {
    ...optional(described(EXPECTED_ITEMS, EXPECT_MEANING)),
    flag: {
      kind: 'items',
      spelling: '--expect',
      value: 'item',
      help: 'expect this address, prefix, name, record data, nxdomain or nodata; repeatable (+ITEM: a single matching record is enough)',
    },
    heading: 'how-far',
    reach: 'request',
  },
  ignore: {
    ...optional(described(list(CODE), 'Codes of findings that are neither shown nor counted.')),
    flag: {
      kind: 'items',
      spelling: '--ignore',
      value: 'code,...',
      help: 'ignore findings with these codes',
    },
    heading: 'how-far',
    reach: 'request',
  },
  configured: {
    ...optional(
      described(TEXT, "The pattern of the user's configuration file that gave `expect` or `ignore`."),
    ),
    flag: { kind: 'own', spelling: '--config' },
    heading: 'how-far',
    reach: 'one-name',
  },
  share: {
    ...optional(
      described(
        oneOf(true),
        'Replies stand for the same questions of other names of the run, as in a cache.',
      ),
    ),
    flag: { kind: 'own', spelling: '--share' },
    heading: 'how-far',
    reach: 'many-names',
  },
} as const satisfies Readonly<Record<string, OptionRow>>;

const DEFAULTS = Object.fromEntries(
  Object.entries<OptionRow>(OPTION_FIELDS).map(([name, row]) => [name, row.default]),
);

/** What a result lists as its `options`. An option that an earlier version did not have has its default. */
export const OPTIONS = named('Options', withViews(withDefaults(object(OPTION_FIELDS), DEFAULTS)));

/** Results of schema 2 have a switch for each view; the earliest do not say which they leave out. */
function withViews<T>(own: Shape<T>): Shape<T> {
  const read: Shape<T>['read'] = (value, pointer, note) =>
    own.read(
      isRecord(value) && !('views' in value) ? { ...value, ...viewsBefore(value) } : value,
      pointer,
      note,
    );
  return { ...own, read };
}

function viewsBefore(older: Readonly<Record<string, unknown>>) {
  const { quick, check, warm, dnssec, profiles, trustAnchors = IANA_TRUST_ANCHORS } = older;
  if (quick === undefined && warm === undefined && !dnssec) return {};
  const made: Readonly<Record<ChosenView, unknown>> = {
    'first-tries': true,
    resolver: true,
    warm: warm ?? check,
    validating: dnssec,
    profiles: Array.isArray(profiles) && profiles.length > 0,
  };
  return { views: CHOSEN_VIEWS.filter((view) => made[view]), ...(dnssec === true && { trustAnchors }) };
}

/** Whether only the cold walk is asked for. */
export function isQuick({ views = CHOSEN_VIEWS }: Pick<TraversalOptions, 'views'>): boolean {
  return views.every((view) => QUICK_VIEWS.includes(view));
}

/** The options of a traversal. */
export type TraversalOptions = Of<typeof OPTIONS>;

/** The name of an option, as the JSON documents have it. */
export type OptionName = keyof TraversalOptions;

/** The names of the options that requests to a service can set. */
export type RequestOption = {
  [K in OptionName]: (typeof OPTION_FIELDS)[K]['reach'] extends 'request' ? K : never;
}[OptionName];

/** The names of all options, in the order of documents. */
export const OPTION_NAMES: readonly OptionName[] = keysOf(OPTION_FIELDS);

/** The options that requests to a service can set. */
export const REQUEST_OPTIONS: readonly RequestOption[] = OPTION_NAMES.filter(isRequestOption);

/** The row of an option. */
export function optionRow(name: OptionName): OptionRow {
  return OPTION_FIELDS[name];
}

/** The options that apply unless changed. */
export const DEFAULT_OPTIONS: TraversalOptions = readShape(OPTIONS, {});

/**
 * The default options, some of them changed. Safer than a changed copy of `DEFAULT_OPTIONS`, in which
 * TypeScript takes `specialTargets: 'allowed'` for any string.
 */
export function traversalOptions(changed: Partial<TraversalOptions>): TraversalOptions {
  return { ...DEFAULT_OPTIONS, ...changed };
}

/** Those of some members that have a value. */
export function definedMembers<T, K extends keyof T>(
  from: T,
  names: readonly K[],
): { readonly [N in K]?: NonNullable<T[N]> } {
  const defined: { [N in K]?: NonNullable<T[N]> } = {};
  for (const name of names) {
    const value = from[name];
    if (value !== undefined && value !== null) defined[name] = value;
  }
  return defined;
}

function isRequestOption(name: OptionName): name is RequestOption {
  return optionRow(name).reach === 'request';
}

/** The row of an option that is optional: it has no default. */
function rowOf<R extends Reach>({ flag, heading, reach }: OptionRow<R>): OptionRow<R> {
  return { flag, heading, reach };
}
