import type { Finding, Severity } from '../document/result.ts';
import type { PickedServer } from '../evaluate/end.ts';
import type { Exchanged } from '../exchanged.ts';
import type { Name } from '../wire/name.ts';
import type { Evidence, Heard } from './evidence.ts';

/** A finding as its check sees it: without what the catalogue says of its code. */
export interface Draft {
  readonly zone?: Name;
  readonly server?: NonNullable<Finding['server']>;
  /** One plain sentence: what is wrong and what to do. */
  readonly message: string;
  readonly proof: readonly Exchanged[];
  /** Where this case is another than the code's usual severity. */
  readonly severity?: Severity;
}

/** Looks for one thing that can be wrong. Pure; says nothing where the evidence is not enough. */
export type Check = (evidence: Evidence) => readonly Draft[];

/** The check that finds, at each server and address of each zone, the exchanges that show something. */
export function byContact(
  shows: (heard: Heard, evidence: Evidence) => boolean,
  message: (server: PickedServer, zone: Name, first: Heard) => string,
): Check {
  return (evidence) =>
    evidence.contacts.flatMap(({ zone, server, heard }) => {
      const showing = heard.filter((one) => shows(one, evidence));
      const [first] = showing;
      if (first === undefined) return [];
      const proof = showing.map(({ exchanged }) => exchanged);
      return [{ zone, server, message: message(server, zone, first), proof }];
    });
}
