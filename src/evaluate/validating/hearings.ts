import type { Question } from '../../wire/question.ts';
import type { HeardThere, Hearing } from '../step.ts';
import type { AskedThere, ServerState } from './judged-opening.ts';

/** An address of the step, and what came of a question there. */
export interface AskedOne {
  readonly state: ServerState;
  readonly address: string;
  readonly question: Question;
  readonly asked: AskedThere;
}

export const STATES: readonly ServerState[] = ['up', 'down'];

/** Collects what addresses bring. */
export class Hearings<Good> {
  readonly up = new Map<string, Hearing<Good>>();
  readonly down = new Map<string, Hearing<Good>>();

  put({ state, address, asked }: AskedOne, brought: HeardThere<Good>): void {
    const elapsedMs = asked.kind === 'asked' ? asked.exchanged.elapsedMs : 0;
    this[state].set(address, { ...brought, elapsedMs });
  }
}
