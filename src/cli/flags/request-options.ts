import type { RequestOptions } from '../../document/api/request.ts';
import { DEFAULT_OPTIONS, type TraversalOptions } from '../../options.ts';
import { namedFamilies } from './families.ts';
import type { TraversalFlags } from './traversal-flags.ts';

/** The options of a request to a service: those that the command line names. */
export function requestOptions(flags: TraversalFlags): RequestOptions {
  return given({
    families: familiesOf(flags),
    maxDepth: flags.maxDepth,
    maxQueries: flags.maxQueries,
    maxTimeMs: flags.maxTime,
    maxWork: flags.maxWork,
    timeoutMs: flags.timeout,
    retries: flags.retries,
    payloadSize: flags.payloadSize,
    edns: flags.edns ? undefined : 'off',
    nameCase: flags['0x20'] ? undefined : 'lower',
    transport: flags.tcp ? 'tcp' : undefined,
    check: flags.check,
    dnssec: flags.dnssec,
  });
}

/** The options of a request that is to be like an earlier traversal; the service decides on limits that were left to the defaults. */
export function requestOptionsLike(options: TraversalOptions): RequestOptions {
  const { families, check = false, dnssec = false } = options;
  const changed = <K extends keyof TraversalOptions>(option: K) =>
    options[option] === DEFAULT_OPTIONS[option] ? undefined : options[option];
  return given({
    families: families.length < DEFAULT_OPTIONS.families.length ? families : undefined,
    maxDepth: changed('maxDepth'),
    maxQueries: changed('maxQueries'),
    maxTimeMs: changed('maxTimeMs'),
    maxWork: changed('maxWork'),
    timeoutMs: changed('timeoutMs'),
    retries: changed('retries'),
    payloadSize: changed('payloadSize'),
    edns: changed('edns'),
    nameCase: changed('nameCase'),
    transport: changed('transport'),
    check,
    dnssec,
  });
}

/** The command line's word for a member of a request's body, by the member's pointer. */
export const FLAG_OF: Readonly<Record<string, string>> = {
  '/name': 'NAME',
  '/type': 'TYPE',
  '/options/families': '-4 or -6',
  '/options/maxDepth': '--max-depth',
  '/options/maxQueries': '--max-queries',
  '/options/maxTimeMs': '--max-time',
  '/options/maxWork': '--max-work',
  '/options/timeoutMs': '--timeout',
  '/options/retries': '--retries',
  '/options/payloadSize': '--payload-size',
  '/options/edns': '--no-edns',
  '/options/nameCase': '--no-0x20',
  '/options/transport': '--tcp',
  '/options/check': '--check',
  '/options/dnssec': '--dnssec',
} satisfies Partial<Record<Member, string>>;

type Member = '/name' | '/type' | `/options/${keyof RequestOptions}`;

function familiesOf(flags: TraversalFlags) {
  const named = namedFamilies(flags);
  return named.length > 0 ? named : undefined;
}

/** Those that have a value. The compiler cannot tell that each keeps its own. */
function given(
  options: { readonly [K in keyof RequestOptions]: RequestOptions[K] | undefined },
): RequestOptions {
  const named: readonly (readonly unknown[])[] = Object.entries(options).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(named);
}
