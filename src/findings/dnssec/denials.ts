import { grouped } from '../../reading/grouped.ts';
import { plain } from '../../reading/words/names.ts';
import { isAtOrBelow } from '../../wire/name.ts';
import { fitsType } from '../../wire/record.ts';
import type { Check, Draft } from '../check.ts';
import { judgementsIn } from './judgements.ts';

/** From so many on, newer resolvers take a zone as unsigned; from the other on all do. */
const [SOME_REFUSE, ALL_REFUSE] = [50, 150];

/** NSEC3_ITERATIONS: names are hashed more often than once, which costs time and protects nothing. */
export const nsec3Iterations: Check = (evidence) => {
  const hashed = judgementsIn(evidence).flatMap(({ zone, exchanged }) => {
    const { outcome } = exchanged;
    if (outcome.kind !== 'reply') return [];
    const own = outcome.authority.filter(
      (record) => record.type === 'NSEC3' && fitsType(record) && isAtOrBelow(record.name, zone),
    );
    return own.map(({ data }) => ({ zone, exchanged, iterations: iterationsIn(data) }));
  });
  const repeated = hashed.filter(({ iterations }) => iterations > 0);
  return grouped(repeated, ({ zone }) => zone).map((alike): Draft => {
    const [{ zone }] = alike;
    const most = Math.max(...alike.map(({ iterations }) => iterations));
    return {
      zone,
      severity: most > SOME_REFUSE ? 'warning' : 'notice',
      problem: `${plain(zone)} hashes the names in its NSEC3 records ${most} times more than once${consequenceOf(most)}`,
      advice: 'Set the iterations to 0, with an empty salt',
      proof: [...new Set(alike.map(({ exchanged }) => exchanged))],
    };
  });
};

function consequenceOf(iterations: number): string {
  if (iterations > ALL_REFUSE) return ', so validating resolvers take what it denies as unsigned';
  return iterations > SOME_REFUSE
    ? ', so some validating resolvers take what it denies as unsigned'
    : ', which costs servers and resolvers time and protects nothing';
}

/** RFC 5155 3.3: the third field. */
function iterationsIn(data: string): number {
  return Number(data.split(' ')[2]);
}
