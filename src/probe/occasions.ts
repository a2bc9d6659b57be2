import type { Exchanged } from '../exchange/exchanged.ts';
import type { ProbeKind } from '../exchange/probed.ts';
import { isDisowning, servesSomething } from '../explore/meaning-for.ts';
import { familyOf } from '../wire/address.ts';
import type { Flag } from '../wire/message.ts';
import { isAtOrBelow, ROOT } from '../wire/name.ts';
import type { Question } from '../wire/question.ts';
import { type AskedServer, servedZone, soaQuestion } from './asked-server.ts';
import { nameAbove, sameNameOtherType } from './names-to-try.ts';

/** What to ask a server; undefined where what was heard gives no reason to, or shows the answer already. */
type Occasion = (server: AskedServer) => Question | undefined;

/** When each kind of probe is worth a packet: svc-model(7), COLD AND WARM. */
export const OCCASIONS: Readonly<Record<ProbeKind, Occasion>> = {
  tcp: (server) => {
    const isOpen = repliedOver(server, 'udp') && !server.heard.some(usedTcp);
    return isOpen ? soaQuestion(servedZone(server) ?? server.zones[0]) : undefined;
  },
  'no-edns': ({ zones, heard }) => (heard.every(timedOutWithEdns) ? soaQuestion(zones[0]) : undefined),
  'edns-version': soaOverEdns,
  'edns-option': soaOverEdns,
  recursion: ({ heard }) => (heard.some((one) => hasFlag(one, 'ra')) ? soaQuestion(ROOT) : undefined),
  'other-type': sameNameOtherType,
  ancestor: nameAbove,
  'own-name': ownAddress,
};

function repliedOver({ heard }: AskedServer, transport: Exchanged['transport']): boolean {
  return heard.some((one) => one.outcome.kind === 'reply' && one.transport === transport);
}

function usedTcp({ tries }: Exchanged): boolean {
  return tries.some(({ transport }) => transport === 'tcp');
}

function timedOutWithEdns({ outcome, tries }: Exchanged): boolean {
  if (outcome.kind !== 'timeout' || tries.length === 0) return false;
  return tries.every(
    (one) =>
      one.edns && one.transport === 'udp' && one.outcome.kind === 'timeout' && one.ignored.length === 0,
  );
}

/** A server that sends no OPT record need not know any of it (RFC 6891 7). */
function soaOverEdns(server: AskedServer): Question | undefined {
  const zone = servedZone(server);
  const knowsEdns = server.heard.some(
    ({ outcome }) => outcome.kind === 'reply' && outcome.edns !== undefined,
  );
  return zone !== undefined && knowsEdns ? soaQuestion(zone) : undefined;
}

function hasFlag({ outcome }: Exchanged, flag: Flag): boolean {
  return outcome.kind === 'reply' && outcome.flags.includes(flag);
}

/** A server that disowns a zone may be out of order altogether, unless something else shows that it is not. */
function ownAddress({ address, zones, names, heard }: AskedServer): Question | undefined {
  if (heard.some(servesSomething)) return undefined;
  const disowned = zones.find((zone) => heard.some((one) => isDisowning(one, zone)));
  const name = disowned && names.find((one) => !isAtOrBelow(one, disowned));
  return name && { name, type: familyOf(address) === 4 ? 'A' : 'AAAA' };
}
