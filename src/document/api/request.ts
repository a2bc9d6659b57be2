import { LIMITS } from '../../base/limits.ts';
import { annotated, described, named, type Of, type Shape, turned } from '../../base/shape.ts';
import { closed, fieldsNamed, type Optional, optional, shapeOf } from '../../base/shape-object.ts';
import { integer, list, oneOf, parsed, someOf, TEXT } from '../../base/shape-values.ts';
import { parseType } from '../../dns/codes.ts';
import { asciiName } from '../../dns/idn.ts';
import { mistakenName, mistakeWords, unmistakable } from '../../dns/mistaken-name.ts';
import { type Name, NameError, parseName, reverseName, withoutFinalDot } from '../../dns/name.ts';
import { canMatch, isBrokenPrefix, matchableItems } from '../../evaluate/expected.ts';
import { QUICK_VIEWS } from '../../evaluate/views.ts';
import {
  EXPECTED_ITEMS,
  isQuick,
  OPTION_FIELDS,
  optionRow,
  REQUEST_OPTIONS,
  type RequestOption,
  type TraversalOptions,
} from '../options.ts';
import { isJobId } from './jobs.ts';

/**
 * The body of a request to traverse. `most` applies where the request says nothing; the request may ask
 * for less, never for more, and cannot change options that have no member here. `views`: what it may ask for.
 */
export function requestBody(most: TraversalOptions, views: AllowedViews = 'any') {
  const body = closed({
    name: described(REQUESTED_NAME, 'The name to look up; it may be internationalised.'),
    type: optional(described(REQUESTED_TYPE, 'The type to look up.')),
    options: optional(requestOptionsShape(most, views)),
    wait: optional(WAIT),
  });
  return named(
    'TraversalRequest',
    turned(body, (asked, pointer, note) => {
      const { type = 'A', options, wait } = asked;
      if (options?.expect !== undefined && wait !== undefined)
        return note(`${pointer}/options/expect`, 'does not go with wait, which has its own: leave out one');
      const why = `can be no answer of type ${type}: must be ${matchableItems(type)}`;
      const places = { options, wait };
      for (const place of ['options', 'wait'] as const) {
        const at = places[place]?.expect?.findIndex((item) => !canMatch(item, type)) ?? -1;
        if (at >= 0) return note(`${pointer}/${place}/expect/${at}`, why);
      }
      return asked;
    }),
  );
}

const WISH = annotated(
  turned(EXPECTED_ITEMS, (items, pointer, note) =>
    items.length > 0 ? items : note(pointer, 'must have an item'),
  ),
  { minItems: 1 },
);

/** What a job waits for. */
const WAIT = named(
  'RequestWait',
  described(
    closed({
      expect: described(WISH, 'As the option `expect`, and instead of it.'),
      forMs: optional(
        annotated(integer(LIMITS.jobWaitMs.least, LIMITS.jobWaitMs.most), {
          description: LIMITS.jobWaitMs.meaning,
          default: LIMITS.jobWaitMs.default,
        }),
      ),
    }),
    'Traverse again until users of every view get only what is expected, or the time is over.',
  ),
);

/** The views that a service makes: those of `quick` alone, or any. */
export type AllowedViews = 'quick' | 'any';

/** The options of a job: the service's, changed as its request says. A request that chooses views says all that it wants. */
export function requestedOptions(most: TraversalOptions, asked: RequestOptions = {}): TraversalOptions {
  if (asked.views === undefined) return { ...most, ...asked };
  const { check, profiles, ...others } = most;
  return {
    ...others,
    ...(!isQuick(asked) && check !== undefined && { check }),
    ...(asked.views.includes('profiles') && profiles !== undefined && { profiles }),
    ...asked,
  };
}

/** The body of a request to traverse. */
export type RequestBody = Of<ReturnType<typeof requestBody>>;

/** The body as it is sent: what reads it takes its name for a name, whatever octets that has. */
export function writtenRequest(body: RequestBody) {
  return { ...body, name: unmistakable(body.name) };
}

/** The options that a request may set. What it leaves out the service decides. */
export type RequestOptions = Of<ReturnType<typeof requestOptionsShape>>;

/** 253 octets, each written as an escape of four characters. */
const LONGEST_NAME = 1_012;

/** A name as a request has it. */
export const REQUESTED_NAME = parsed(requestedName, {
  maxLength: LONGEST_NAME,
  examples: ['www.example.com'],
});

/** A name as people write it. Throws an Error that says what is wrong: "is not a domain name: ...". */
export function requestedName(text: string): Name {
  if (text.length > LONGEST_NAME) throw new Error('is too long for a name');
  if (isJobId(text)) throw new Error('is the identifier of a job, not a name');
  const mistaken = mistakenName(text);
  if (mistaken !== undefined) throw new Error(mistakeWords(mistaken, askForReverse));
  try {
    return parseName(asciiName(text));
  } catch (error) {
    if (error instanceof NameError) throw new Error(`is not a domain name: ${error.message}`);
    throw error;
  }
}

function askForReverse(address: string): string {
  return `look up PTR of ${withoutFinalDot(reverseName(address))}`;
}

/** A type as a request has it. */
export const REQUESTED_TYPE = parsed(
  (written) => {
    const type = parseType(written);
    if (type !== undefined) return type;
    throw new Error('must be a type that can be looked up, such as A, AAAA, MX or TYPE65280');
  },
  { default: 'A', examples: ['AAAA'] },
);

function requestOptionsShape(most: TraversalOptions, views: AllowedViews) {
  const fields = fieldsNamed<RequestFields>(REQUEST_OPTIONS, (name) =>
    optional(views === 'quick' ? (ONLY_QUICK[name] ?? shapeUpTo(name, most)) : shapeUpTo(name, most)),
  );
  const options = described(closed(fields, GONE), 'Budgets may be lowered, never raised.');
  return named(
    'RequestOptions',
    turned(options, (asked, pointer, note) => {
      const broken = asked.expect?.findIndex(isBrokenPrefix) ?? -1;
      return broken < 0
        ? asked
        : note(`${pointer}/expect/${broken}`, 'must be a prefix such as 192.0.2.0/24');
    }),
  );
}

const NO_PROFILES = annotated(
  turned(list(TEXT), (names, pointer, note) =>
    names.length === 0 ? [] : note(pointer, 'must be empty: this service makes only the cold walk'),
  ),
  { maxItems: 0 },
);

/** What a request may say of views where the cold walk is the only one. */
const ONLY_QUICK: Partial<Record<RequestOption, Shape<unknown>>> = {
  views: annotated(list(oneOf(...QUICK_VIEWS)), {
    default: QUICK_VIEWS,
    description: 'This service makes only the cold walk.',
  }),
  profiles: NO_PROFILES,
  check: oneOf(false),
};

/** Options that there were before `views`. */
const GONE: Readonly<Record<string, string>> = Object.fromEntries(
  ['quick', 'warm', 'dnssec'].map((name) => [
    name,
    `is gone: write the views to make as "views", such as ${JSON.stringify(QUICK_VIEWS)}`,
  ]),
);

type RequestFields = { readonly [K in RequestOption]: Optional<NonNullable<TraversalOptions[K]>> };

/** The shape of an option where a service allows no more than `most`, which is its default. */
function shapeUpTo(name: RequestOption, most: TraversalOptions): Shape<unknown> {
  const { flag } = optionRow(name);
  switch (flag.kind) {
    case 'families':
      return annotated(someOf(...most.families), { default: most.families });
    case 'limit': {
      const { least, meaning } = flag.limit;
      const own = Number(most[name]);
      return annotated(integer(Math.min(least, own), own), { description: meaning, default: own });
    }
    case 'value':
    case 'names':
    case 'items':
    case 'own': {
      const usual = most[name];
      const shape = shapeOf(OPTION_FIELDS[name]);
      return usual === undefined ? shape : annotated(shape, { default: usual });
    }
  }
}
