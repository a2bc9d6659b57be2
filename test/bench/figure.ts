import { say } from './figures.ts';
import type { Program } from './program.ts';
import { ROWS, type Row, type RowName, type Unit } from './rows.ts';

/** A number of the table, and whose it is. */
export interface Figure {
  readonly row: RowName;
  /** The label of a program. */
  readonly program: string;
  readonly value: number;
}

/** Says a figure and what was measured ("66.1 ms of 61.0 ms"), and passes it on to the table, if one is made. */
export function tell(row: RowName, program: Program, value: number, measured: string): void {
  const figure: Figure = { row, program: program.label, value };
  say(`${row} (${program.label})`, `${inUnit(ROWS[row], value)}: ${measured}`);
  process.send?.(figure);
}

const BEHIND: Readonly<Record<Unit, string>> = {
  chains: ' × the chain',
  starts: ' × `node -e 0`',
  times: ' ×',
  units: ' units',
  ms: ' ms',
  s: ' s',
  KB: ' KB',
  MB: ' MB',
  '%': ' %',
  'jobs/s': ' jobs/s',
  'names/h': ' names/h',
};

/** "1.08 × the chain", "47 MB". */
export function inUnit({ unit }: Row, value: number): string {
  return `${value < 100 ? Number(value.toPrecision(3)) : value.toFixed(0)}${BEHIND[unit]}`;
}
