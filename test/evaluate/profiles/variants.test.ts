import t from 'tap';
import type { Outcome } from '../../../src/evaluate/distribution.ts';
import { endKey } from '../../../src/evaluate/end.ts';
import { evaluate, outcomesIn } from '../../../src/evaluate/evaluate.ts';
import { toNumber } from '../../../src/evaluate/fraction.ts';
import { PROFILE_NAMES, todaysProfile } from '../../../src/explore/profiles/profiles.ts';
import { randomWarmZone } from './warm-zones.ts';
import { randomZone, recordZone } from './zone-worlds.ts';

const ZONES = 60;

const shares = (outcomes: readonly Outcome[]) =>
  new Map(outcomes.map(({ end, probability }) => [endKey(end), toNumber(probability)]));

t.test(`in ${ZONES} random zones an earlier version that is not listed does as today's`, async (t) => {
  let unlisted = 0;
  for (let seed = 1; seed <= ZONES; seed += 1) {
    const recording = await recordZone(seed % 3 === 0 ? randomWarmZone(seed) : randomZone(seed));
    const { views } = evaluate(recording);
    for (const name of PROFILE_NAMES) {
      const today = todaysProfile(name);
      if (today === undefined || views.has(name)) continue;
      unlisted += 1;
      const alone = evaluate({ ...recording, scope: { ...recording.scope, profiles: [name] } });
      const [its, todays] = [outcomesIn(alone, name), views.get(today)?.outcomes ?? []].map(shares);
      for (const key of new Set([...(its?.keys() ?? []), ...(todays?.keys() ?? [])])) {
        const difference = Math.abs((its?.get(key) ?? 0) - (todays?.get(key) ?? 0));
        if (difference > 0.010_001) t.fail(`zone ${seed}: ${name} differs by ${difference}: ${key}`);
      }
    }
  }
  t.ok(unlisted > ZONES, 'some are not listed', { unlisted });
});
