import t from 'tap';
import { durationWords, localTime, momentWords } from '../../src/document/words/moments.ts';

t.test('a moment in the reader’s time, with UTC beside', async (t) => {
  const now = new Date('2026-11-21T22:30:05Z');
  const in2h = new Date('2026-11-22T00:30:05Z');
  const rows: readonly (readonly [then: Date, timeZone: string, words: string])[] = [
    [now, 'UTC', '22:30:05 UTC'],
    [in2h, 'UTC', '2026-11-22 00:30:05 UTC'],
    [now, 'Asia/Kolkata', '04:00:05 (2026-11-21 22:30:05 UTC)'],
    [now, 'Europe/Berlin', '23:30:05 (22:30:05 UTC)'],
    [in2h, 'Europe/Berlin', '2026-11-22 01:30:05 (00:30:05 UTC)'],
    [now, 'Europe/London', '22:30:05 UTC'],
  ];
  for (const [then, timeZone, words] of rows)
    t.equal(momentWords(then, now, timeZone), words, `${timeZone} ${then.toISOString()}`);
  t.equal(localTime(now, now, 'Europe/Berlin'), '23:30:05');
  t.equal(localTime(in2h, now, 'Europe/Berlin'), '2026-11-22 01:30:05', 'another day has its date');
});

t.test('durations as people say them', async (t) => {
  const rows: readonly (readonly [seconds: number, words: string])[] = [
    [0.4, 'less than a second'],
    [1, '1 second'],
    [34, '34 seconds'],
    [60, '1 minute'],
    [90, '1 minute 30 seconds'],
    [3_600, '1 hour'],
    [3_599.6, '1 hour'],
    [3_905, '1 hour 5 minutes'],
    [7_199, '2 hours'],
    [86_400, '1 day'],
    [172_800, '2 days'],
    [172_800 + 3_600, '2 days 1 hour'],
  ];
  for (const [seconds, words] of rows) t.equal(durationWords(seconds * 1_000), words, `${seconds}`);
});
