import { getOrMake } from '../../base/memo.ts';
import { signersOf } from '../../dns/dnssec/rrset.ts';
import type { Trust } from '../../dns/dnssec/trust.ts';
import { type Question, questionKey } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import { queryKey } from '../../exchange/query.ts';
import { meaningFor } from '../../explore/classify.ts';
import type { Delegation } from '../../explore/delegation.ts';
import type { Meaning } from '../../explore/meaning.ts';
import { plannedFor, plannedMeaning } from '../../explore/planned-delegations.ts';
import { plannedTrust } from '../../explore/planned-zones.ts';
import { isBlocked, type Recording } from '../../explore/recording.ts';
import type { ServerState, Visit } from '../step.ts';
import type { EvaluatedWorld, MainWalk } from '../world.ts';

/** What came of asking an address, or why nothing did. */
type AskResult =
  | Extract<Visit, { kind: 'not-asked' }>
  | { readonly kind: 'asked'; readonly exchanged: Exchanged };

/** The replies of servers at steps, and their meanings there. */
export class Replies {
  readonly #recording: Recording;
  readonly #world: EvaluatedWorld;
  readonly #known = new Map<string, RepliesAt>();
  #signers: ReadonlySet<Name> | undefined;
  #namesAsked: ReadonlySet<Name> | undefined;

  constructor({ recording, world }: Pick<MainWalk, 'recording' | 'world'>) {
    this.#recording = recording;
    this.#world = world;
  }

  /** What came of asking an address, or why nothing did. */
  asked(address: string, question: Question, state: ServerState): AskResult {
    const { scope, exchanges, unasked } = this.#recording;
    if (isBlocked(scope, address))
      return { kind: 'not-asked', why: { kind: 'blocked', reason: 'special-purpose' } };
    const key = queryKey({ address, question });
    // What a limit left out may have been asked all the same, before that was known.
    const why = unasked.get(key)?.why;
    if (why !== undefined) return { kind: 'not-asked', why };
    const recorded = exchanges.get(key);
    if (recorded === undefined) return { kind: 'not-asked', why: this.#world.lacking(scope) };
    return { kind: 'asked', exchanged: this.#world.exchanged(recorded, state) };
  }

  /** The replies to one question; `picks` are the addresses that there are to pick from. */
  at(asking: Asking, picks: readonly string[]): RepliesAt {
    const { zone, question, state } = asking;
    const planned = this.#planned(asking);
    // What they mean depends on each other then.
    if (planned !== undefined) return this.#read(asking, planned, this.#meanings(asking, picks));
    const key = `${state} ${zone} ${questionKey(question)}`;
    return getOrMake(this.#known, key, () => this.#read(asking, planned, []));
  }

  #read(
    { zone, question, state }: Asking,
    planned: Delegation | undefined,
    meanings: readonly Meaning[],
  ): RepliesAt {
    const heard = new Map<string, Visit>();
    const meant = (exchanged: Exchanged) => plannedMeaning(planned, meaningFor(exchanged, zone), meanings);
    const from = (address: string): Visit => {
      const asked = this.asked(address, question, state);
      if (asked.kind === 'not-asked') return asked;
      const { exchanged } = asked;
      return { kind: 'asked', exchanged, meaning: meant(exchanged), onward: { kind: 'end' } };
    };
    return { from: (address) => getOrMake(heard, address, () => from(address)), meant };
  }

  /** What recorded replies to a question mean for a zone, whatever is planned or imagined. */
  recorded(zone: Name, question: Question, addresses: readonly string[]): readonly Meaning[] {
    const { exchanges } = this.#recording;
    return addresses.flatMap((address) => {
      const exchanged = exchanges.get(queryKey({ address, question }));
      return exchanged === undefined ? [] : [meaningFor(exchanged, zone)];
    });
  }

  /** Whether somebody was asked for the address of a name. */
  isLookedUp(name: Name): boolean {
    this.#namesAsked ??= new Set(
      [...this.#recording.exchanges.values()].map(({ question }) => question.name),
    );
    return this.#namesAsked.has(name);
  }

  /** Whether a zone signed anything in a recorded reply. */
  areSignedBy(zone: Name): boolean {
    this.#signers ??= new Set([...this.#recording.exchanges.values()].flatMap(signersIn));
    return this.#signers.has(zone);
  }

  /** The trust in a zone whose DS records are planned; undefined for any other. */
  plannedTrust(zone: Name): Trust | undefined {
    return plannedTrust(zone, this.#recording.scope.plannedDs);
  }

  /** Whether what replies mean depends on each other. */
  areTakenTogether(asking: Asking): boolean {
    return this.#planned(asking) !== undefined;
  }

  #planned({ zone, question }: Asking): Delegation | undefined {
    const { planned } = this.#recording.scope;
    return planned && plannedFor(planned, zone, question);
  }

  #meanings({ zone, question, state }: Asking, picks: readonly string[]): readonly Meaning[] {
    const { exchanges } = this.#recording;
    const heard = picks.flatMap((address) => exchanges.get(queryKey({ address, question })) ?? []);
    return heard.map((one) => meaningFor(this.#world.exchanged(one, state), zone));
  }
}

function signersIn({ outcome }: Exchanged): readonly Name[] {
  if (outcome.kind !== 'reply') return [];
  return [...signersOf(outcome.answer), ...signersOf(outcome.authority)];
}

/** A question, put to servers of a zone under names of servers that are up, or down. */
interface Asking {
  readonly zone: Name;
  readonly question: Question;
  readonly state: ServerState;
}

/** Replies to one question, put to servers of one zone. */
interface RepliesAt {
  /** What becomes of a path that picks this address, as if it ended there. */
  readonly from: (address: string) => Visit;
  /** What an exchange means once planned changes are made. */
  readonly meant: (exchanged: Exchanged) => Meaning;
}
