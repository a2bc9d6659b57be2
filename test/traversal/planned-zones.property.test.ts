import t from 'tap';
import { DEFAULT_OPTIONS } from '../../src/document/options.ts';
import type { TraversalResult } from '../../src/document/result.ts';
import { trustAnchorOf, type World } from '../../src/lab/world.ts';
import { type Plan, traverse } from '../../src/traversal/traverse.ts';
import { labExchange } from '../lab/lab-exchange.ts';
import { HINTS, type RandomPlan, randomPlan, views } from './planned-zones.ts';

const PLANS = 10;

t.test(`what ${PLANS} plans are imagined to bring is found once they are carried out`, async (t) => {
  for (let number = 1; number <= PLANS; number += 1) {
    const random = randomPlan(number);
    const { today, later, plan, questions } = random;
    for (const question of questions) {
      const imagined = await result(today, question, plan);
      const real = await result(later, question);
      t.strictSame(views(imagined), views(real), `plan ${number}: ${question.name} ${question.type}`);
      const asked = imagined.exchanges.filter(({ planned }) => planned);
      t.ok(
        asked.every(({ attempts }) => attempts === 0),
        'nothing is sent to planned servers',
      );
    }
  }
});

async function result(
  world: World,
  question: RandomPlan['questions'][number],
  plan?: Plan,
): Promise<TraversalResult> {
  const exchange = labExchange(world);
  const anchors = trustAnchorOf(world).trim();
  const trustAnchors = anchors === '' ? {} : { trustAnchors: [anchors] };
  const options = {
    ...DEFAULT_OPTIONS,
    families: [4],
    specialTargets: 'allowed',
    views: ['warm', 'validating', 'profiles'],
    ...trustAnchors,
  } as const;
  return await traverse(
    { question, options, hints: HINTS, ...(plan && { plan }) },
    { exchange: async (query) => exchange(query), signal: new AbortController().signal },
  );
}
