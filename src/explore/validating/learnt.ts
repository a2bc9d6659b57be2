import type { Keys } from '../../validate/keys.ts';
import type { Cut, Knowledge } from '../../validate/knowledge.ts';
import type { Trust } from '../../validate/trust.ts';
import type { Name } from '../../wire/name.ts';
import { type Want, wantKey } from './want.ts';

/** What asking for something that a step wants to learn has brought. */
export type Lesson =
  | { readonly kind: 'keys'; readonly keys: Keys | 'none' }
  | { readonly kind: 'cut'; readonly cut: Cut }
  | { readonly kind: 'trust'; readonly trust: Trust };

/** The text that is equal exactly for equal lessons about one want. */
export function lessonKey(lesson: Lesson): string {
  switch (lesson.kind) {
    case 'keys':
      return lesson.keys === 'none' ? 'none' : lesson.keys.id;
    case 'cut':
      return lesson.cut.kind === 'cut' ? lesson.cut.trust.id : lesson.cut.kind;
    case 'trust':
      return lesson.trust.id;
  }
}

/** What a step validates replies by: its zone's keys, and what further questions have brought. Never changes. */
export class Learnt {
  /** The text that is equal exactly where replies are validated by the same. */
  readonly key: string;
  readonly keys: Keys;
  readonly knowledge: Knowledge;
  /** Of zones that referrals without proof lead to. */
  readonly trusts: ReadonlyMap<Name, Trust>;
  readonly #lessons: ReadonlyMap<string, string>;

  private constructor(
    keys: Keys,
    knowledge: Knowledge,
    trusts: ReadonlyMap<Name, Trust>,
    lessons: ReadonlyMap<string, string>,
  ) {
    this.keys = keys;
    this.knowledge = knowledge;
    this.trusts = trusts;
    this.#lessons = lessons;
    const texts = [...lessons].map(([want, lesson]) => `${want} ${lesson}`);
    this.key = [keys.id, ...texts.sort()].join('\n');
  }

  /** Nothing but the zone's keys. */
  static of(keys: Keys): Learnt {
    return new Learnt(keys, { cuts: new Map(), keys: new Map() }, new Map(), new Map());
  }

  /** With a lesson more. */
  with(want: Want, lesson: Lesson): Learnt {
    const { name } = want;
    const { cuts, keys } = this.knowledge;
    const lessons = added(this.#lessons, wantKey(want), lessonKey(lesson));
    switch (lesson.kind) {
      case 'keys':
        return new Learnt(this.keys, { cuts, keys: added(keys, name, lesson.keys) }, this.trusts, lessons);
      case 'cut':
        return new Learnt(this.keys, { cuts: added(cuts, name, lesson.cut), keys }, this.trusts, lessons);
      case 'trust':
        return new Learnt(this.keys, this.knowledge, added(this.trusts, name, lesson.trust), lessons);
    }
  }
}

function added<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return new Map([...map, [key, value]]);
}

/** What is known where no reply was usable; undefined where that ends whatever waits for it. */
export function withoutLesson(want: Want, learnt: Learnt): Learnt | undefined {
  switch (want.kind) {
    case 'keys':
      return learnt.with(want, { kind: 'keys', keys: 'none' });
    case 'cut':
      return learnt.with(want, { kind: 'cut', cut: { kind: 'unusable' } });
    case 'trust':
      return undefined;
  }
}
