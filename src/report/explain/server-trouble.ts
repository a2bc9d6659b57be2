import type { End } from '../../evaluate/end.ts';
import { plain } from '../../reading/names.ts';
import { familyOf } from '../../wire/address.ts';
import type { Action, Advice } from './advice.ts';
import { effectAt, numberOf, operatorOf, ownerOf, type Scene, type Subject, serversText } from './scene.ts';

type ServerTrouble = Extract<End, { kind: 'timeout' | 'unreachable' | 'malformed' | 'error' | 'lame' }>;

/** Ends in which a server gives nothing that a resolver can use. */
export function explainServerTrouble(subject: Subject<ServerTrouble>, scene: Scene): Advice {
  const { end } = subject;
  const zone = plain(end.zone);
  const means = `${serversText(subject)} ${whatItDid(subject, scene)} ${effectAt(end.zone, scene)}`;
  const remove = `if ${zone} is not to be served there any more, remove the server from the delegation (at the registrar) and from the zone's NS records`;
  return {
    means,
    actions: [
      { who: operatorOf(subject), what: repair(end) },
      { who: ownerOf(end.zone), what: remove },
      ...familyAction(subject),
    ],
  };
}

function whatItDid(subject: Subject<ServerTrouble>, scene: Scene): string {
  const { end } = subject;
  const how = scene.tooLargeForUdp(end) ? ' over TCP, which a reply of this size takes' : '';
  switch (end.kind) {
    case 'timeout':
      return `did not reply to any try${how}: out of service, or something on the way drops the packets.`;
    case 'unreachable':
      return `cannot be reached${how}: the network says that nothing listens there or that no way leads there.`;
    case 'malformed':
      return 'replied with what no resolver can use: a message that is broken or cut short, or that answers another question.';
    case 'error':
      return `replied with the error ${end.rcode}: ${ERRORS[end.rcode] ?? 'the question cannot be answered there'}.`;
    case 'lame': {
      const zone = plain(end.zone);
      return numberOf(subject) === 'one'
        ? `is named as a server of ${zone}, but does not serve the zone (a lame delegation): the reply ${lameWords(end)}.`
        : `are named as servers of ${zone}, but do not serve the zone (a lame delegation): the reply ${lameWords(end)}.`;
    }
  }
}

const ERRORS: Readonly<Record<string, string>> = {
  REFUSED: 'most often the zone was never set up there, or was removed',
  SERVFAIL: 'the zone is set up there, but there is no usable copy of it: not loaded, or expired',
  FORMERR: 'a plain query is not understood there',
  NOTIMP: 'a plain query is not supported there',
  NOTAUTH: 'the zone is not set up there',
};

function lameWords({ reason, referredTo }: Extract<End, { kind: 'lame' }>): string {
  const target = referredTo === undefined ? 'another zone' : plain(referredTo);
  switch (reason) {
    case 'upward':
      return `points back up, to ${target}`;
    case 'self':
      return 'points to the servers of the very same zone';
    case 'sideways':
      return `points to ${target}, which does not lead to the answer`;
    case 'empty':
      return 'is empty and not authoritative';
  }
}

function repair(end: ServerTrouble): string {
  const zone = plain(end.zone);
  switch (end.kind) {
    case 'timeout':
    case 'unreachable':
      return 'start the server, and let UDP and TCP through to its port 53';
    case 'malformed':
      return 'update or repair the DNS software, or what stands in front of it';
    case 'error':
      return end.rcode === 'REFUSED' || end.rcode === 'NOTAUTH'
        ? `set ${zone} up there, for everybody to ask`
        : `look into the server's log, and get ${zone} loaded and the software up to date`;
    case 'lame':
      return `set ${zone} up there, as a primary or a secondary`;
  }
}

/** What fails over IPv6 alone can be the fault of the network that asks. */
function familyAction({ end, servers }: Subject<ServerTrouble>): readonly Action[] {
  const isNetwork = end.kind === 'timeout' || end.kind === 'unreachable';
  if (!isNetwork || servers.length === 0 || servers.some(({ address }) => familyOf(address) === 4)) return [];
  return [{ who: 'you', what: 'make sure that IPv6 works from here: with -4, only IPv4 is asked' }];
}
