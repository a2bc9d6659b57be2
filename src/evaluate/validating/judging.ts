import type { Exchanged } from '../../exchange/exchanged.ts';
import { queryKey } from '../../exchange/query.ts';
import { isUsable } from '../../explore/meaning.ts';
import { meaningFor } from '../../explore/meaning-for.ts';
import { isNews } from '../../explore/planned.ts';
import { judged, keysHeard, type ReplyJudge, taught } from '../../explore/validating/judged.ts';
import { Learnt, lessonKey, withoutLesson } from '../../explore/validating/learnt.ts';
import { judgingWork } from '../../explore/validating/secured-steps.ts';
import { type Want, wantedQuestion, wantKey } from '../../explore/validating/want.ts';
import type { BogusReason } from '../../validate/bogus-reason.ts';
import type { SecureTrust } from '../../validate/trust.ts';
import type { Question } from '../../wire/question.ts';
import type { HeardThere, Learning, TakenReply } from '../step.ts';
import { type AskedOne, Hearings, STATES } from './hearings.ts';
import type { JudgedOpening, ServerState } from './judged-opening.ts';
import { about, Troubles } from './troubles.ts';

/** What a resolver learns at a step of the validating view, and what its replies come to then. */
export function judging(opening: JudgedOpening): Learning {
  return new Judging(opening).start();
}

/** Wants that ended on the way, by their keys. */
type Stops = ReadonlySet<string>;

/** What comes next once something is learnt. */
type Next = (learnt: Learnt, stops: Stops) => Learning;

const NO_STOPS: Stops = new Set();

const NOTHING: Learning = { kind: 'reply', heard: { up: new Map(), down: new Map() } };

class Judging {
  readonly #at: JudgedOpening;
  readonly #troubles: Troubles;
  readonly #judge: ReplyJudge;

  constructor(opening: JudgedOpening) {
    const { validation, spend } = opening;
    this.#at = opening;
    this.#troubles = new Troubles(opening);
    this.#judge = { validation, spend };
  }

  start(): Learning {
    const { trust } = this.#at;
    return trust.kind === 'insecure' ? this.#replies() : this.#keys(trust);
  }

  /** svc-model(7), VALIDATING 2. */
  #keys(trust: SecureTrust): Learning {
    const { zone } = this.#at;
    const heard = new Hearings<Learning>();
    const next = new Map<string, Learning>();
    for (const one of this.#each({ name: zone, type: 'DNSKEY' })) {
      if (one.asked.kind === 'not-asked') {
        heard.put(one, this.#troubles.limited(one, one.asked.why));
        continue;
      }
      const { exchanged } = one.asked;
      this.#at.spend(judgingWork(exchanged));
      const found = keysHeard(exchanged, zone, trust, this.#judge);
      switch (found.kind) {
        case 'keys': {
          const { keys } = found;
          const known = next.get(keys.id) ?? this.#settle(Learnt.of(keys), NO_STOPS);
          next.set(keys.id, known);
          heard.put(one, { kind: 'good', good: known, about: about(exchanged, { status: 'secure' }) });
          break;
        }
        case 'bogus':
          heard.put(one, this.#troubles.bogus(exchanged, found.reason));
          break;
        case 'unused':
          heard.put(one, { kind: 'unused', failure: this.#troubles.failure(exchanged, 'no-keys') });
      }
    }
    return { kind: 'keys', heard };
  }

  /** Learns whatever some reply waits for, until none does. */
  #settle(learnt: Learnt, stops: Stops): Learning {
    if (this.#at.isTooMuch()) return NOTHING;
    const { zone, question } = this.#at;
    for (const one of this.#each(question)) {
      if (one.asked.kind === 'not-asked') continue;
      const { exchanged } = one.asked;
      if (this.#isBeyondProof(exchanged, one.state)) continue;
      this.#at.spend(judgingWork(exchanged));
      const found = judged(exchanged, zone, learnt, this.#judge);
      if (found.kind === 'wants' && !stops.has(wantKey(found.want)))
        return this.#lesson(found.want, learnt, stops, (more, ended) => this.#settle(more, ended));
    }
    return this.#replies(learnt);
  }

  /** svc-model(7), VALIDATING 3d to 3f. */
  #lesson(want: Want, learnt: Learnt, stops: Stops, next: Next): Learning {
    if (this.#at.isTooMuch()) return NOTHING;
    const { zone } = this.#at;
    const question = wantedQuestion(want);
    for (const { asked } of this.#each(question)) {
      if (asked.kind === 'not-asked') continue;
      this.#at.spend(judgingWork(asked.exchanged));
      const found = taught(want, asked.exchanged, zone, learnt, this.#judge);
      if (found.kind === 'wants' && !stops.has(wantKey(found.want)))
        return this.#lesson(found.want, learnt, stops, (more, ended) =>
          this.#lesson(want, more, ended, next),
        );
    }
    const heard = new Hearings<Learning>();
    const after = new Map<string, Learning>();
    for (const one of this.#each(question)) {
      if (one.asked.kind === 'not-asked') {
        heard.put(one, this.#troubles.limited(one, one.asked.why));
        continue;
      }
      const { exchanged } = one.asked;
      const found = taught(want, exchanged, zone, learnt, this.#judge);
      switch (found.kind) {
        case 'taught': {
          const { lesson, security } = found;
          const key = lessonKey(lesson);
          const known = after.get(key) ?? next(learnt.with(want, lesson), stops);
          after.set(key, known);
          heard.put(one, { kind: 'good', good: known, about: about(exchanged, { status: security }) });
          break;
        }
        case 'bogus':
          heard.put(one, this.#troubles.bogus(exchanged, found.reason));
          break;
        case 'wants':
          heard.put(one, { kind: 'stopped', by: wantKey(found.want), exchange: queryKey(exchanged) });
          break;
        case 'unused':
          heard.put(one, { kind: 'unused', failure: this.#troubles.failure(exchanged, reasonWithout(want)) });
      }
    }
    const stopped = next(learnt, new Set([...stops, wantKey(want)]));
    const failed = withoutLesson(want, learnt);
    if (failed === undefined) return { kind: 'lesson', want, heard, stopped };
    return { kind: 'lesson', want, heard, stopped, failed: next(failed, stops) };
  }

  /** What each reply comes to; without keys in an insecure zone. */
  #replies(learnt?: Learnt): Learning {
    const { question } = this.#at;
    const heard = new Hearings<TakenReply>();
    for (const one of this.#each(question)) {
      const brought: HeardThere<TakenReply> =
        one.asked.kind === 'not-asked'
          ? this.#troubles.limited(one, one.asked.why)
          : this.#reply(one.asked.exchanged, one.state, learnt);
      heard.put(one, brought);
    }
    return { kind: 'reply', heard };
  }

  #reply(exchanged: Exchanged, state: ServerState, learnt: Learnt | undefined): HeardThere<TakenReply> {
    const { zone, soFar, meant, use } = this.#at;
    const meaning = meant(exchanged, state);
    if (!isUsable(meaning.kind))
      return { kind: 'unused', failure: this.#troubles.failure(exchanged, 'no-proof') };
    if (learnt === undefined || this.#isBeyondProof(exchanged, state)) {
      const good = use({ exchanged, meaning, security: 'insecure', trust: undefined });
      return { kind: 'good', good, about: about(exchanged, { status: 'insecure' }) };
    }
    const found = judged(exchanged, zone, learnt, this.#judge);
    switch (found.kind) {
      case 'proven': {
        const { trust, cutOff, security } = found;
        const isOwn = meaning === meaningFor(exchanged, zone);
        const good = use({
          exchanged,
          meaning: isOwn ? found.meaning : meaning,
          security: soFar === 'insecure' ? soFar : security,
          trust,
        });
        const verdict =
          cutOff === undefined ? { status: security } : ({ status: 'bogus', reason: cutOff.reason } as const);
        return { kind: 'good', good, about: about(exchanged, verdict) };
      }
      case 'bogus':
        return this.#troubles.bogus(exchanged, found.reason);
      case 'wants':
        return { kind: 'stopped', by: wantKey(found.want), exchange: queryKey(exchanged) };
      case 'unused':
        return { kind: 'unused', failure: this.#troubles.failure(exchanged, 'no-proof') };
    }
  }

  /** Whether a reply is used for what it does not say itself, so that there is nothing to prove. */
  #isBeyondProof(exchanged: Exchanged, state: ServerState): boolean {
    const { zone, meant } = this.#at;
    return isNews(meant(exchanged, state), meaningFor(exchanged, zone));
  }

  *#each(question: Question): Generator<AskedOne> {
    const { picks, asked } = this.#at;
    for (const state of STATES)
      for (const address of picks(state))
        yield { state, address, asked: asked(address, question, state), question };
  }
}

/** What is wrong with a reply that is no answer to what is wanted, though of use for other purposes. */
function reasonWithout({ kind }: Want): BogusReason {
  return kind === 'keys' ? 'no-keys' : 'no-proof';
}
