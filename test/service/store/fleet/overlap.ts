/** From when to when something went on, in milliseconds. */
export type Span = readonly [from: number, to: number];

/** How many went on at once, at most. What begins in the moment in which another ends comes after it. */
export function mostAtOnce(spans: readonly Span[]): number {
  const turns = spans.flatMap(([from, to]) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ]);
  let now = 0;
  let most = 0;
  for (const { by } of turns.sort((one, other) => one.at - other.at || one.by - other.by)) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}
