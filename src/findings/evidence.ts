import type { End, PickedServer } from '../evaluate/end.ts';
import type { Evaluation } from '../evaluate/evaluate.ts';
import type { Step } from '../evaluate/step.ts';
import type { Exchanged } from '../exchange/exchanged.ts';
import type { Delegation } from '../explore/delegation.ts';
import type { Meaning } from '../explore/meaning.ts';
import type { Recording, Scope } from '../explore/recording.ts';
import type { Family } from '../wire/address.ts';
import type { Name } from '../wire/name.ts';
import { type Question, questionKey } from '../wire/question.ts';
import type { ZoneFacts } from './zones/zone-facts.ts';

/** One exchange, and what it means for a zone that the server was asked for. */
export interface Heard {
  readonly zone: Name;
  /** If several names have the address: the first that a path met. */
  readonly server: PickedServer;
  readonly exchanged: Exchanged;
  readonly meaning: Meaning;
}

/** A server of a zone at one address, and everything heard from there: nothing if it was not asked. */
export interface Contact {
  readonly zone: Name;
  readonly server: PickedServer;
  readonly heard: readonly Heard[];
}

/** What all servers of a zone said to one question, each address once. */
export interface Panel {
  readonly zone: Name;
  readonly question: Question;
  readonly heard: readonly Heard[];
}

/** A delegation, and the referrals that gave it. */
export interface Referred {
  readonly delegation: Delegation;
  readonly heard: readonly Heard[];
}

/** What came of looking for the addresses of one name server of a zone, on all paths together. */
export interface Resolution {
  readonly zone: Name;
  readonly name: Name;
  readonly addresses: ReadonlySet<string>;
  /** Ends of paths that got no address: those of failed lookups (`unresolvable-ns`, `no-glue`), and of lookups not made. */
  readonly failed: readonly End[];
  readonly notLookedUp: readonly End[];
}

/**
 * Everything that findings are drawn from: the recording and its evaluation, arranged as checks need them.
 * What was heard on the warm walk is among it, but for its apex questions, which not every server has to answer.
 */
export interface Evidence {
  readonly scope: Scope;
  readonly recording: Recording;
  readonly evaluation: Evaluation;
  /** Of the cold walk, in the order in which paths meet them. */
  readonly steps: readonly Step[];
  /** Those of them at which no lookup is pending. */
  readonly mainSteps: ReadonlySet<Step>;
  readonly contacts: readonly Contact[];
  /** Those of them where not all went smoothly: usually few, or none. */
  readonly rough: readonly Contact[];
  /** By zone: the names of servers of which some address gave something usable. */
  readonly working: ReadonlyMap<Name, ReadonlySet<Name>>;
  /** By `panelKey`. */
  readonly panels: ReadonlyMap<string, Panel>;
  /** Without the root hints. */
  readonly referred: readonly Referred[];
  /** By zone: the referrals to it. */
  readonly referrals: ReadonlyMap<Name, readonly Heard[]>;
  readonly resolutions: readonly Resolution[];
  /** By the name asked. */
  readonly byName: ReadonlyMap<Name, readonly Heard[]>;
  /** By zone: the zones that its servers referred to. */
  readonly cuts: ReadonlyMap<Name, ReadonlySet<Name>>;
  /** Families in which some address replied. In another family, silence says nothing about a server. */
  readonly reached: ReadonlySet<Family>;
  /** Families in which some address replied over TCP, to a probe at least. In another one, silence may be this network's. */
  readonly reachedOverTcp: ReadonlySet<Family>;
  /** Zones into which some way of the cold walk was not examined: cut off by a limit, or untried. */
  readonly openZones: ReadonlySet<Name>;
  /** The same, of both walks. */
  readonly openWhenWarm: ReadonlySet<Name>;
  /** What the zones of the main walks say of themselves: only with `--check`. */
  readonly zones: ReadonlyMap<Name, ZoneFacts>;
}

/** The text that is equal only for the same question to the same zone. */
export function panelKey({ zone, question }: Pick<Panel, 'zone' | 'question'>): string {
  return `${zone} ${questionKey(question)}`;
}
