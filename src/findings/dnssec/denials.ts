import type { Exchanged } from '../../exchange/exchanged.ts';
import { grouped } from '../../reading/grouped.ts';
import { plain } from '../../reading/words/names.ts';
import { isAtOrBelow, type Name } from '../../wire/name.ts';
import { fitsType } from '../../wire/record.ts';
import type { Check, Draft } from '../check.ts';
import { judgementsIn } from './judgements.ts';

/** From so many on, newer resolvers take a zone as unsigned; from the other on all do. */
const [SOME_REFUSE, ALL_REFUSE] = [50, 150];

/** NSEC3_ITERATIONS: names are hashed more often than once, which costs time and protects nothing. */
export const nsec3Iterations: Check = (evidence) => {
  const repeated = judgementsIn(evidence).flatMap(({ zone, exchanged }) => {
    const most = mostIterations(exchanged, zone);
    return most > 0 ? [{ zone, exchanged, most }] : [];
  });
  return grouped(repeated, ({ zone }) => zone).map((alike): Draft => {
    const [{ zone }] = alike;
    const most = greatest(alike.map((one) => one.most));
    return {
      zone,
      severity: most > SOME_REFUSE ? 'warning' : 'notice',
      problem: `${plain(zone)} hashes the names in its NSEC3 records ${most} times more than once${consequenceOf(most)}`,
      advice: 'Set the iterations to 0, with an empty salt',
      proof: [...new Set(alike.map(({ exchanged }) => exchanged))],
    };
  });
};

/** Of the zone's NSEC3 records in a reply, of which there may be thousands; 0 if there are none. */
function mostIterations({ outcome }: Exchanged, zone: Name): number {
  if (outcome.kind !== 'reply') return 0;
  const own = outcome.authority.filter(
    (record) => record.type === 'NSEC3' && fitsType(record) && isAtOrBelow(record.name, zone),
  );
  return greatest(own.map(({ data }) => iterationsIn(data)));
}

/** The greatest of any number of counts. */
function greatest(counts: readonly number[]): number {
  return counts.reduce((most, one) => Math.max(most, one), 0);
}

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
