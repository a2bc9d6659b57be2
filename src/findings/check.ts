/* The kinds of checks, and the frames for a fault of one server, exchange or probe. */

import { getOrMake } from '../base/memo.ts';
import type { Name } from '../dns/name.ts';
import type { Finding, Severity } from '../document/finding.ts';
import { byFamily, grouped, listed } from '../document/words/lists.ts';
import { plain, withAddress } from '../document/words/names.ts';
import type { PickedServer } from '../evaluate/end.ts';
import type { Fraction } from '../evaluate/fraction.ts';
import type { Exchanged, Probed, ProbeKind } from '../exchange/exchanged.ts';
import type { Nameserver } from '../explore/delegation.ts';
import type { FindingCode } from './catalogue.ts';
import { type Contact, type Evidence, exchangesOf, type Observation, oncePer } from './evidence.ts';
import { althoughItAnswers, type FaultScope, faultScope, queriesIn } from './fault-scope.ts';

/**
 * Looks for one kind of fault. Pure; says nothing if there is too little evidence.
 */
export type Check = (evidence: Evidence) => readonly Draft[];

/** What a finding says: two plain sentences, without their full stops. */
export interface Words {
  /** What is wrong. */
  readonly problem: string;
  /** What to do about it. */
  readonly advice: string;
}

/** What a finding says of replies that do not validate: the cost to users follows the problem, and then the detail. */
export interface BogusWords extends Words {
  /** What to do where other servers of the zone return what validates, if it is something else. */
  readonly adviceThere?: string;
  /** The whole problem at every server of a zone, if its subject is another one than "every server". */
  readonly everywhere?: string;
  /** A sentence, or several, on how the reply came to this. */
  readonly detail?: string;
}

/** A finding as its check sees it: without what the catalogue says of its code. */
export interface Draft extends Words {
  readonly zone?: Name;
  readonly server?: NonNullable<Finding['server']>;
  readonly proof: readonly Exchanged[];
  /** The place in a zone file; absent: it is not about one. */
  readonly at?: { readonly file: string; readonly line: number };
  /** If it is not the usual severity of the code. */
  readonly severity?: Severity;
  /** What fails at the server, if something does. */
  readonly scope?: FaultScope;
  /** The parts of what it comes to that can have causes of their own; none where only the whole has causes. */
  readonly parts?: readonly Part[];
}

/** A part of what goes wrong, and the exchanges that show how. */
export interface Part extends Pick<Draft, 'zone' | 'server' | 'proof'> {
  /** Of lookups, or of first attempts; absent where several parts bring a share about together. */
  readonly share?: Fraction;
}

/** Checks by the codes of their findings: each heading of the catalogue has one such table, or several. */
export type Checks = Readonly<Partial<Record<FindingCode, Check>>>;

/** A fault of a server of a zone at one of its addresses, as a row of a table. */
interface ServerFault {
  /** Whether one of the server's replies, or their absence, shows the fault. */
  readonly when: (observed: Observation, evidence: Evidence) => boolean;
  readonly problem: (shown: ShownFault) => string;
  readonly advice: string | ((shown: ShownFault) => string);
  /** What fails there; absent: what the exchanges that show the fault asked for. */
  readonly scope?: (shown: ShownFault, proof: readonly Exchanged[]) => FaultScope;
}

/** What fails does not depend on what is asked. */
export const everything = (): FaultScope => ({ kind: 'everything' });

/** A fault that was found at a server, for its words. */
export interface ShownFault {
  readonly server: PickedServer;
  readonly zone: Name;
  /** The first that shows it. */
  readonly first: Observation;
  readonly evidence: Evidence;
}

/** A check of each server of each zone, at each of its addresses. */
export function atServer(fault: ServerFault): Check {
  return (evidence) => draftsAt(evidence.contacts, fault, evidence);
}

/** A server that fails at something that it is asked for a zone, as a row of a table. */
interface ServerFailure extends Pick<ServerFault, 'when'> {
  /** What it does to queries: "refuses queries for example"; `scope`: to which. */
  readonly does: (queries: string, first: Observation, scope: FaultScope) => string;
  /** What to do if it fails at everything. */
  readonly advice: (shown: ShownFault) => string;
  /** What to do where it answers other questions. */
  readonly advicePartly: string;
}

/** A check of each server for failures, with what fails there. What no path asks hurts nobody who asks the question. */
export function atFailingServer({ when, does, advice, advicePartly }: ServerFailure): Check {
  return (evidence) =>
    evidence.roughAnywhere.flatMap((contact): readonly Draft[] => {
      const showing = contact.observed.filter((one) => when(one, evidence));
      const [first] = showing;
      if (first === undefined) return [];
      const { zone, server } = contact;
      const proof = exchangesOf(showing);
      const scope = faultScope(evidence, contact, proof);
      const isWhole = scope.kind === 'everything';
      const isMet = proof.some((exchanged) => onPaths(evidence).has(exchanged));
      return [
        {
          zone,
          server,
          scope,
          problem: `${withAddress(server)} ${does(queriesIn(scope, zone), first, scope)}${althoughItAnswers(evidence, contact, scope)}`,
          advice: isWhole ? advice({ server, zone, first, evidence }) : advicePartly,
          proof,
          ...(!isMet && { severity: 'warning' }),
        },
      ];
    });
}

/** What paths ask. */
const onPaths = oncePer(
  ({ contacts }: Evidence) => new Set(contacts.flatMap(({ observed }) => exchangesOf(observed))),
);

/** The same for a fault that any exchange can show, also one that no path contains. */
export function atRoughExchange(fault: ServerFault): Check {
  return (evidence) => draftsAt(evidence.roughAnywhere, fault, evidence);
}

function draftsAt(
  contacts: readonly Contact[],
  { when, problem, advice, scope }: ServerFault,
  evidence: Evidence,
): readonly Draft[] {
  const drafts: Draft[] = [];
  for (const { zone, server, observed } of contacts) {
    const showing = observed.filter((one) => when(one, evidence));
    const [first] = showing;
    if (first === undefined) continue;
    const shown = { server, zone, first, evidence };
    const proof = exchangesOf(showing);
    drafts.push({
      zone,
      server,
      problem: problem(shown),
      advice: typeof advice === 'string' ? advice : advice(shown),
      proof,
      ...(scope && { scope: scope(shown, proof) }),
    });
  }
  return drafts;
}

/** A fault of the name of a server in a delegation, as a row of a table. */
interface NameFault {
  readonly when: (nameserver: Nameserver, zone: Name) => boolean;
  readonly problem: (name: Name, zone: Name) => string;
  readonly advice: string;
}

/** A check of each name server that a delegation names. */
export function atDelegatedName({ when, problem, advice }: NameFault): Check {
  return ({ referred }) =>
    referred.flatMap(({ delegation: { zone, nameservers }, observed }) =>
      nameservers
        .filter((nameserver) => when(nameserver, zone))
        .map(({ name }) => {
          return {
            zone,
            server: { name },
            problem: problem(name, zone),
            advice,
            proof: exchangesOf(observed),
          };
        }),
    );
}

/** A server of a zone on the main walk, and what came of the probes of its address. */
interface ProbedServer {
  readonly zone: Name;
  readonly server: PickedServer;
  readonly probes: ReadonlyMap<ProbeKind, Probed>;
}

/** The servers that were probed, in each of their zones. */
export function probedServers({ zones, recording }: Evidence): readonly ProbedServer[] {
  const byAddress = new Map<string, Map<ProbeKind, Probed>>();
  for (const probed of recording.probes) {
    getOrMake(byAddress, probed.address, () => new Map<ProbeKind, Probed>()).set(probed.probe, probed);
  }
  return [...zones.values()].flatMap(({ zone, servers }) =>
    servers.flatMap(({ address, names: [name] }): readonly ProbedServer[] => {
      const probes = byAddress.get(address);
      if (probes === undefined || name === undefined) return [];
      return [{ zone, server: { name, address }, probes }];
    }),
  );
}

/** A fault that the probes of one kind show, as a row of a table. */
interface ProbeFault {
  readonly probe: ProbeKind;
  readonly when: (probed: Probed, zone: Name, evidence: Evidence) => boolean;
  readonly problem: (shown: Pick<ShownFault, 'server' | 'zone'>) => string;
  readonly advice: string;
  /** What else fails there; absent: nothing. */
  readonly scope?: () => FaultScope;
}

/** A check of each probed server, for each of its zones. */
export function atProbedServer({ probe, when, problem, advice, scope }: ProbeFault): Check {
  return (evidence) => {
    const drafts: Draft[] = [];
    for (const { zone, server, probes } of probedServers(evidence)) {
      const probed = probes.get(probe);
      if (probed === undefined || !when(probed, zone, evidence)) continue;
      const words = { problem: problem({ server, zone }), advice };
      drafts.push({ zone, server, ...words, proof: [probed], ...(scope && { scope: scope() }) });
    }
    return drafts;
  };
}

/** Servers in a sentence, each once with its addresses: "ns1.example (192.0.2.1, 2001:db8::1)". */
export function serverWords(servers: readonly PickedServer[]): readonly string[] {
  return grouped(servers, ({ name }) => name).map((own) => {
    const addresses = [...new Set(own.map(({ address }) => address))].sort(byFamily);
    return `${plain(own[0].name)} (${addresses.join(', ')})`;
  });
}

/** "ns1.example (192.0.2.1) returns", "ns1.example (192.0.2.1) and ns2.example (192.0.2.2) return" */
export function returnWords(observed: readonly Pick<Observation, 'server'>[]): string {
  const servers = serverWords(observed.map(({ server }) => server));
  return `${listed(servers)} ${servers.length === 1 ? 'returns' : 'return'}`;
}

/** The server that alone gave these replies; none if several did. */
export function onlyServerOf(observed: readonly Pick<Observation, 'server'>[]): Pick<Draft, 'server'> {
  const [first, ...more] = observed.map(({ server }) => server);
  if (first === undefined || more.some(({ name }) => name !== first.name)) return {};
  return { server: more.length === 0 ? first : { name: first.name } };
}

/** A reply, or a part of one, that shows a fault of a zone. */
interface ShownInZone {
  readonly zone: Name;
  readonly exchanged: Exchanged;
}

/** A fault of a zone, as a row of a table. */
interface ZoneFault<T extends ShownInZone> {
  /** What may show it, in any zone. */
  readonly when: (evidence: Evidence) => readonly T[];
  /** What all of that in one zone comes to; undefined: no fault after all. The proof: if it is not the replies. */
  readonly words: (
    shown: readonly [T, ...T[]],
    evidence: Evidence,
  ) => (Omit<Draft, 'zone' | 'proof'> & Partial<Pick<Draft, 'proof'>>) | undefined;
}

/** A check of each zone. */
export function inZone<T extends ShownInZone>({ when, words }: ZoneFault<T>): Check {
  return (evidence) => {
    const drafts: Draft[] = [];
    for (const shown of grouped(when(evidence), ({ zone }) => zone)) {
      const told = words(shown, evidence);
      const proof = [...new Set(shown.map(({ exchanged }) => exchanged))];
      if (told !== undefined) drafts.push({ zone: shown[0].zone, proof, ...told });
    }
    return drafts;
  };
}

/** Both checks, for a fault that replies or probes can show. */
export function either(one: Check, other: Check): Check {
  return (evidence) => [...one(evidence), ...other(evidence)];
}
