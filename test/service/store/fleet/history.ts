import { type Of, readShape } from '../../../../src/base/shape.ts';
import { optional, variants } from '../../../../src/base/shape-object.ts';
import { COUNT, list, NUMBER, oneOf, TEXT } from '../../../../src/base/shape-values.ts';

/** Something that was seen of a fleet. `at` is when, in milliseconds of `monotonicNow`. */
const ENTRY = variants(
  'kind',
  { at: NUMBER },
  {
    /** What holds for all that follows. A bucket has so many tokens, which come back within the window. */
    rules: { tokens: COUNT, windowMs: COUNT, ratePerAddress: COUNT, runningPerClient: COUNT },
    /** A POST, whose name is also its key, and its reply, which was there `until` then; status 0: none came. */
    post: { until: NUMBER, name: TEXT, client: TEXT, status: COUNT, job: optional(TEXT) },
    /** The reply to a GET of an accepted job: its status, or `unknown` for a 404. */
    read: { job: TEXT, status: TEXT, failure: optional(TEXT) },
    /** An event, as one follower got it, who goes from instance to instance. */
    event: { job: TEXT, follower: TEXT, id: COUNT, event: TEXT, attempt: optional(COUNT) },
    /** A webhook that arrived. */
    webhook: { id: TEXT, job: TEXT, event: TEXT },
    /** A query that a name server read; it arrived after `since`. */
    query: { since: NUMBER, address: TEXT },
    /** An instance logged that it runs a job, or that the job has ended. */
    began: { instance: TEXT, job: TEXT, name: TEXT },
    ended: { instance: TEXT, job: TEXT },
    /** An instance was lost to the others: killed, or cut off from the store for a while. */
    loss: { instance: TEXT, how: oneOf('killed', 'cut-off') },
  },
);

/** Something that was seen of a fleet. */
export type Entry = Of<typeof ENTRY>;

/** The entries of some kinds. */
export type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { readonly kind: Kind }>;

/** Milliseconds of the clock that all processes of a machine share, and that nobody sets. */
export function monotonicNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** A history as text, a line for each entry. */
export function writtenHistory(entries: readonly Entry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

/** Reads what `writtenHistory` made; throws a `ShapeError` or `SyntaxError` if it did not. */
export function readHistory(text: string): readonly Entry[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return entriesIn(lines.map((line) => JSON.parse(line)));
}

/** Entries that came from another process; throws a `ShapeError` if they are none. */
export function entriesIn(value: unknown): readonly Entry[] {
  return readShape(list(ENTRY), value);
}
