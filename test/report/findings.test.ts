import t from 'tap';
import { spelled, traverseWorld } from './findings-world.ts';
import { DELEGATION_ROWS } from './findings-of-delegations.ts';
import { SERVER_ROWS } from './findings-of-servers.ts';

const ROWS = [...SERVER_ROWS, ...DELEGATION_ROWS];

t.test('each code is found where it is proven, and only there', async (t) => {
  for (const { code, shows, finds, tells, ...world } of ROWS) {
    await t.test(`${code}: ${shows}`, async (t) => {
      const result = await traverseWorld(world);
      t.same(spelled(result, code), finds);
      const messages = result.findings.filter((finding) => finding.code === code).map(({ message }) => message);
      for (const [i, part] of (tells ?? []).entries()) t.match(messages[i], part);
    });
  }
});
