/* The options that the form offers beside the question: their words, their texts in addresses, and what they request. */

import { keysOf } from '../../base/limits.ts';
import type { RequestOptions } from '../../document/api/request.ts';
import type { PageFacts } from '../../document/api/service-documents.ts';
import { CHOSEN_VIEWS, QUICK_VIEWS } from '../../evaluate/views.ts';

/**
 * The options that the form offers, a row each, by their names in requests. Addresses of the page have the names of the
 * values. Of IP versions a request can only leave one out; any other option it can set either way.
 */
export const CHOICES = {
  views: {
    label: 'Views',
    values: {
      all: { words: 'All views', options: { views: CHOSEN_VIEWS } },
      quick: { words: 'Cold resolvers only (quick)', options: { views: QUICK_VIEWS } },
    },
  },
  check: {
    label: 'Audit',
    values: {
      off: { words: 'No audit', options: { check: false } },
      on: { words: 'Probe every server', options: { check: true } },
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
    ...all.filter(([, one]) => isUsual(one)).map(([, { words }]) => ['', `Default: ${words}`] as const),
    ...all
      .filter(([, one]) => !isUsual(one) && isAllowed(one))
      .map(([key, { words }]) => [key, words] as const),
  ];
}

/** The choices in words: "Transport: TCP only". */
export function choiceWords(choices: RequestChoices): readonly string[] {
  return CHOICE_NAMES.flatMap((name) => {
    const chosen = valuesOf(name)[choices[name] ?? ''];
    return chosen === undefined ? [] : [`${CHOICES[name].label}: ${chosen.words}`];
  });
}

function valuesOf(name: ChoiceName): ChoiceRow['values'] {
  return CHOICES[name].values;
}

/** Choices of which one is changed: to a value, or to the default if the value is none. */
export function withChoice(choices: RequestChoices, name: ChoiceName, value: string): RequestChoices {
  const { [name]: _, ...others } = choices;
  return Object.hasOwn(valuesOf(name), value) ? { ...others, [name]: value } : others;
}

/** Reads choices from the query of an address, and ignores invalid ones. */
export function choicesIn(query: URLSearchParams): RequestChoices {
  return CHOICE_NAMES.reduce<RequestChoices>(
    (choices, name) => withChoice(choices, name, query.get(name) ?? ''),
    {},
  );
}

/** The options of a request for these choices; undefined if there are none. */
export function requestOptionsFor(choices: RequestChoices): RequestOptions | undefined {
  let options: RequestOptions = {};
  for (const name of CHOICE_NAMES) options = { ...options, ...valuesOf(name)[choices[name] ?? '']?.options };
  return Object.keys(options).length === 0 ? undefined : options;
}
