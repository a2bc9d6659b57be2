import { getOrMake } from '../../base/memo.ts';
import type { EndRow } from '../../document/ends.ts';
import type { LeadsTo, LookupRow } from '../../document/steps.ts';
import { include } from '../../evaluate/distribution.ts';
import { type End, endKey } from '../../evaluate/end.ts';
import { fractionText } from '../../evaluate/fraction.ts';
import type { PathView } from '../../evaluate/path-view.ts';
import type { LookupServer, Walk } from '../../evaluate/step.ts';

/** What steps and ends are named by. */
interface Named {
  readonly leadsTo: (walk: Walk) => LeadsTo;
  readonly end: (end: End) => string;
}

/** The lookups that steps need, numbered from "l1" in the order in which they are met. Those that begin alike are one. */
export class Lookups {
  readonly #rows = new Map<string, LookupRow>();
  readonly #view: PathView;
  readonly #ids: Named;

  constructor(view: PathView, ids: Named) {
    this.#view = view;
    this.#ids = ids;
  }

  /** The identifier of the lookup of a server. */
  id(server: LookupServer): string {
    const { name, lookups } = server;
    const begins = lookups.map(({ family, walk }) => ({
      type: family === 4 ? ('A' as const) : ('AAAA' as const),
      ...this.#ids.leadsTo(walk),
    }));
    const make = () => ({
      id: `l${this.#rows.size + 1}`,
      name,
      begins,
      failures: this.#failures(server),
    });
    return getOrMake(this.#rows, JSON.stringify([name, begins]), make).id;
  }

  /** Every lookup met so far. */
  get rows(): readonly LookupRow[] {
    return [...this.#rows.values()];
  }

  #failures(server: LookupServer): LookupRow['failures'] {
    const { whole, limits, causes } = this.#view.lookup(server);
    const parts = new Map<End, bigint>();
    for (const why of [limits, causes]) for (const [end, own] of why) include(parts, end, own);
    return [...parts].map(([end, numerator]) => ({
      fraction: fractionText({ numerator, denominator: whole }),
      end: this.#ids.end(end),
    }));
  }
}

/** The ends that paths come to, numbered from "e1" in the order in which they are met. Equal ends are one. */
export class Ends {
  readonly #rows = new Map<string, EndRow>();
  /** Most ends come as the same object again and again. */
  readonly #ids = new Map<End, string>();

  /** The identifier of an end. */
  id(end: End): string {
    const make = (): EndRow => ({ id: `e${this.#rows.size + 1}`, ...end });
    return getOrMake(this.#ids, end, () => getOrMake(this.#rows, endKey(end), make).id);
  }

  /** Every end met so far. */
  get rows(): readonly EndRow[] {
    return [...this.#rows.values()];
  }
}
