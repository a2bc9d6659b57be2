import type { End } from '../../evaluate/end.ts';
import { listed, plain } from '../findings/words.ts';
import { endWords } from '../text/end-words.ts';
import type { Action, Advice } from './advice.ts';
import { effectAt, ownerOf, type Scene, type Subject, serversText } from './scene.ts';

type DelegationTrouble = Extract<
  End,
  { kind: 'no-glue' | 'unresolvable-ns' | 'loop' | 'alias-loop' | 'servfail' }
>;

/** Ends for which no single server is to blame. `explain` explains the cause of one. */
export function explainDelegationTrouble(
  { end, servers }: Subject<DelegationTrouble>,
  scene: Scene,
  explain: (cause: End) => Advice,
): Advice {
  const zone = plain(end.zone);
  const effect = effectAt(end.zone, scene);
  switch (end.kind) {
    case 'no-glue':
      return noGlue(end, scene);
    case 'unresolvable-ns': {
      const reason = end.cause === undefined ? '' : `: ${causeWords(end.cause)}`;
      return {
        means: `The address of ${plain(end.nameserver)}, a name server of ${zone}, is not to be found${reason}. ${effect}`,
        actions: [
          {
            who: ownerOf(end.zone),
            what: `delegate ${zone} to servers whose addresses can be found (at the registrar)`,
          },
          ...(end.cause === undefined ? [] : causeActions(end.cause, explain)),
        ],
      };
    }
    case 'loop':
      return { means: `${ringWords(end)} ${effect}`, actions: ringActions(end) };
    case 'alias-loop': {
      const by = servers.length === 0 ? '' : ` (so ${serversText({ end, servers })})`;
      return {
        means: `The aliases lead in a circle: from ${plain(scene.query.name)} they come back to ${plain(end.target)}${by}. Resolvers notice and give up, so users get an error.`,
        actions: [
          {
            who: ownerOf(end.zone),
            what: 'change one of the aliases, so that they end at a name that has the records',
          },
        ],
      };
    }
    case 'servfail':
      return {
        means: `No name server of ${zone} gives anything usable, so resolvers report failure: users get an error, after a wait.`,
        actions: [
          {
            who: ownerOf(end.zone),
            what: `have at least one server of ${zone} repaired: the other ends here say what is wrong with each`,
          },
        ],
      };
  }
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
function causeActions(cause: End, explain: (cause: End) => Advice): readonly Action[] {
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
