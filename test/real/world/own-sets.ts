import { address, type Zone, zone } from './zone.ts';

/** What each server answers for the names of the zones below, so that users' answers tell who was asked. */
export const answerOf = {
  nsd: '192.0.2.201',
  knot: '192.0.2.202',
  powerdns: '192.0.2.203',
  bind: '192.0.2.204',
} as const;

export type Host = keyof typeof answerOf;

/** The names in each zone below: a resolver cannot have the answer to one from having asked another. */
export const namesAsked = ['first', 'second', 'third', 'fourth'] as const;

/** A zone with NS records of its own, the servers that have it, and what is at its apex. */
interface OwnSetZone {
  readonly origin: string;
  readonly hosts: readonly Host[];
  readonly apex: string;
}

const onKnotAndPowerdns = `
  @   NS ns3
  @   NS ns4
  ns3 A  ${address.knot}
  ns4 A  ${address.powerdns}`;

const zones: readonly OwnSetZone[] = [
  // The registry's server is BIND, whose replies carry the zone's own NS RRset and a DNS cookie.
  { origin: 'told.test.', hosts: ['bind', 'knot', 'powerdns'], apex: onKnotAndPowerdns },
  // The registry's server is NSD, whose replies carry the zone's own NS RRset and no cookie.
  { origin: 'nocookie.test.', hosts: ['nsd', 'knot', 'powerdns'], apex: onKnotAndPowerdns },
  // The registry's servers are Knot DNS and PowerDNS, whose answers carry no NS RRset.
  {
    origin: 'quiet.test.',
    hosts: ['nsd', 'knot', 'powerdns', 'bind'],
    apex: `
      @   NS ns3
      @   NS ns4
      ns3 A  ${address.nsd}
      ns4 A  ${address.bind}`,
  },
  // One server is the registry's and the zone's.
  {
    origin: 'shared.test.',
    hosts: ['nsd', 'knot', 'bind'],
    apex: `
      @   NS ns2
      @   NS ns3
      ns2 A  ${address.bind}
      ns3 A  ${address.knot}`,
  },
  // The names are the registry's, the addresses are not.
  {
    origin: 'moved.test.',
    hosts: ['nsd', 'knot', 'powerdns', 'bind'],
    apex: `
      @   NS ns1
      @   NS ns2
      ns1 A  ${address.knot}
      ns2 A  ${address.powerdns}`,
  },
  // The zone names servers that do not have it yet: they refuse.
  { origin: 'early.test.', hosts: ['bind'], apex: onKnotAndPowerdns },
  // The zone names servers elsewhere.
  {
    origin: 'away.test.',
    hosts: ['nsd', 'powerdns', 'bind'],
    apex: `
      @ NS ns1.hoster.example.
      @ NS ns2.hoster.example.`,
  },
];

/** Those that this server has. */
export function ownSetZonesOn(host: Host): readonly Zone[] {
  const names = namesAsked.map((name) => `${name} A ${answerOf[host]}`).join('\n');
  return zones
    .filter(({ hosts }) => hosts.includes(host))
    .map(({ origin, apex }) => zone(origin, `${apex}\n${names}`));
}
