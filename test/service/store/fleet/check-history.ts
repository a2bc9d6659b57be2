/* Finds what a fleet did wrong in the history of what was seen of it. */

import { getOrMake } from '../../../../src/base/memo.ts';
import type { Entry, EntryOf } from './history.ts';

/** Something that a fleet must not do, in a sentence for each time that it did. */
export function faultsIn(history: readonly Entry[]): readonly string[] {
  const seen = sorted(history);
  return Object.entries(PROMISES).flatMap(([promise, broken]) =>
    broken(seen).map((fault) => `${promise}: ${fault}`),
  );
}

/** Whether a webhook is still to come: that a job has ended. */
export function isWebhookOwed(history: readonly Entry[]): boolean {
  return untold(sorted(history)).size > 0;
}

/** The entries of each kind, in order of time. */
type Seen = { readonly [Kind in Entry['kind']]: readonly EntryOf<Kind>[] };

/** The sentences that a fleet keeps to, and what shows that it did not. */
const PROMISES: Readonly<Record<string, (seen: Seen) => readonly string[]>> = {
  'each accepted job ends once': endsOtherThanOnce,
  'no job fails but the one that is given up': failures,
  'a job that was refused never runs': refusedThatRan,
  'POSTs with one key make one job': namesOfSeveralJobs,
  'nobody gets more than a bucket gives': bucketsExceeded,
  'no address gets more than its rate': ratesExceeded,
  'no client has more jobs running than it may': crowds,
  'each follower gets each event once, in order': eventsOutOfOrder,
  'attempts count up to three': attemptsMiscounted,
  'only a job that was alone in a lost instance is given up': innocentGivenUp,
  'each webhook comes, and comes once unless an instance was lost': webhooksMiscounted,
};

function sorted(history: readonly Entry[]): Seen {
  const entries = history.toSorted((one, other) => one.at - other.at);
  const of = <Kind extends Entry['kind']>(kind: Kind): readonly EntryOf<Kind>[] =>
    entries.filter((entry): entry is EntryOf<Kind> => entry.kind === kind);
  return {
    rules: of('rules'),
    post: of('post'),
    read: of('read'),
    event: of('event'),
    webhook: of('webhook'),
    query: of('query'),
    began: of('began'),
    ended: of('ended'),
    loss: of('loss'),
  };
}

const ENDS = ['complete', 'failed', 'cancelled'];

function endsOtherThanOnce({ post, read, event, ended }: Seen): readonly string[] {
  const reads = grouped(read, ({ job }) => job);
  const followers = grouped(event, ({ follower }) => follower);
  const logged = grouped(ended, ({ job }) => job);
  const accepted = new Set(
    post.flatMap(({ status, job }) => (status === 202 && job !== undefined ? [job] : [])),
  );
  const faults = [...accepted].flatMap((job) => {
    const statuses = (reads.get(job) ?? []).map(({ status }) => status);
    const ends = new Set(statuses.filter((status) => ENDS.includes(status)));
    const last = statuses.at(-1) ?? 'not read';
    return [
      ...(statuses.includes('unknown') ? [`${job} was not known`] : []),
      ...(ends.size > 1 ? [`${job} is ${[...ends].join(' and ')}`] : []),
      ...(ENDS.includes(last) ? [] : [`${job} is ${last} in the end`]),
      ...((logged.get(job)?.length ?? 0) > 1 ? [`${job} ended at ${logged.get(job)?.length} instances`] : []),
    ];
  });
  const streams = [...followers].flatMap(([follower, events]) => {
    const count = events.filter(({ event }) => event === 'complete').length;
    return count === 1 ? [] : [`${follower} saw ${count} ends`];
  });
  return [...faults, ...streams];
}

/** A host so busy that a thread gets no time for seconds is not the fleet's doing. */
const PARDONED = ['Given up', 'Too much work'];

function failures({ read }: Seen): readonly string[] {
  return read
    .filter(
      ({ status, failure = '' }) => ['failed', 'cancelled'].includes(status) && !PARDONED.includes(failure),
    )
    .map(({ job, status, failure }) => `${job} is ${status}: ${failure ?? 'nobody says why'}`);
}

/** Statuses that say that nothing will come of a POST. */
const REFUSALS = [400, 422, 429, 503];

function refusedThatRan({ post, began }: Seen): readonly string[] {
  const ran = new Set(began.map(({ name }) => name));
  return [...grouped(post, ({ name }) => name)].flatMap(([name, posts]) => {
    const statuses = posts.map(({ status }) => status);
    // One without a reply may have been accepted.
    const isRefused = statuses.every((status) => REFUSALS.includes(status));
    return isRefused && ran.has(name) ? [`${name} got ${statuses.join(', ')}`] : [];
  });
}

function namesOfSeveralJobs({ post, began }: Seen): readonly string[] {
  const jobs = grouped(
    [...post, ...began].filter(({ job }) => job !== undefined),
    ({ name }) => name,
  );
  return [...jobs].flatMap(([name, entries]) => {
    const { size } = new Set(entries.map(({ job }) => job));
    return size === 1 ? [] : [`${name} has ${size}`];
  });
}

/** A POST that took longer met a store that was away: then each instance counts by itself. */
const AWAY_MS = 1_000;

function bucketsExceeded({ rules, post }: Seen): readonly string[] {
  const [{ tokens, windowMs } = { tokens: 0, windowMs: 1 }] = rules;
  // A POST whose reply was lost may have taken the token that the next one with its key tells of.
  const first = new Map(post.toReversed().map(({ name, at }) => [name, at]));
  const accepted = post
    .filter(({ status }) => status === 202)
    .map((one) => ({ ...one, at: first.get(one.name) ?? one.at }))
    .filter(({ at, until }) => until - at < AWAY_MS);
  return [...grouped(accepted, ({ client }) => client)].flatMap(([client, posts]) => {
    const over = posts.map(({ at: from }) => {
      const since = posts.filter(({ at }) => at >= from).toSorted((one, other) => one.until - other.until);
      // Each took its token between its POST and the reply: so many at least from the first POST to that reply.
      return Math.max(
        ...since.map(({ until }, index) => index + 1 - tokens * (1 + (until - from) / windowMs)),
      );
    });
    const most = Math.ceil(Math.max(...over));
    return most <= 0 ? [] : [`${client} got ${most} of ${posts.length} too many`];
  });
}

const SECOND_MS = 1_000;

function ratesExceeded({ rules, query }: Seen): readonly string[] {
  const [{ ratePerAddress } = { ratePerAddress: 0 }] = rules;
  return [...grouped(query, ({ address }) => address)].flatMap(([address, queries]) => {
    // One more than the rate came within less than a second, however early the first and however late the last of them did.
    const over = queries.filter(({ at }, index) => {
      const first = queries[index - ratePerAddress];
      return first !== undefined && at - first.since < SECOND_MS;
    });
    const [first] = over;
    return first === undefined ? [] : [`${address}, ${over.length} times, first at ${first.at.toFixed(0)}`];
  });
}

/** What one instance logs is read this much later than what another does, at most. */
const LOG_LAG_MS = 500;

function crowds({ rules, post, began, ended, loss }: Seen): readonly string[] {
  const [{ runningPerClient } = { runningPerClient: 0 }] = rules;
  const clients = new Map(post.map(({ name, client }) => [name, client]));
  const spans = began.map((begin) => ({
    client: clients.get(begin.name) ?? '',
    ...spanOf(begin, { ended, loss }),
  }));
  return [...grouped(spans, ({ client }) => client)].flatMap(([client, runs]) => {
    const most = mostAtOnce(runs.map(({ from, to }) => ({ from, to: to - LOG_LAG_MS })));
    return most <= runningPerClient ? [] : [`${client} had ${most}`];
  });
}

function eventsOutOfOrder({ event }: Seen): readonly string[] {
  const names = new Map<string, string>();
  const others = event.flatMap(({ job, id, event: name, follower }) => {
    const first = getOrMake(names, `${job} ${id}`, () => name);
    return first === name ? [] : [`${follower} got ${name} as ${id}, another ${first}`];
  });
  const gaps = [...grouped(event, ({ follower }) => follower)].flatMap(([follower, events]) => {
    const at = events.findIndex(({ id }, index) => id !== index + 1);
    return at === -1 ? [] : [`${follower} got ${events[at]?.id} after ${events[at - 1]?.id ?? 'nothing'}`];
  });
  return [...others, ...gaps];
}

const MOST_ATTEMPTS = 3;

function attemptsMiscounted({ event }: Seen): readonly string[] {
  const started = event.filter(({ event }) => event === 'started');
  return [...grouped(started, ({ follower }) => follower)].flatMap(([follower, starts]) => {
    const attempts = starts.map(({ attempt = 1 }) => attempt);
    // Of an attempt that was lost at once there may be no event.
    const isRight = attempts.every(
      (attempt, at) => attempt > (attempts[at - 1] ?? 0) && attempt <= MOST_ATTEMPTS,
    );
    return isRight ? [] : [`${follower} saw attempts ${attempts.join(', ')}`];
  });
}

function innocentGivenUp({ read, began, ended, loss }: Seen): readonly string[] {
  const givenUp = new Set(read.flatMap(({ job, failure }) => (failure === 'Given up' ? [job] : [])));
  const spans = began.map((begin) => ({ ...begin, ...spanOf(begin, { ended, loss }) }));
  return [...givenUp].flatMap((job) => {
    const runs = spans.filter((span) => span.job === job);
    const last = runs.at(-1);
    if (last === undefined || runs.length < MOST_ATTEMPTS) return [`${job} after ${runs.length} attempts`];
    const beside = spans.filter(
      ({ job: other, instance, from, to }) =>
        other !== job && instance === last.instance && from < last.to && to - LOG_LAG_MS > last.from,
    );
    return beside.length === 0 ? [] : [`${job}, which ran beside ${beside.map(({ job }) => job).join(', ')}`];
  });
}

function webhooksMiscounted(seen: Seen): readonly string[] {
  const missing = [...untold(seen)].map((job) => `none says that ${job} ended`);
  const again = [...grouped(seen.webhook, ({ id }) => id)].flatMap(([id, [first, ...others]]) => {
    const last = others.at(-1);
    if (first === undefined || last === undefined) return [];
    const isLost = seen.loss.some(({ at }) => at > first.at - LONGEST_DELIVERY_MS && at < last.at);
    return isLost ? [] : [`${id} came ${others.length + 1} times`];
  });
  return [...missing, ...again];
}

/** The jobs that ran and ended, without a webhook that says so. */
function untold({ read, began, webhook }: Seen): ReadonlySet<string> {
  const started = new Set(began.map(({ job }) => job));
  const ended = new Set(
    read.flatMap(({ job, status }) => (ENDS.includes(status) && started.has(job) ? [job] : [])),
  );
  const told = new Set(webhook.flatMap(({ job, event }) => (event === 'complete' ? [job] : [])));
  return new Set([...ended].filter((job) => !told.has(job)));
}

/** Both attempts of a delivery end within it. */
const LONGEST_DELIVERY_MS = 12_000;

/** From when to when something went on, in milliseconds. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** From when to when a job ran at an instance: until it ended there, or the instance was lost. */
function spanOf(
  { at: from, job, instance }: EntryOf<'began'>,
  { ended, loss }: Pick<Seen, 'ended' | 'loss'>,
): Span {
  const ends = [
    ...ended.filter((one) => one.job === job && one.instance === instance),
    ...loss.filter((one) => one.instance === instance),
  ].filter(({ at }) => at >= from);
  return { from, to: Math.min(...ends.map(({ at }) => at)) };
}

/** How many went on at once, at most. What begins in the moment in which another ends comes after it. */
function mostAtOnce(spans: readonly Span[]): number {
  const turns = spans.flatMap(({ from, to }) => [
    { at: from, by: 1 },
    { at: Math.max(from, to), by: -1 },
  ]);
  let now = 0;
  let most = 0;
  for (const { by } of turns.sort((one, other) => one.at - other.at || one.by - other.by)) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}

function grouped<T>(rows: readonly T[], keyOf: (row: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) getOrMake(groups, keyOf(row), () => []).push(row);
  return groups;
}
