/** How many jobs a second a service with default politeness does: of a small world, and of all that the demo shows. */
import { showcases } from '../../src/lab/showcases.ts';
import { tell } from './figure.ts';
import { eachOf, spread } from './figures.ts';
import { spawnLab } from './lab/spawn-lab.ts';
import { NOW } from './program.ts';
import { runJob } from './run-job.ts';
import { spawnService } from './spawn-service.ts';
import { WORLDS } from './worlds/worlds.ts';

/** More than run at once, so that there is always one to begin. */
const CLIENTS = 24;
const JOBS = 120;

/** What is on a service by default, and off with `--demo`. */
const POLITE = ['--rate', '20', '--rate-prefix', '100', '--rate-total', '2000'];

const lab = await spawnLab('small', 20);
try {
  const small = ['--root-hints', lab.hintsFile, '--port', `${lab.port}`, '-4', '--allow-special-targets'];
  await measure('service-small', small, () => ({ name: WORLDS.small.ask, type: 'A' }));
} finally {
  lab.close();
}
await measure('service-mixed', ['--demo', ...POLITE], (number) => showcases[number % showcases.length]);

async function measure(
  row: 'service-small' | 'service-mixed',
  flags: readonly string[],
  questionOf: (number: number) => { readonly name: string; readonly type: string } | undefined,
): Promise<void> {
  const { url, child } = await spawnService(flags);
  try {
    const durations: number[] = [];
    const start = performance.now();
    await eachOf(
      Array.from({ length: JOBS }, (_, number) => number),
      CLIENTS,
      async (number) => {
        const { name, type } = questionOf(number) ?? { name: '.', type: 'NS' };
        durations.push((await runJob(url, { name, type })).tookMs);
      },
    );
    const perSecond = JOBS / ((performance.now() - start) / 1_000);
    tell(row, NOW, perSecond, `${JOBS} jobs of ${CLIENTS} clients, each ${spread(durations)}`);
  } finally {
    child.removeAllListeners('exit');
    child.kill('SIGTERM');
  }
}
