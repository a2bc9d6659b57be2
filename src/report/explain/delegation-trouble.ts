import { type End, isUnknown } from '../../evaluate/end.ts';
import { endWords } from '../../reading/end-words.ts';
import { listed } from '../../reading/listed.ts';
import { plain } from '../../reading/names.ts';
import type { Action, Advice } from './advice.ts';
import { effectAt, ownerOf, type Scene, type Subject } from './scene.ts';

type DelegationTrouble = Extract<
  End,
  { kind: 'no-glue' | 'unresolvable-ns' | 'loop' | 'alias-loop' | 'servfail' }
>;

/** Explains the cause of an end. */
type Explain = (cause: End) => Advice;

/** Ends for which no single server is to blame. `explain` explains the cause of one. */
export function explainDelegationTrouble(
  { end }: Subject<DelegationTrouble>,
  scene: Scene,
  explain: Explain,
): Advice {
  switch (end.kind) {
    case 'no-glue':
      return isUnexamined(end) ? unexamined(end, explain) : noGlue(end, scene);
    case 'unresolvable-ns':
      return isUnexamined(end) ? unexamined(end, explain) : unresolvable(end, scene, explain);
    case 'loop':
      return { means: `${ringWords(end)} ${effectAt(end.zone, scene)}`, actions: ringActions(end) };
    case 'alias-loop':
      return aliasLoop(end, scene);
    case 'servfail':
      return servfail(end);
  }
}

type NoAddress = Extract<End, { kind: 'no-glue' | 'unresolvable-ns' }>;

function isUnexamined({ cause }: NoAddress): boolean {
  return cause !== undefined && isUnknown(cause);
}

function unexamined({ nameserver, zone, cause }: NoAddress, explain: Explain): Advice {
  const { means, actions } = cause === undefined ? { means: '', actions: [] } : explain(cause);
  return {
    means: `The address of ${plain(nameserver)}, a name server of ${plain(zone)}, was not found out. ${means}`,
    actions,
  };
}

function unresolvable({ nameserver, zone, cause }: NoAddress, scene: Scene, explain: Explain): Advice {
  const reason = cause === undefined ? '' : `: ${causeWords(cause)}`;
  const what = `delegate ${plain(zone)} to servers whose addresses can be found (at the registrar)`;
  return {
    means: `The address of ${plain(nameserver)}, a name server of ${plain(zone)}, is not to be found${reason}. ${effectAt(zone, scene)}`,
    actions: [{ who: ownerOf(zone), what }, ...(cause === undefined ? [] : causeActions(cause, explain))],
  };
}

function servfail({ zone }: DelegationTrouble): Advice {
  const what = `have at least one server of ${plain(zone)} repaired: the other ends say what is wrong with each`;
  return {
    means: `No name server of ${plain(zone)} gives anything usable, so resolvers report failure: users get an error, after a wait.`,
    actions: [{ who: ownerOf(zone), what }],
  };
}

function aliasLoop({ target, zone }: Extract<End, { kind: 'alias-loop' }>, { query }: Scene): Advice {
  const what = 'change one of the aliases, so that they end at a name that has the records';
  return {
    means: `The aliases lead in a circle: whoever looks up ${plain(query.name)} comes back to ${plain(target)}. Resolvers notice and give up, so users get an error.`,
    actions: [{ who: `${ownerOf(zone)} or of another zone in the circle`, what }],
  };
}

function noGlue(end: Extract<End, { kind: 'no-glue' }>, scene: Scene): Advice {
  const [server, zone] = [plain(end.nameserver), plain(end.zone)];
  const parents = scene.parentsOf(end.zone).map(plain);
  const parent = parents.length === 0 ? 'the zone above' : listed(parents);
  const cause = end.cause === undefined ? '' : ` Asking for it nonetheless failed: ${causeWords(end.cause)}.`;
  return {
    means: `${server} is a name server of ${zone} and lies inside it: whoever does not know its address cannot ask for it, and ${parent} does not send it along (as glue).${cause} ${effectAt(end.zone, scene)}`,
    actions: [
      {
        who: ownerOf(end.zone),
        what: `give the addresses of ${server} to the registrar as host records, so that ${parent} sends them along`,
      },
    ],
  };
}

function causeWords(cause: End): string {
  if (cause.kind === 'loop')
    return `to find it, one has to know it already (the search comes back to ${plain(cause.nameserver)})`;
  const place =
    cause.server === null ? plain(cause.zone) : `${plain(cause.server.name)} (${cause.server.address})`;
  return `${endWords(cause)} (${plain(cause.question.name)}, at ${place})`;
}

/** Who else can help: those who can end the cause. */
function causeActions(cause: End, explain: Explain): readonly Action[] {
  const name = plain(cause.question.name);
  switch (cause.kind) {
    case 'nxdomain':
      return [
        {
          who: ownerOf(cause.zone),
          what: `add ${name}; if nobody has registered its domain, anybody can, and answer for others`,
        },
      ];
    case 'nodata':
      return [{ who: ownerOf(cause.zone), what: `give ${name} an address record` }];
    case 'loop':
      return ringActions(cause);
    default:
      return explain(cause).actions;
  }
}

function ringWords({ nameserver }: Extract<End, { kind: 'loop' }>): string {
  return `To find the address of ${plain(nameserver)}, one has to know it already: the zones depend on each other in a ring.`;
}

function ringActions({ nameserver, zone }: Extract<End, { kind: 'loop' }>): readonly Action[] {
  const what = `break the ring: give one of the zones a name server that does not depend on the others (here ${plain(zone)} depends on ${plain(nameserver)})`;
  return [{ who: `the owners of the zones`, what }];
}
