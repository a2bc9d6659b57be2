import { Work, workOf } from '../../base/work.ts';
import type { Question } from '../../dns/message.ts';
import { type Chain, withTrust } from '../../explore/delegation.ts';
import { arrivalAt, roleOf, wholeQuestion } from '../../explore/main-walks.ts';
import type { Walk } from '../step.ts';
import { absorb, type Context, type Descent, emptyFootprint } from './footprint.ts';
import type { Agreement, Lookahead } from './lookahead.ts';
import { StepUnfolder } from './unfold-step.ts';
import { AS_DEEP, type PathToStep, type StepInProgress, type Unfolder } from './unfold-visits.ts';
import type { UnfoldingFacts } from './unfolding-facts.ts';
import { type StepVariants, type Variant, Variants } from './variants.ts';

/**
 * Unfolds a recording into the steps that paths meet down to `deepest`, starting with the main walk's
 * first: svc-model(7), WALKING A STEP. A pure function of the recording and the world that it is taken for;
 * undefined where that would take more than `mostWork`. What `deepest` cuts off ends in a limit: depth, or work if it is less deep
 * than the scope allows. With `foresight` it is for the resolver view alone: of lookups, only what makes a difference there.
 */
export function unfold(
  facts: UnfoldingFacts,
  deepest: number,
  mostWork: number,
  foresight?: Lookahead,
): { readonly found: Walk; readonly work: number } | undefined {
  const work = new Work(mostWork);
  const walk = new Unfolding(facts, deepest, work, foresight).start();
  return work.exceeded ? undefined : { found: walk, work: work.spent };
}

class Unfolding implements Unfolder {
  readonly #facts: UnfoldingFacts;
  readonly #deepest: number;
  readonly #foresight: Lookahead | undefined;
  readonly #steps: StepUnfolder;
  readonly #variants = new Variants();
  /** Of steps of lookups: apart where these are not unfolded as the main walk's are. */
  readonly #inLookups: Variants;
  readonly #work: Work;

  /** Once it took more work than there may be, what it returns is void. */
  constructor(facts: UnfoldingFacts, deepest: number, work: Work, foresight: Lookahead | undefined) {
    this.#facts = facts;
    this.#deepest = deepest;
    this.#foresight = foresight;
    this.#steps = new StepUnfolder(facts, this);
    this.#inLookups = foresight === undefined ? this.#variants : new Variants();
    this.#work = work;
  }

  start(): Walk {
    const { main, bits, chains } = this.#facts;
    const { hints, question: asked, dnssec } = main.recording.scope;
    const root =
      main.start.kind === 'validating' && dnssec !== undefined ? withTrust(hints, dnssec.anchors) : hints;
    const { question, role } = arrivalAt(root.zone, asked, roleOf(main.start));
    const context = { depth: 0, facts: bits.walked(asked.name) };
    const first = { chain: chains.root(root), question, role, context };
    return this.walk({ ...first, footprint: emptyFootprint() }, first, AS_DEEP);
  }

  walk({ footprint }: StepInProgress, to: PathToStep, descent: Descent): Walk {
    const { walk, footprint: further } = this.#step(to);
    absorb(footprint, further, descent, this.#facts.bits);
    return walk;
  }

  #step(path: PathToStep): Variant {
    const { chain, question, role, context } = path;
    const { depth } = context;
    if (depth > this.#deepest || this.isTooMuch) {
      return this.#cut(chain, wholeQuestion(question, role), depth);
    }
    const { cuts } = this.#facts;
    const known = this.#isInLookup(context) ? this.#inLookups : this.#variants;
    const variants = known.at(chain, question, role);
    const { holding, upToIt } = variants.holdingIn({ chain, context }, { deepest: this.#deepest, cuts });
    this.spend(workOf('variant', upToIt));
    return holding ?? this.#unfold(path, variants);
  }

  #unfold({ chain, question, role, context }: PathToStep, variants: StepVariants): Variant {
    this.spend(1);
    const footprint = emptyFootprint();
    const current = { chain, question, role, context, footprint };
    const agreement = this.#agreement(current);
    const step =
      agreement === 'different' ? this.#steps.whole(current) : this.#steps.untilSure(current, agreement);
    if (!variants.isEmpty) this.spend(workOf('repeated', step.servers.length + step.visits.size));
    footprint.cuts = this.#facts.cuts.elsewhere(footprint.cuts, chain.delegation);
    const variant: Variant = { walk: { kind: 'step', step }, footprint, chain, depth: context.depth };
    variants.add(variant);
    return variant;
  }

  spend(steps: number): void {
    this.#work.spend(steps);
  }

  get isTooMuch(): boolean {
    return this.#work.exceeded;
  }

  #cut(chain: Chain, question: Question, depth: number): Variant {
    const { maxDepth, maxWork } = this.#facts.main.recording.scope;
    const limit =
      this.#deepest === maxDepth
        ? ({ kind: 'depth-limit', limit: maxDepth } as const)
        : ({ kind: 'work-limit', limit: maxWork } as const);
    const end = this.#facts.ends.at(chain.delegation, question).cutOff(limit);
    const footprint = { ...emptyFootprint(), reach: 'cut-by-depth' } as const;
    return { walk: { kind: 'cut', end }, footprint, chain, depth };
  }

  /** What usable replies at a step come to, where that is foreseen; else it may be different things. */
  #agreement({ chain, question, context }: StepInProgress): Agreement {
    if (this.#foresight === undefined || !this.#isInLookup(context)) return 'different';
    return this.#foresight.at(chain, question) ?? 'different';
  }

  /** Whether it is a lookup of a server's address that comes to a step. */
  #isInLookup({ facts }: Context): boolean {
    return (facts & ~this.#facts.bits.everyName) !== 0n;
  }
}
