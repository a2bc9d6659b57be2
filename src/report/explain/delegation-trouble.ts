import type { Name } from '../../dns/name.ts';
import { endWords } from '../../document/words/end-words.ts';
import { listed } from '../../document/words/lists.ts';
import { plain, withAddress } from '../../document/words/names.ts';
import { type End, isUnknown } from '../../evaluate/end.ts';
import {
  type Action,
  type Advice,
  delegatedAt,
  failureCost,
  ownerOf,
  type ResultContext,
  type Subject,
} from '../advice.ts';

/** Explains an end for which no single server is to blame. `explain` explains the cause of one. */
export function explainDelegationTrouble(
  { end }: Subject<DelegationTrouble>,
  context: ResultContext,
  explain: Explain,
): Advice {
  switch (end.kind) {
    case 'no-glue':
      return isUnexamined(end) ? unexamined(end, explain) : noGlue(end, context);
    case 'unresolvable-ns':
      return isUnexamined(end) ? unexamined(end, explain) : unresolvable(end, context, explain);
    case 'loop':
      return { means: `${ringWords(end)} ${failureCost(end.zone, context)}`, actions: [ringAction(end)] };
    case 'alias-loop':
      return aliasLoop(end, context);
    case 'servfail':
      return servfail(end, explain);
  }
}

/** An end for which no single server is to blame. */
type DelegationTrouble = Extract<
  End,
  { kind: 'no-glue' | 'unresolvable-ns' | 'loop' | 'alias-loop' | 'servfail' }
>;

/** Explains the cause of an end. */
type Explain = (cause: End) => Advice;

type NoAddress = Extract<End, { kind: 'no-glue' | 'unresolvable-ns' }>;

function isUnexamined({ cause }: NoAddress): boolean {
  return cause !== undefined && isUnknown(cause);
}

function unexamined({ nameserver, zone, cause }: NoAddress, explain: Explain): Advice {
  const { means, actions } = cause === undefined ? { means: '', actions: [] } : explain(cause);
  return {
    means: `The address of ${plain(nameserver)}, a name server of ${plain(zone)}, could not be determined. ${means}`,
    actions,
  };
}

function unresolvable(
  { nameserver, zone, cause }: NoAddress,
  context: ResultContext,
  explain: Explain,
): Advice {
  const reason = cause === undefined ? '' : `: ${causeWords(cause, nameserver)}`;
  const what = `delegate ${plain(zone)} to name servers that can be resolved (${delegatedAt(zone, context)})`;
  return {
    means: `${plain(nameserver)}, a name server of ${plain(zone)}, cannot be resolved${reason}. ${failureCost(zone, context)}`,
    actions: [{ who: ownerOf(zone), what }, ...(cause === undefined ? [] : causeActions(cause, explain))],
  };
}

function servfail({ zone, cause }: Extract<End, { kind: 'servfail' }>, explain: Explain): Advice {
  if (cause?.kind === 'bogus') {
    const { means, actions } = explain(cause);
    const refused = `No name server of ${plain(zone)} gives a reply that a validating resolver can use, so its users get an error.`;
    return { means: `${refused} ${means}`, actions };
  }
  const why = cause === undefined ? '' : ` (${endWords(cause)})`;
  const what = `have at least one server of ${plain(zone)} repaired`;
  return {
    means: `No name server of ${plain(zone)} gives a usable reply${why}, so resolvers report failure: users get an error after a wait.`,
    actions: [{ who: ownerOf(zone), what }],
  };
}

function aliasLoop({ target, zone }: Extract<End, { kind: 'alias-loop' }>, { query }: ResultContext): Advice {
  const what = 'change one of the aliases, so that they end at a name that has the records';
  const back = target === query.name ? 'leads back to it' : `leads to ${plain(target)} again and again`;
  return {
    means: `The aliases form a loop: looking up ${plain(query.name)} ${back}. Resolvers notice and give up, so users get an error.`,
    actions: [{ who: `${ownerOf(zone)} or of another zone in the loop`, what }],
  };
}

function noGlue(end: Extract<End, { kind: 'no-glue' }>, context: ResultContext): Advice {
  const [server, zone] = [plain(end.nameserver), plain(end.zone)];
  const parents = context.parentsOf(end.zone).map(plain);
  const parent = parents.length === 0 ? 'the parent zone' : listed(parents);
  const cause =
    end.cause === undefined
      ? ''
      : ` Asking for it all the same failed: ${causeWords(end.cause, end.nameserver)}.`;
  const what = `have the addresses of ${server} added as glue (${delegatedAt(end.zone, context)}, as host records), so that ${parent} sends them along`;
  return {
    means: `${server} is a name server of ${zone} and its name lies inside that zone: its address is needed to look it up, and ${parent} does not send it along (as glue).${cause} ${failureCost(end.zone, context)}`,
    actions: [{ who: ownerOf(end.zone), what }],
  };
}

function causeWords(cause: End, nameserver: Name): string {
  if (cause.kind === 'loop') {
    return cause.nameserver === nameserver
      ? 'its own address is needed to look it up'
      : `looking it up leads to ${plain(cause.nameserver)}, whose own address is needed to look it up`;
  }
  const place = cause.server === null ? plain(cause.zone) : withAddress(cause.server);
  return `${endWords(cause)} (${plain(cause.question.name)}, at ${place})`;
}

/** Who else can help: those who can remove the cause. */
function causeActions(cause: End, explain: Explain): readonly Action[] {
  const name = plain(cause.question.name);
  if (cause.kind === 'nxdomain') {
    const what = `add ${name}; if its domain is not registered, anyone can register it and answer for others`;
    return [{ who: ownerOf(cause.zone), what }];
  }
  if (cause.kind === 'nodata') return [{ who: ownerOf(cause.zone), what: `give ${name} an address record` }];
  return cause.kind === 'loop' ? [ringAction(cause)] : explain(cause).actions;
}

function ringWords({ nameserver }: Extract<End, { kind: 'loop' }>): string {
  return `The address of ${plain(nameserver)} is needed to look it up: the zones depend on each other in a ring.`;
}

function ringAction({ nameserver, zone }: Extract<End, { kind: 'loop' }>): Action {
  const what = `break the ring: give one of the zones a name server that does not depend on the others (here ${plain(zone)} depends on ${plain(nameserver)})`;
  return { who: 'the owners of the zones', what };
}
