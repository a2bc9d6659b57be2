import { namedFamilies } from './families.ts';
import type { TraversalFlags } from './traversal-flags.ts';

/** The options of a request to a service: those that the command line names. */
export function requestOptions(flags: TraversalFlags): Readonly<Record<string, unknown>> {
  return {
    ...given('families', familiesOf(flags)),
    ...given('maxDepth', flags.maxDepth),
    ...given('maxQueries', flags.maxQueries),
    ...given('maxTimeMs', flags.maxTime),
    ...given('timeoutMs', flags.timeout),
    ...given('retries', flags.retries),
    ...given('payloadSize', flags.payloadSize),
    ...given('edns', flags.edns ? undefined : 'off'),
    ...given('nameCase', flags['0x20'] ? undefined : 'lower'),
    ...given('transport', flags.tcp ? 'tcp' : undefined),
  };
}

/** The command line's word for a member of a request's body, by the member's pointer. */
export const FLAG_OF: Readonly<Record<string, string>> = {
  '/name': 'NAME',
  '/type': 'TYPE',
  '/options/families': '-4 or -6',
  '/options/maxDepth': '--max-depth',
  '/options/maxQueries': '--max-queries',
  '/options/maxTimeMs': '--max-time',
  '/options/timeoutMs': '--timeout',
  '/options/retries': '--retries',
  '/options/payloadSize': '--payload-size',
  '/options/edns': '--no-edns',
  '/options/nameCase': '--no-0x20',
  '/options/transport': '--tcp',
};

function familiesOf(flags: TraversalFlags) {
  const named = namedFamilies(flags);
  return named.length > 0 ? named : undefined;
}

function given(member: string, value: unknown): Readonly<Record<string, unknown>> {
  return value === undefined ? {} : { [member]: value };
}
