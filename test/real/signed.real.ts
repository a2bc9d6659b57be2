import t from 'tap';
import { checkSigned } from './signed/check.ts';
import { faulty } from './signed/world/faulty.ts';
import { sound } from './signed/world/sound.ts';

t.test('zones signed by BIND, Knot DNS and PowerDNS', { timeout: 600_000 }, async (t) => {
  await checkSigned(t, { worlds: [...sound, ...faulty], effort: { times: 2, processes: 4 }, byHand: true });
});
