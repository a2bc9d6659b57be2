import { familyOf } from '../../dns/address.ts';
import { isAtOrBelow } from '../../dns/name.ts';
import { listed } from '../../document/words/lists.ts';
import { plain, withAddress } from '../../document/words/names.ts';
import type { End, PickedServer } from '../../evaluate/end.ts';
import {
  type Action,
  type Advice,
  delegatedAt,
  failureCost,
  namesText,
  numberOf,
  operatorOf,
  ownerOf,
  type ResultContext,
  type Subject,
  serversText,
} from '../advice.ts';

/** Explains an end in which a server gives nothing that a resolver can use. */
export function explainServerTrouble(subject: Subject<ServerTrouble>, context: ResultContext): Advice {
  const { end, servers } = subject;
  const means = `${serversText(servers)} ${whatItDid(subject, context)} ${failureCost(end.zone, context)}`;
  return {
    means,
    actions: actionsOn(subject, context),
  };
}

/** An end in which a server gives nothing that a resolver can use. */
type ServerTrouble = Extract<End, { kind: 'timeout' | 'unreachable' | 'malformed' | 'error' | 'lame' }>;

function whatItDid(subject: Subject<ServerTrouble>, context: ResultContext): string {
  const { end } = subject;
  const one = numberOf(subject.servers) === 'one';
  switch (end.kind) {
    case 'timeout':
    case 'unreachable':
      return silenceWords({ ...subject, end }, context);
    case 'malformed':
      return 'replied with a message that no resolver can use: it is broken or cut short, or answers another question.';
    case 'error':
      return `replied with ${end.rcode}: ${ERRORS[end.rcode] ?? 'the question cannot be answered there'}.`;
    case 'lame': {
      const zone = plain(end.zone);
      return one
        ? `is listed as a server of ${zone} but does not serve it (a lame delegation): the reply ${lameWords(end)}.`
        : `are listed as servers of ${zone} but do not serve it (a lame delegation): the reply ${lameWords(end)}.`;
    }
  }
}

type Silence = Extract<End, { kind: 'timeout' | 'unreachable' }>;

function silenceWords({ end, servers }: Subject<Silence>, context: ResultContext): string {
  const silent = end.kind === 'timeout';
  if (isSpecial(servers, context)) {
    return `${silent ? 'did not reply' : 'cannot be reached'}: the address is private or otherwise not reachable from the internet.`;
  }
  if (context.tooLargeForUdp(end)) {
    const problem = silent ? 'did not reply over TCP' : 'cannot be reached over TCP';
    return `replied over UDP that the answer is too large for it, but ${problem}.`;
  }
  return silent
    ? 'did not reply to any query: the server is down, or something on the way drops the packets.'
    : 'cannot be reached: the network reports that nothing listens there, or that there is no route.';
}

const ERRORS: Readonly<Record<string, string>> = {
  REFUSED: 'usually the zone was never set up there, or was removed',
  SERVFAIL: 'the zone is set up there, but has no usable copy: it was not loaded, or has expired',
  FORMERR: 'the server does not understand a plain query',
  NOTIMP: 'the server does not support a plain query',
  NOTAUTH: 'the zone is not set up there',
};

function lameWords({ reason, referredTo }: Extract<End, { kind: 'lame' }>): string {
  const target = referredTo === undefined ? 'another zone' : plain(referredTo);
  switch (reason) {
    case 'upward':
      return `refers back up to ${target}`;
    case 'self':
      return 'refers to the servers of that same zone';
    case 'sideways':
      return `refers to ${target}, which does not lead to the answer`;
    case 'empty':
      return 'is empty and not authoritative';
  }
}

/** If an address is no longer a server's own, nothing helps that is done there. */
function actionsOn(subject: Subject<ServerTrouble>, context: ResultContext): readonly Action[] {
  const { end, servers } = subject;
  const misled = servers.filter((server) => isMisled(server, context));
  const others = servers.filter((server) => !misled.includes(server));
  const corrections = misled.map((server) => {
    const right = `the zone itself says ${listed(context.addressesOf(server))}`;
    const what = `correct the glue of ${withAddress(server)} (${delegatedAt(end.zone, context)}): ${right}`;
    return { who: ownerOf(end.zone), what };
  });
  if (corrections.length === 0) return repairs(subject, context);
  return others.length === 0 ? corrections : [...corrections, ...repairs({ end, servers: others }, context)];
}

function isMisled(server: PickedServer, context: ResultContext): boolean {
  if (!context.isFound('GLUE_MISMATCH', server)) return false;
  const right = context.addressesOf(server);
  return right.length > 0 && !right.includes(server.address);
}

function repairs(subject: Subject<ServerTrouble>, context: ResultContext): readonly Action[] {
  const { end, servers } = subject;
  const operator = operatorOf(servers);
  const zone = plain(end.zone);
  switch (end.kind) {
    case 'timeout':
    case 'unreachable':
      return silenceActions({ servers, end }, context);
    case 'malformed':
      return [
        { who: operator, what: 'update or repair the DNS software, or whatever stands in front of it' },
        removal(subject, context),
      ];
    case 'error': {
      const isSetUp = end.rcode !== 'REFUSED' && end.rcode !== 'NOTAUTH';
      const what = `look at the server's log, load ${zone}, and keep the software up to date`;
      const repair = isSetUp ? [{ who: operator, what }] : setUp(subject, context, 'for everyone to query');
      return [...repair, removal(subject, context)];
    }
    case 'lame':
      return [...setUp(subject, context, 'as a primary or a secondary'), removal(subject, context)];
  }
}

/** What helps against silence. It depends on what else is known of the servers, such as replies over UDP or IPv4. */
function silenceActions(subject: Subject<Silence>, context: ResultContext): readonly Action[] {
  const { end, servers } = subject;
  if (isSpecial(servers, context)) {
    const what = `give ${namesText(servers)} a public address, or ${removalWords(subject, context)}`;
    return [{ who: ownerOf(end.zone), what }];
  }
  const who = operatorOf(servers);
  if (context.tooLargeForUdp(end)) return [{ who, what: 'let TCP through to port 53 of the server' }];
  if (isEach(servers, (server) => context.isFound('NS_V6_DEAD', server))) {
    return [{ who, what: 'repair IPv6 there, or remove the IPv6 address: over IPv4 the server replies' }];
  }
  return [
    { who, what: 'start the server, and let UDP and TCP through to its port 53' },
    removal(subject, context),
    ...networkActions(subject, context),
  ];
}

/** The address of a server inside the zone comes from glue. If that is out of date, the wrong server was asked. */
function setUp(
  { end, servers }: Subject<ServerTrouble>,
  context: ResultContext,
  how: string,
): readonly Action[] {
  const zone = plain(end.zone);
  const action = { who: operatorOf(servers), what: `set ${zone} up there, ${how}` };
  const isConfirmed = (server: PickedServer) => context.addressesOf(server).includes(server.address);
  if (servers.every(isConfirmed) || !servers.every(({ name }) => isAtOrBelow(name, end.zone)))
    return [action];
  const check = `check the address of ${serversText(servers)}: if it is out of date, correct the glue (${delegatedAt(end.zone, context)})`;
  return [
    { who: ownerOf(end.zone), what: check },
    { ...action, what: `if the address is right, ${action.what}` },
  ];
}

function removal(subject: Subject<ServerTrouble>, context: ResultContext): Action {
  const { end, servers } = subject;
  const what = `if ${namesText(servers)} should no longer serve ${plain(end.zone)}, ${removalWords(subject, context)}`;
  return { who: ownerOf(end.zone), what };
}

function removalWords({ end, servers }: Subject<ServerTrouble>, context: ResultContext): string {
  const it = numberOf(servers) === 'one' ? 'it' : 'them';
  return `remove ${it} from the delegation (${delegatedAt(end.zone, context)}) and from the zone's NS records`;
}

/** Where no IPv6 address replied at all, the network that asks may be to blame. */
function networkActions({ servers }: Subject<Silence>, context: ResultContext): readonly Action[] {
  if (!isEach(servers, ({ address }) => familyOf(address) === 6) || context.isHeardOver(6)) return [];
  return [{ who: 'you', what: 'make sure that IPv6 works from here, or ask over IPv4 only (-4)' }];
}

function isSpecial(servers: Subject['servers'], context: ResultContext): boolean {
  return isEach(servers, (server) => context.isFound('NS_ADDR_NOT_GLOBAL', server));
}

function isEach(servers: Subject['servers'], test: (server: PickedServer) => boolean): boolean {
  return servers.length > 0 && servers.every(test);
}
