import { described, named, type Of } from '../base/shape.ts';
import { object, optional } from '../base/shape-object.ts';
import { COUNT, choice, list, TEXT } from '../base/shape-values.ts';
import { ADDRESS, NAME, TYPE } from './common-shapes.ts';

/** Something that is wrong, from the catalogue of findings. */
export type Finding = Of<typeof FINDING>;

/** How many findings there are of each severity, the worst first. */
const COUNTS = { critical: COUNT, error: COUNT, warning: COUNT, notice: COUNT, info: COUNT };

/** How bad a finding is. */
export type Severity = keyof typeof COUNTS;

/** How bad a finding is, the worst first. */
export const SEVERITY = choice<Severity>(COUNTS);

/** A severity that a run can be told to fail on. */
export type FailOn = Exclude<Severity, 'info'>;

/** Something that is wrong, from the catalogue of findings. */
export const FINDING = named(
  'Finding',
  object({
    id: TEXT,
    code: TEXT,
    severity: SEVERITY,
    zone: optional(NAME),
    server: optional(object({ name: NAME, address: optional(ADDRESS) })),
    scope: optional(
      described(
        object({ names: optional(list(NAME)), types: optional(list(TYPE)) }),
        'What fails at the server: questions for these names and of these types, as it replies to others; without members everything. Absent where nothing fails.',
      ),
    ),
    file: optional(described(TEXT, 'The zone file that shows it, if it is about one.')),
    line: optional(described(COUNT, 'Its line there, counted from 1.')),
    message: described(TEXT, 'What is wrong.'),
    advice: described(TEXT, 'What to do.'),
    causes: described(
      list(TEXT),
      'The `id` of the finding that this one merely follows from, or of several that bring it about together; none: it is a cause.',
    ),
    evidence: described(list(TEXT), 'Identifiers of the exchanges and probes that prove it.'),
    reference: optional(TEXT),
  }),
);

/** The `id` of the finding that one merely follows from; undefined for a cause, and where several bring it about together. */
export function onlyCauseOf({ causes }: Pick<Finding, 'causes'>): string | undefined {
  return causes.length === 1 ? causes[0] : undefined;
}

/** How many findings there are of each severity. */
export const FINDING_COUNTS = object(COUNTS);

/** How many findings there are of each severity. */
export type FindingCounts = Of<typeof FINDING_COUNTS>;
