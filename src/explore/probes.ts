import { getOrMake } from '../base/memo.ts';
import { familyOf } from '../dns/address.ts';
import { nsecsIn, ownerExists } from '../dns/dnssec/denial-records.ts';
import { type Flag, type Question, questionKey } from '../dns/message.ts';
import { isAtOrBelow, isBelow, labelCount, type Name, parentOf, ROOT } from '../dns/name.ts';
import type { Exchanged, Probe, Probed, ProbeKind, Probing } from '../exchange/exchanged.ts';
import type { Query } from '../exchange/query.ts';
import {
  type AskedServer,
  askedServers,
  type Existence,
  existenceIn,
  servedZone,
  soaQuestion,
  zoneOf,
} from './asked-servers.ts';
import { type Budget, BudgetGuard } from './budget.ts';
import { disownsZone, servesSomeZone } from './classify.ts';
import { Denied } from './policy.ts';
import type { Recording } from './recording.ts';
import type { ReplayedExploration } from './replayed-exploration.ts';

/**
 * The probes that are worth sending after everything was asked, because what was heard leaves something open: at most one
 * of a kind for each address. A pure function of the recording.
 */
export function planProbes(recording: Recording, known: ReplayedExploration): readonly Probe[] {
  return askedServers(recording, known).flatMap((server) =>
    KINDS.flatMap((probe) => {
      const question = PROBE_QUESTIONS[probe](server);
      if (question === undefined) return [];
      const planned = { probe, address: server.address, question };
      return isAnswered(planned, server) ? [] : [planned];
    }),
  );
}

/** Whether an exchange asked the same in the same way: its reply serves. Of the other kinds, the way of asking is the point. */
function isAnswered({ probe, question }: Probe, { heard }: AskedServer): boolean {
  const key = questionKey(question);
  return isAskedAsUsual({ probe }) && heard.some((one) => questionKey(one.question) === key);
}

const ASKED_AS_USUAL: ReadonlySet<ProbeKind> = new Set([
  'other-type',
  'control',
  'ancestor',
  'own-name',
  'next-name',
  'host-address',
  'wildcard',
  'authorities',
]);

/** Whether a probe asks as resolvers do. */
export function isAskedAsUsual({ probe }: Pick<Probe, 'probe'>): boolean {
  return ASKED_AS_USUAL.has(probe);
}

/** A name that the server was asked for, by what type, and what it said. */
interface Statement {
  readonly question: Question;
  readonly zone: Name;
  readonly existence: Existence;
}

/** The name asked, by another type: a name exists for every type or for none (RFC 1034 4.3.2). */
function sameNameOtherType(server: AskedServer): Question | undefined {
  const said = statementsBy(server);
  const types = typesByName(said);
  const open = said.find(({ question }) => types.get(question.name)?.size === 1);
  return open && { name: open.question.name, type: otherType(open.question.type) };
}

/** The other type of address; A for all that is none. */
export function otherType(type: string): string {
  return type === 'A' ? 'AAAA' : 'A';
}

/** The name above one that exists: it exists too (RFC 8020 2), even if it has no records. */
function nameAbove(server: AskedServer): Question | undefined {
  const said = statementsBy(server);
  const known = typesByName(said);
  for (const { question, zone, existence } of said) {
    const above = parentOf(question.name);
    const isInside = labelCount(question.name) - labelCount(zone) >= 2;
    if (existence === 'exists' && isInside && above !== undefined && !known.has(above))
      return { name: above, type: question.type };
  }
  return undefined;
}

/** What the server said of names below its zones: of the name looked up first, then in the order of names. */
function statementsBy(server: AskedServer): readonly Statement[] {
  const isMain = ({ question }: Statement) => question.name === server.question.name;
  return server.heard
    .flatMap((exchanged) => statementOf(server, exchanged))
    .sort((a, b) => Number(isMain(b)) - Number(isMain(a)) || byText(a.question.name, b.question.name));
}

function statementOf(server: AskedServer, exchanged: Exchanged): readonly Statement[] {
  const { question } = exchanged;
  const zone = zoneOf(server, question.name);
  const existence = zone && existenceIn(exchanged, zone);
  return zone === undefined || existence === undefined ? [] : [{ question, zone, existence }];
}

function typesByName(said: readonly Statement[]): ReadonlyMap<Name, ReadonlySet<string>> {
  const types = new Map<Name, Set<string>>();
  for (const { question } of said)
    getOrMake(types, question.name, () => new Set<string>()).add(question.type);
  return types;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The kinds of the probes of `--check`; repeats and those that every traversal makes have plans of their own (repeats.ts, usual-probes.ts). */
type CheckKind = Exclude<ProbeKind, 'repeat' | 'control' | 'host-address' | 'wildcard' | 'authorities'>;

/** What to ask a server; undefined where what was heard gives no reason to, or shows the answer already. */
type Occasion = (server: AskedServer) => Question | undefined;

/** When each kind of probe is worth a packet: svc-model(7), COLD AND WARM. */
const PROBE_QUESTIONS: Readonly<Record<CheckKind, Occasion>> = {
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
  'next-name': nextInChain,
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
  if (heard.some(servesSomeZone)) return undefined;
  const disowned = zones.find((zone) => heard.some((one) => disownsZone(one, zone)));
  const name = disowned && names.find((one) => !isAtOrBelow(one, disowned));
  return name && { name, type: familyOf(address) === 4 ? 'A' : 'AAAA' };
}

/** The next name of an NSEC record, which has one of its own (RFC 4034 4.1.1), unless records are made for each reply. */
function nextInChain(server: AskedServer): Question | undefined {
  const nsecs = server.heard.flatMap(({ outcome }) =>
    outcome.kind === 'reply' ? nsecsIn(outcome.authority) : [],
  );
  const names = nsecs.filter(ownerExists).flatMap(({ owner, next }) => {
    const zone = zoneOf(server, owner);
    return zone !== undefined && isBelow(next, zone) && next !== `\\000.${owner}` ? [next] : [];
  });
  const [name] = names.sort(byText);
  return name && { name, type: 'NSEC' };
}

const KINDS = Object.keys(PROBE_QUESTIONS).filter(isKind);

function isKind(text: string): text is CheckKind {
  return text in PROBE_QUESTIONS;
}

/** What probes are carried out with. */
interface ProbingSurroundings {
  readonly probing: Probing;
  /** What is left of the traversal's budget. */
  readonly budget: Budget;
  /** Whether the policy in force allows a query: is asked before each packet. */
  readonly mayAsk: (query: Query) => boolean;
  readonly signal: AbortSignal;
}

/** The probes of which something came, in their order, and what is left of the budget. */
interface ProbesMade {
  readonly probes: readonly Probed[];
  readonly budget: Budget;
}

/**
 * Carries out all probes that `plan` gives at once, as far as pacing, the budget and the signal allow, then those that it
 * gives by what came of these, until there are none. What the policy forbids is not sent. Rejects only for a bug.
 */
export async function probeInRounds(
  plan: (made: readonly Probed[]) => readonly Probe[],
  { probing, budget, mayAsk, signal }: ProbingSurroundings,
): Promise<ProbesMade> {
  const guard = new BudgetGuard(budget, signal);
  const carryOut = async (probe: Probe): Promise<readonly Probed[]> => {
    const leaving = () => {
      if (!mayAsk(probe)) throw new Denied();
      guard.send();
    };
    try {
      const probed = await probing(probe, guard.stop, leaving);
      guard.hear(probed.traffic.bytesReceived);
      return [probed];
    } catch (error) {
      if (guard.stop.aborted || error instanceof Denied) return [];
      throw error;
    }
  };
  try {
    let probes: readonly Probed[] = [];
    for (let next = plan(probes).filter(mayAsk); next.length > 0; next = plan(probes).filter(mayAsk)) {
      const made = (await Promise.all(next.map(carryOut))).flat();
      probes = [...probes, ...made];
      // A probe that was not made would be planned for ever.
      if (made.length < next.length) break;
    }
    return { probes, budget: guard.left };
  } catch (bug) {
    // Nobody takes the other replies any more.
    guard.cancel();
    throw bug;
  } finally {
    guard.release();
  }
}

/** Carries out all probes at once, within the same bounds. */
export function probeAll(probes: readonly Probe[], around: ProbingSurroundings): Promise<ProbesMade> {
  return probeInRounds((made) => (made.length === 0 ? probes : []), around);
}
