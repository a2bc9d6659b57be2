import type { TraversalBody } from '../../client/jobs.ts';
import type { Question } from '../../wire/question.ts';
import { namedFamilies } from '../flags/choose-families.ts';
import type { TraversalFlags } from '../flags/traversal-flags.ts';

/** What to ask a service for: the question, and the options that the command line names. */
export function requestBody({ name, type }: Question, flags: TraversalFlags): TraversalBody {
  const options = {
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
  return { name, type, options };
}

/** The option of the command line that an option of the API comes from, by its pointer. */
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
