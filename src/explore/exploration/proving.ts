import { getOrMake } from '../../base/memo.ts';
import type { SecureTrust } from '../../dns/dnssec/trust.ts';
import type { Question } from '../../dns/message.ts';
import type { Name } from '../../dns/name.ts';
import type { Exchanged } from '../../exchange/exchanged.ts';
import {
  knowledgeWithout,
  type ProofFact,
  ProofKnowledge,
  type ProofNeed,
  proofNeedKey,
  proofQuestion,
  unlessSigned,
} from '../proof-knowledge.ts';
import { keysInReply, type Proven, proofFactIn, type ReplyValidator, stepVerdict } from '../reply-verdict.ts';

/**
 * What the servers of one delegation in a zone under one trust can prove, by all that was heard of them so far. Which of
 * them a path asks for the zone's keys, or whatever else it must learn to validate a reply, is its own draw: so each reply
 * is validated by everything that some path may have learnt. Further questions are asked as far as that needs them: svc-model(7),
 * VALIDATING.
 */
export class Proving {
  readonly #zone: Name;
  readonly #trust: SecureTrust;
  readonly #tools: ProvingTools;
  /** By what was learnt. */
  readonly #states = new Map<string, State>();
  /** Those in which nothing but the zone's keys is known. */
  readonly #first = new Set<State>();
  readonly #replies: { readonly exchanged: Exchanged; readonly listener: ProvenListener }[] = [];

  constructor(zone: Name, trust: SecureTrust, tools: ProvingTools) {
    this.#zone = zone;
    this.#trust = trust;
    this.#tools = tools;
    tools.ask({ name: zone, type: 'DNSKEY' }, (exchanged) => this.#hearKeys(exchanged));
  }

  /** Tells each way in which a reply to a step's question verifies, now and from now on. */
  validate(exchanged: Exchanged, listener: ProvenListener): void {
    this.#replies.push({ exchanged, listener });
    for (const state of [...this.#first]) this.#validate(exchanged, state, listener);
  }

  #hearKeys(exchanged: Exchanged): void {
    if (this.#tools.spend(exchanged) === 'exceeded') return;
    const found = keysInReply(exchanged, this.#zone, this.#trust, this.#tools.validator);
    if (found.kind !== 'keys') return;
    const state = this.#state(ProofKnowledge.of(found.keys));
    if (this.#first.has(state)) return;
    this.#first.add(state);
    for (const { exchanged, listener } of [...this.#replies]) this.#validate(exchanged, state, listener);
  }

  #validate(exchanged: Exchanged, state: State, listener: ProvenListener): void {
    if (this.#tools.spend(exchanged) === 'exceeded') return;
    const one = stepVerdict(exchanged, this.#zone, state.learnt, this.#tools.validator);
    switch (one.kind) {
      case 'proven':
        listener(one);
        return;
      case 'wants':
        this.#learn(one.want, state, (next) => this.#validate(exchanged, next, listener));
        return;
      case 'bogus':
      case 'unused':
        return;
    }
  }

  /** Goes on in each state that learning this leads to, now and from now on. */
  #learn(want: ProofNeed, state: State, goOn: (state: State) => void): void {
    const known = state.wanted.get(proofNeedKey(want));
    const wanted: Wanted = known ?? { states: new Set(), waiting: [], unused: new Set() };
    wanted.waiting.push(goOn);
    for (const next of [...wanted.states]) goOn(next);
    if (known !== undefined) return;
    state.wanted.set(proofNeedKey(want), wanted);
    if (this.#tools.sure.length === 0) this.#tools.onceUnsure(() => this.#goOnWithout(want, state, wanted));
    this.#tools.ask(proofQuestion(want), (exchanged) => this.#teach(want, exchanged, state, wanted));
  }

  #teach(want: ProofNeed, exchanged: Exchanged, state: State, wanted: Wanted): void {
    if (this.#tools.spend(exchanged) === 'exceeded') return;
    const one = proofFactIn(want, exchanged, this.#zone, state.learnt, this.#tools.validator);
    switch (one.kind) {
      case 'taught': {
        const learnt = taughtTo(state.learnt, want, one.lesson);
        if (learnt !== undefined) this.#goOn(learnt, wanted);
        return;
      }
      case 'wants':
        this.#learn(one.want, state, (next) => this.#teach(want, exchanged, next, wanted));
        return;
      case 'bogus':
        this.#goOnWithout(want, state, wanted);
        return;
      case 'unused':
        wanted.unused.add(exchanged.address);
        if (this.#tools.sure.every((address) => wanted.unused.has(address)))
          this.#goOnWithout(want, state, wanted);
        return;
    }
  }

  /** Some path learns nothing of it, because no reply that it comes to is usable. */
  #goOnWithout(want: ProofNeed, state: State, wanted: Wanted): void {
    const failed = knowledgeWithout(want, state.learnt);
    if (failed !== undefined) this.#goOn(failed, wanted);
  }

  #goOn(learnt: ProofKnowledge, wanted: Wanted): void {
    const next = this.#state(learnt);
    if (wanted.states.has(next)) return;
    wanted.states.add(next);
    for (const goOn of [...wanted.waiting]) goOn(next);
  }

  #state(learnt: ProofKnowledge): State {
    return getOrMake(this.#states, learnt.key, () => ({ learnt, wanted: new Map() }));
  }
}

/**
 * A state with one fact more. Whether a name is a secure cut or none is learnt only in a second round, once data that the
 * name signed need it. Undefined if a path that learnt the first round's fact cannot have learnt this one.
 */
function taughtTo(learnt: ProofKnowledge, want: ProofNeed, fact: ProofFact): ProofKnowledge | undefined {
  const first = unlessSigned(fact);
  if (want.kind !== 'cut' || !learnt.knowledge.cuts.has(want.name)) return learnt.with(want, first);
  return first === fact ? undefined : learnt.with(want, fact);
}

/** What proving needs of the exploration around it. */
interface ProvingTools {
  readonly validator: ReplyValidator;
  /** The addresses that need no lookup: unless none of them is of use, every path finds a server. */
  readonly sure: readonly string[];
  /** Tells once lookups of the other addresses may come to nothing. */
  readonly onceUnsure: (tell: () => void) => void;
  /** Puts a question to every server of the delegation, and tells of each reply, now and from now on. */
  readonly ask: (question: Question, listener: ReplyListener) => void;
  /** Takes note of a reply that is about to be validated, and says whether it may be. */
  readonly spend: (exchanged: Exchanged) => 'allowed' | 'exceeded';
}

/** Receives a way in which a reply verifies. */
export type ProvenListener = (proven: Proven) => void;

/** Knowledge that some path may have, and the further facts that it needs. */
interface State {
  readonly learnt: ProofKnowledge;
  readonly wanted: Map<string, Wanted>;
}

/** One need in one state: the states that it leads to, and the listeners that wait for them. */
interface Wanted {
  readonly states: Set<State>;
  readonly waiting: ((state: State) => void)[];
  /** Addresses whose replies to it no resolver uses. */
  readonly unused: Set<string>;
}

/** Receives each reply to a question. */
export type ReplyListener = (exchanged: Exchanged) => void;

/** The replies to a question that proves others, and who listens for them. */
export class ReplyFeed {
  readonly #heard: Exchanged[] = [];
  readonly #listeners: ReplyListener[] = [];

  hear(exchanged: Exchanged): void {
    this.#heard.push(exchanged);
    for (const listener of [...this.#listeners]) listener(exchanged);
  }

  /** Tells the listener of every reply, now and from now on. */
  listen(listener: ReplyListener): void {
    this.#listeners.push(listener);
    for (const exchanged of [...this.#heard]) listener(exchanged);
  }
}
