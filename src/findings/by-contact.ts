import type { PickedServer } from '../evaluate/end.ts';
import type { Name } from '../wire/name.ts';
import type { Check } from './draft.ts';
import type { Evidence, Heard } from './evidence.ts';

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
