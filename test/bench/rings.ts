/**
 * Zones that host each other, so that chains of them without repetition make very many ways: what remains
 * unknown in the resolver view, how long a replay takes, and how long the result is as JSON. The worst of four worlds
 * counts.
 */
import { readFileSync, statSync } from 'node:fs';
import { tell } from './figure.ts';
import { shown, size } from './figures.ts';
import { PROGRAMS, type Program, tryNode } from './program.ts';
import { type SavedResult, savedResult } from './saved-result.ts';
import type { WorldName } from './worlds/worlds.ts';

const RINGS = ['ring-7-1', 'ring-4-2', 'ring-8-1', 'ring-6-2'] as const satisfies readonly WorldName[];
const MB = 1_000_000;

for (const program of PROGRAMS) await measure(program);

async function measure(program: Program): Promise<void> {
  const rings: Ring[] = [];
  for (const world of RINGS) {
    const saved = await savedResult(program, world);
    try {
      rings.push(ringIn(program, world, saved));
    } finally {
      saved.remove();
    }
  }
  const worst = (of: (ring: Ring) => number) => Math.max(...rings.map(of));
  const each = (of: (ring: Ring) => string) => rings.map((ring) => `${ring.world} ${of(ring)}`).join(', ');
  tell(
    'ring-unknown',
    program,
    worst(({ unknown }) => unknown),
    each(({ unknown }) => `${unknown.toPrecision(2)} %`),
  );
  tell(
    'ring-time',
    program,
    worst(({ tookMs }) => tookMs),
    each(({ tookMs }) => shown(tookMs)),
  );
  tell(
    'ring-json',
    program,
    worst(({ octets }) => octets) / MB,
    each(({ octets }) => size(octets)),
  );
}

/** What became of one world. */
interface Ring {
  readonly world: WorldName;
  /** Percent. */
  readonly unknown: number;
  readonly tookMs: number;
  readonly octets: number;
}

function ringIn({ svc }: Program, world: WorldName, { file }: SavedResult): Ring {
  const { tookMs } = tryNode([svc, 'traverse', '--replay', file]);
  const { resolver } = JSON.parse(readFileSync(file, 'utf8'));
  const outcomes: readonly { kind: string; probability: number }[] = resolver.outcomes;
  const unknown = outcomes.filter(({ kind }) => kind.endsWith('-limit'));
  return {
    world,
    unknown: 100 * unknown.reduce((sum, { probability }) => sum + probability, 0),
    tookMs,
    octets: statSync(file).size,
  };
}
