import type { Finding, Severity } from '../document/findings.ts';
import type { PickedServer } from '../evaluate/end.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import type { Nameserver } from '../explore/delegation.ts';
import type { Name } from '../wire/name.ts';
import type { Contact, Evidence, Heard } from './evidence.ts';
import { exchangesOf } from './heard.ts';

/** What a finding says: two plain sentences, without their full stops. */
export interface Words {
  /** What is wrong. */
  readonly problem: string;
  /** What to do about it. */
  readonly advice: string;
}

/** A finding as its check sees it: without what the catalogue says of its code. */
export interface Draft extends Words {
  readonly zone?: Name;
  readonly server?: NonNullable<Finding['server']>;
  readonly proof: readonly Exchanged[];
  /** If it is not the usual severity of the code. */
  readonly severity?: Severity;
}

/**
 * Looks for one kind of fault. Pure; says nothing if there is too little evidence. Where there can be many
 * drafts it gives them one by one, so that others have their turn in between.
 */
export type Check = (evidence: Evidence) => Iterable<Draft>;

/** Whether something heard shows the fault. */
type Shows = (heard: Heard, evidence: Evidence) => boolean;

/** What is wrong with a server of a zone, the first that shows it being `first`. */
type ServerWords = (server: PickedServer, zone: Name, first: Heard, evidence: Evidence) => Words;

/** A check of what each server of each zone, at each of its addresses, said and how. */
export function byContact(shows: Shows, words: ServerWords): Check {
  return (evidence) => draftsAt(evidence.contacts, shows, words, evidence);
}

/** The same for a fault that nothing shows where all went smoothly. */
export function byRoughContact(shows: Shows, words: ServerWords): Check {
  return (evidence) => draftsAt(evidence.rough, shows, words, evidence);
}

function* draftsAt(
  contacts: readonly Contact[],
  shows: Shows,
  words: ServerWords,
  evidence: Evidence,
): Iterable<Draft> {
  for (const { zone, server, heard } of contacts) {
    const first = heard.find((one) => shows(one, evidence));
    if (first === undefined) continue;
    const showing = heard.filter((one) => shows(one, evidence));
    yield { zone, server, ...words(server, zone, first, evidence), proof: exchangesOf(showing) };
  }
}

/** A check of each name server that a delegation names. */
export function byDelegatedName(
  isWrong: (nameserver: Nameserver, zone: Name) => boolean,
  words: (name: Name, zone: Name) => Words,
): Check {
  return ({ referred }) =>
    referred.flatMap(({ delegation: { zone, nameservers }, heard }) =>
      nameservers
        .filter((nameserver) => isWrong(nameserver, zone))
        .map(({ name }) => ({ zone, server: { name }, ...words(name, zone), proof: exchangesOf(heard) })),
    );
}
