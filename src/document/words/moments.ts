/* Words for moments and for the time until then. */

/** The local time of a moment: "14:32:05", with the date if that is another day than now. */
export function localTime(then: Date, now: Date, timeZone?: string): string {
  const [today, date] = [now, then].map((moment) => isoDate(moment, timeZone));
  // Swedish dates and times are those of ISO 8601.
  const time = then.toLocaleTimeString('sv', { timeZone });
  return date === today ? time : `${date} ${time}`;
}

function isoDate(moment: Date, timeZone: string | undefined): string {
  return moment.toLocaleDateString('sv', { timeZone });
}

/** The local time with UTC beside: "14:32:05 (12:32:05 UTC)"; "12:32:05 UTC" where that is the local time. */
export function momentWords(then: Date, now: Date, timeZone?: string): string {
  const local = localTime(then, now, timeZone);
  if (isoText(then, timeZone) === isoText(then, 'UTC')) return `${local} UTC`;
  const isSameDay = isoDate(then, timeZone) === isoDate(then, 'UTC');
  const utc = isSameDay ? then.toLocaleTimeString('sv', { timeZone: 'UTC' }) : isoText(then, 'UTC');
  return `${local} (${utc} UTC)`;
}

function isoText(moment: Date, timeZone: string | undefined): string {
  return moment.toLocaleString('sv', { timeZone });
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A duration as people say it, in its two largest units: "2 days", "1 hour 5 minutes", "34 seconds". */
export function durationWords(ms: number): string {
  const whole = Math.round(ms / 1_000);
  const first = UNITS.findIndex(([, seconds]) => whole >= seconds);
  if (first === -1) return 'less than a second';
  const shown = UNITS.slice(first, first + 2);
  const least = shown.at(-1)?.[1] ?? 1;
  let left = Math.round(whole / least) * least;
  const parts = shown.map(([unit, seconds]) => {
    const many = Math.floor(left / seconds);
    left -= many * seconds;
    return many === 0 ? '' : `${many} ${unit}${many === 1 ? '' : 's'}`;
  });
  return parts.filter((part) => part !== '').join(' ');
}
