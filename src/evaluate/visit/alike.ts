import { getOrMake } from '../../base/memo.ts';

/** Makes one object for each sequence of parts: what is made of equal parts is the same object. */
export class Alike<Part, Made extends object> {
  readonly #root: Branch<Part, Made> = { next: new Map(), made: undefined };

  of(parts: Iterable<Part>, make: () => Made): Made {
    let at = this.#root;
    for (const part of parts)
      at = getOrMake(at.next, part, (): Branch<Part, Made> => ({ next: new Map(), made: undefined }));
    at.made ??= make();
    return at.made;
  }
}

interface Branch<Part, Made> {
  readonly next: Map<Part, Branch<Part, Made>>;
  made: Made | undefined;
}
