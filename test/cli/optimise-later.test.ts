import { execFileSync } from 'node:child_process';
import { Script } from 'node:vm';
import t from 'tap';
import { optimisingLater } from '../../src/cli/process/optimise-later.ts';

t.test('work is done whose code is optimised later', async (t) => {
  t.equal(await optimisingLater(async () => 42), 42);
  await t.rejects(
    optimisingLater(async () => {
      throw new Error('what the work throws');
    }),
    /what the work throws/,
  );
});

t.test('afterwards V8 takes code that other runs kept, as before', async (t) => {
  const refused = (source: string) => new Script(source, { cachedData: keptOf(source) }).cachedDataRejected;
  t.equal(refused('(function () { return "before"; })'), false);
  const isRefusedMeanwhile = await optimisingLater(async () =>
    refused('(function () { return "meanwhile"; })'),
  );
  t.equal(isRefusedMeanwhile, process.versions.node.startsWith('20.'));
  t.equal(refused('(function () { return "afterwards"; })'), false);
});

/** The code that another process keeps of a script. This one must not have compiled it: it would not look at what was kept. */
function keptOf(source: string): Buffer {
  const keep = `process.stdout.write(new (require('vm').Script)(${JSON.stringify(source)}).createCachedData())`;
  return execFileSync(process.execPath, ['-e', keep]);
}
