/** A world whose zones are asked about themselves: x.a. below a. below the root, with two servers each. */

import type { FindingsWorld, Saying } from './world.ts';
import { serving, zone } from './zone.ts';

/** What the world has that is not as it should be. */
export interface CheckedWorld extends Pick<FindingsWorld, 'ask' | 'options'> {
  /** What a. delegates x.a. with. */
  readonly parent?: readonly string[];
  /** What ns1.x.a. (192.0.2.31) and ns2.x.a. (192.0.2.32) do; each also has 2001:db8::31 and so on. */
  readonly ns1?: Saying;
  readonly ns2?: Saying;
  readonly says?: Readonly<Record<string, Saying>>;
}

/** Addresses of hosts of x.a.: "ns1.x.a." has 192.0.2.31 and 2001:db8::31. */
export function hosts(...numbers: readonly number[]): readonly string[] {
  return numbers.flatMap((n) => [`ns${n}.x.a. A 192.0.2.3${n}`, `ns${n}.x.a. AAAA 2001:db8::3${n}`]);
}

/** "x.a. NS ns1.x.a." and so on. */
export function naming(...names: readonly string[]): readonly string[] {
  return names.map((name) => `x.a. NS ${name}`);
}

export const WWW = 'www.x.a. A 192.0.2.80';

/** x.a. as it should be. */
export const RIGHT = serving(zone('x.a.', [...naming('ns1.x.a.', 'ns2.x.a.'), ...hosts(1, 2), WWW]));

/** The delegation of x.a. as it should be. */
export const DELEGATED: readonly string[] = [...naming('ns1.x.a.', 'ns2.x.a.'), ...hosts(1, 2)];

/** Everything about a. but what it delegates. */
const A = [
  ...['a. NS ns1.a.', 'a. NS ns2.a.'],
  ...['ns1.a. A 192.0.2.11', 'ns1.a. AAAA 2001:db8::11', 'ns2.a. A 192.0.2.12', 'ns2.a. AAAA 2001:db8::12'],
];

const TOP = serving(
  zone('.', [
    ...['. NS r1.', '. NS r2.', 'r1. A 192.0.2.1', 'r2. A 192.0.2.2'],
    ...A,
    ...['b. NS ns1.b.', 'b. NS ns2.b.'],
    ...['ns1.b. A 192.0.2.21', 'ns1.b. AAAA 2001:db8::21', 'ns2.b. A 192.0.2.22', 'ns2.b. AAAA 2001:db8::22'],
  ]),
);

/** The world of a row. */
export function checked({ parent = DELEGATED, ns1 = RIGHT, ns2 = RIGHT, ...world }: CheckedWorld = {}) {
  const above = serving(zone('a.', [...A, ...parent]));
  return {
    ask: 'www.x.a. A',
    ...world,
    options: { check: true, ...world.options },
    says: {
      '192.0.2.1 *': TOP,
      '192.0.2.2 *': TOP,
      ...at([11, 12], above),
      ...at([31], ns1),
      ...at([32], ns2),
      ...world.says,
    },
  } as const satisfies FindingsWorld;
}

/** The same at 192.0.2.N and 2001:db8::N. */
export function at(numbers: readonly number[], saying: Saying): Readonly<Record<string, Saying>> {
  return Object.fromEntries(
    numbers.flatMap((n) => [
      [`192.0.2.${n} *`, saying],
      [`2001:db8::${n} *`, saying],
    ]),
  );
}
