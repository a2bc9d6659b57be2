/* The options that the form offers beside the question: their words, their texts in addresses, and what they request. */

import { keysOf } from '../../base/limits.ts';
import type { RequestOptions } from '../../document/api/request.ts';
import type { PageFacts } from '../../document/api/service-documents.ts';

/**
 * The options that the form offers, a row each, by their names in requests. Addresses of the page have the names of the
 * values. Of IP versions a request can only leave one out; any other option it can set either way.
 */
export const CHOICES = {
  check: {
    label: 'Checks',
    values: {
      on: { words: 'Thorough', options: { check: true } },
      off: { words: 'Delegation path only', options: { check: false } },
    },
  },
  dnssec: {
    label: 'Signatures (DNSSEC)',
    values: {
      on: { words: 'Validate', options: { dnssec: true } },
      off: { words: 'Ignore', options: { dnssec: false } },
    },
  },
  families: {
    label: 'Ask over',
    values: {
      both: { words: 'IPv4 and IPv6', options: { families: [4, 6] } },
      4: { words: 'IPv4 only', options: { families: [4] } },
      6: { words: 'IPv6 only', options: { families: [6] } },
    },
  },
  transport: {
    label: 'Transport',
    values: {
      udp: { words: 'UDP, then TCP', options: { transport: 'udp-then-tcp' } },
      tcp: { words: 'TCP only', options: { transport: 'tcp' } },
    },
  },
  edns: {
    label: 'EDNS',
    values: {
      on: { words: 'On', options: { edns: 'on' } },
      off: { words: 'Off', options: { edns: 'off' } },
    },
  },
} as const satisfies { readonly [K in keyof RequestOptions]?: ChoiceRow };

interface ChoiceRow {
  readonly label: string;
  readonly values: Readonly<Record<string, ChoiceValue>>;
}

interface ChoiceValue {
  readonly words: string;
  /** What a request for it sets: the option of the row. */
  readonly options: RequestOptions;
}

type ChoiceName = keyof typeof CHOICES;

/** The names of the options that the form offers. */
export const CHOICE_NAMES: readonly ChoiceName[] = keysOf(CHOICES);

/** The values chosen for options; for all others the service's defaults apply. */
export type RequestChoices = { readonly [K in ChoiceName]?: string };

/** The values that the form offers for an option: the service's default, then those that differ from it. */
export function offeredValues(
  name: ChoiceName,
  usual: PageFacts['usual'],
): readonly (readonly [value: string, words: string])[] {
  const isUsual = ({ options }: ChoiceValue) => `${options[name]}` === `${usual[name] ?? false}`;
  const isAllowed = ({ options: { families = [] } }: ChoiceValue) =>
    families.every((family) => usual.families.includes(family));
  const all = Object.entries(valuesOf(name));
  return [
    ...all.filter(([, value]) => isUsual(value)).map(([, { words }]) => ['', `Default: ${words}`] as const),
    ...all
      .filter(([, one]) => !isUsual(one) && isAllowed(one))
      .map(([key, { words }]) => [key, words] as const),
  ];
}

function valuesOf(name: ChoiceName): ChoiceRow['values'] {
  return CHOICES[name].values;
}

/**
 * Choices of which one is changed: to a value, or to the default if the value is none. Signatures come with EDNS only
 * (RFC 4035 4.1), so the later choice of the two counts; `note` says what else changes.
 */
export function withChoice(choices: RequestChoices, name: ChoiceName, value: string): ChangedChoices {
  const chosen = replaced(choices, name, value);
  if (chosen.edns !== 'off' || chosen.dnssec === 'off') return { choices: chosen, note: '' };
  return name === 'dnssec' && value === 'on'
    ? { choices: replaced(chosen, 'edns', ''), note: 'Signatures come with EDNS only, so that is on again.' }
    : {
        choices: replaced(chosen, 'dnssec', 'off'),
        note: 'Signatures come with EDNS only, so they are ignored.',
      };
}

interface ChangedChoices {
  readonly choices: RequestChoices;
  readonly note: string;
}

function replaced(choices: RequestChoices, name: ChoiceName, value: string): RequestChoices {
  const { [name]: _, ...others } = choices;
  return Object.hasOwn(valuesOf(name), value) ? { ...others, [name]: value } : others;
}

/** Reads choices from the query of an address, and ignores invalid ones. */
export function choicesIn(query: URLSearchParams): RequestChoices {
  return CHOICE_NAMES.reduce<RequestChoices>(
    (choices, name) => withChoice(choices, name, query.get(name) ?? '').choices,
    {},
  );
}

/** The options of a request for these choices; undefined if there are none. */
export function requestOptionsFor(choices: RequestChoices): RequestOptions | undefined {
  let options: RequestOptions = {};
  for (const name of CHOICE_NAMES) options = { ...options, ...valuesOf(name)[choices[name] ?? '']?.options };
  return Object.keys(options).length === 0 ? undefined : options;
}
