import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { JsonError, parseJson } from '../../../src/base/json.ts';
import { ShapeError } from '../../../src/base/shape.ts';
import { readResult } from '../../../src/document/read-result.ts';
import type { TraversalResult } from '../../../src/document/result.ts';
import { replay } from '../../../src/traversal/node-replay.ts';
import { replaysTheSame, reportsArePrintable, sumToOne } from '../checks.ts';
import { mutated } from '../octets.ts';
import { must, subject, withinCpu } from '../subject.ts';

const MOST_MS = 10_000;

const SAVED = new URL('../../fixtures/text/', import.meta.url);

/** Results with every kind of trouble, as text. */
const FILES: readonly string[] = readdirSync(SAVED)
  .filter((file) => file.endsWith('.json') && file !== 'cases.json')
  .map((file) => readFileSync(new URL(file, SAVED), 'utf8'));

const ODD_VALUES: readonly unknown[] = [
  ...[
    null,
    true,
    [],
    {},
    '',
    '.',
    'a.',
    '..',
    '\u001b[31m',
    '\u202e',
    '192.0.2.1',
    '::',
    '\\# 1 00',
    '\\# 0',
  ],
  ...[0, -1, 1, 1.5, 1e308, 2 ** 53, 'A', 'NS', 'CNAME', 'TYPE0', 'reply', 'timeout', 'glue', '__proto__'],
];

const changes: fc.Arbitrary<Change> = fc.record({
  way: fc.array(fc.nat(0xffff), { minLength: 3, maxLength: 9 }),
  kind: fc.constantFrom('replace', 'remove', 'repeat', 'swap'),
  value: fc.oneof(fc.constantFrom(...ODD_VALUES), fc.jsonValue()),
});

/** Saved results in which something is not as it was; some are no JSON any more. */
const savedFiles: fc.Arbitrary<Buffer> = fc
  .tuple(fc.constantFrom(...FILES), fc.array(changes, { maxLength: 4 }))
  .map(([text, all]) => {
    const document: unknown = JSON.parse(text);
    for (const change of all) apply(document, change, 0);
    return Buffer.from(JSON.stringify(document));
  })
  .chain((whole) =>
    fc.oneof(
      { weight: 12, arbitrary: fc.constant(whole) },
      { weight: 1, arbitrary: mutated(fc.constant(whole)).map((octets) => Buffer.from(octets)) },
    ),
  );

/** A file is refused with what is wrong and where, or it comes to a result like any other. */
export const saved = subject('saved', 250, savedFiles, (octets) => {
  withinCpu(MOST_MS, () => {
    const result = replayed(octets);
    if (result === undefined) return;
    sumToOne(result);
    replaysTheSame(result);
    reportsArePrintable(result, octets.length);
  });
});

function replayed(octets: Buffer): TraversalResult | undefined {
  try {
    return replay(readResult(parseJson(octets)));
  } catch (error) {
    must(error instanceof JsonError || error instanceof ShapeError, `threw ${error}`);
    return undefined;
  }
}

/** One change to a document; the numbers choose, level by level, the member where it happens. */
interface Change {
  readonly way: readonly number[];
  readonly kind: 'replace' | 'remove' | 'repeat' | 'swap';
  readonly value: unknown;
}

function apply(within: unknown, change: Change, level: number): void {
  if (typeof within !== 'object' || within === null) return;
  const keys = Object.keys(within);
  const key = keys[(change.way[level] ?? 0) % keys.length];
  if (key === undefined) return;
  const isLast = level + 1 >= change.way.length;
  const member: unknown = Reflect.get(within, key);
  if (isLast || typeof member !== 'object' || member === null) changeMember(within, key, member, change);
  else apply(member, change, level + 1);
}

function changeMember(within: object, key: string, member: unknown, { kind, value, way }: Change): void {
  const keys = Object.keys(within);
  const other = keys[(way.at(-1) ?? 0) % keys.length] ?? key;
  switch (kind) {
    case 'replace':
      Reflect.set(within, key, value);
      return;
    case 'remove':
      Reflect.deleteProperty(within, key);
      return;
    case 'repeat':
      if (Array.isArray(within)) within.push(member);
      return;
    case 'swap':
      Reflect.set(within, key, Reflect.get(within, other));
      Reflect.set(within, other, member);
      return;
  }
}
