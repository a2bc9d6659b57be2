import { firstOfEach, grouped } from '../../reading/grouped.ts';
import { listed } from '../../reading/words/listed.ts';
import { plain, withAddress } from '../../reading/words/names.ts';
import { rrsetsIn } from '../../validate/rrset.ts';
import { comparableData } from '../../wire/record.ts';
import type { Check, Draft } from '../check.ts';
import { judgementsIn } from './judgements.ts';

/** DS_INCONSISTENT: servers of the parent give different DS records for a zone. */
export const dsInconsistent: Check = (evidence) => {
  const given = judgementsIn(evidence).flatMap(({ server, exchanged }) => {
    const { outcome } = exchanged;
    if (outcome.kind !== 'reply') return [];
    const rrsets = [outcome.answer, outcome.authority].flatMap((section) => rrsetsIn(section).ofType('DS'));
    return rrsets.map(({ owner, records }) => {
      const data = records.map(comparableData).sort();
      return { owner, server, exchanged, key: data.join('\n'), names: records.map(nameOf).sort() };
    });
  });
  return grouped(given, ({ owner }) => owner).flatMap((alike): readonly Draft[] => {
    const sides = firstOfEach(alike, ({ key }) => key);
    if (sides.length < 2) return [];
    const [{ owner }] = alike;
    const words = sides.map(
      ({ server, names }) => `${withAddress(server)} names ${names.slice(0, MOST_TOLD).join(', ')}`,
    );
    return [
      {
        zone: owner,
        problem: `Servers of the parent give different DS records for ${plain(owner)}: ${listed(words)}`,
        advice: 'Find out why some of them have an old version of the parent zone',
        proof: alike.map(({ exchanged }) => exchanged),
      },
    ];
  });
};

/** "key 12345 by digest 0a1b2c3d": what tells DS records apart (RFC 4034 5.1). */
function nameOf({ data }: { readonly data: string }): string {
  const [tag, , , ...digest] = data.split(' ');
  return `key ${tag} by digest ${digest.join('').slice(0, DIGITS)}`;
}

const DIGITS = 8;

/** DS records of one server that a sentence has room for. */
const MOST_TOLD = 4;
