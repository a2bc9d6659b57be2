import { RdataError, unsigned } from './words.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Whether the text is a period of time as zone files write it: "300", "1h30m". */
export function isPeriod(text: string): boolean {
  return /^(?:\d+|(?:\d+[smhdw])+)$/i.test(text);
}

/** A period as zone files write it, in seconds: plain ("300") or with units ("1w2d3h4m5s"). Throws RdataError. */
export function seconds(text: string): number {
  if (!isPeriod(text)) throw new RdataError(`"${text}" is not a time (300, 5m, 1h30m)`);
  if (/^\d+$/.test(text)) return unsigned(text, 32);
  let total = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d+)([smhdw])/gi)) {
    total += Number(count) * (UNITS[unit.toLowerCase()] ?? 0);
  }
  return unsigned(String(total), 32);
}
