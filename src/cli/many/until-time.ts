/** The local time some milliseconds from a moment: "14:32:05", with the date if that is another day. */
export function untilTime(ms: number, now = new Date()): string {
  const then = new Date(now.getTime() + ms);
  const time = [then.getHours(), then.getMinutes(), then.getSeconds()].map(twoDigits).join(':');
  if (then.toDateString() === now.toDateString()) return time;
  return `${then.getFullYear()}-${twoDigits(then.getMonth() + 1)}-${twoDigits(then.getDate())} ${time}`;
}

function twoDigits(number: number): string {
  return `${number}`.padStart(2, '0');
}
